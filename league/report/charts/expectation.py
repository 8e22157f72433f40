"""Where results differ from what the ratings expect."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt
import numpy as np

from league.report.charts import Drawing, chart, tooltips

if TYPE_CHECKING:
    from league.report.charts import Rows
    from league.report.findings import Findings

TITLE = "Observed minus expected"
BROAD = False
COLUMNS = {
    "pair": "Pair",
    "expected": "Expected %",
    "score": "Observed %",
    "difference": "Difference",
    "low": "from",
    "high": "to",
    "surprise": "Standard deviations",
}
MOST = 20
"""Pairs shown, the most surprising."""

LINE = 34
"""Letters of a label in one line; two names that are longer together stand in two lines."""


def numbers(findings: Findings) -> Rows:
    """A row for each of the most surprising pairs, better bot first."""
    compared, names = findings.beliefs.compared, findings.names
    pairs = [(bot, other) for bot, other in np.argwhere(np.triu(compared.pairs.matches, 1)).tolist()]
    pairs.sort(key=lambda pair: (-abs(float(compared.surprise[pair])), pair))
    rows = []
    for pair in pairs[:MOST]:
        expected = 100 * float(compared.expected[pair])
        rows.append(
            {
                "pair": f"{names[pair[0]]} – {names[pair[1]]}",
                "expected": round(expected, 1),
                "score": round(100 * float(compared.score[pair]), 1),
                "difference": round(100 * float(compared.score[pair]) - expected, 1),
                "low": round(100 * float(compared.low[pair]) - expected, 1),
                "high": round(100 * float(compared.high[pair]) - expected, 1),
                "surprise": round(float(compared.surprise[pair]), 1),
            }
        )
    return rows


def caption(rows: Rows) -> str:
    """How to read it."""
    return (
        "How many points in a hundred the first of a pair scored above or below what the fitted ratings expect, with "
        "the 95 % interval of the score. One number per bot cannot tell styles apart: far from zero, one of the two "
        "suits or fears the other. The most surprising pairs come first."
    )


def draw(rows: Rows) -> Drawing:
    """A dot with its interval for each pair, around zero."""
    is_long = max(len(row["pair"]) for row in rows) > LINE
    lines = "split(datum.label, ' – ')" if is_long else "datum.label"
    base = chart(rows).encode(
        y=alt.Y("pair:N", sort=None, title=None, axis=alt.Axis(labelLimit=220, labelExpr=lines)),
        tooltip=tooltips(COLUMNS, "pair"),
    )
    line = base.mark_rule(strokeWidth=4, opacity=0.45, color="var(--c1)").encode(
        x=alt.X("low:Q", title="points in a hundred", axis=alt.Axis(titleAnchor="end")), x2="high:Q"
    )
    dot = base.mark_point(filled=True, size=60, opacity=1, color="var(--c1)").encode(x="difference:Q")
    zero = chart([{"zero": 0}]).mark_rule(color="currentColor").encode(x="zero:Q")
    return (zero + line + dot).properties(width="container", height=alt.Step(36 if is_long else 22))

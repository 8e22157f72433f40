"""How long matches are."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import altair as alt

from league.report.charts import Drawing, chart, tooltips
from league.report.charts.scores import width_of

if TYPE_CHECKING:
    from league.report.charts import Rows
    from league.report.findings import Findings

TITLE = "Match length"
BROAD = False
COLUMNS = {"turns": "Turns from", "end": "to below", "matches": "Matches"}


WHOLE = alt.Axis(format="~s", tickMinStep=1)
"""Both turns and matches are counted in whole numbers."""


def numbers(findings: Findings) -> Rows:
    """A row a bin of turns."""
    counts = findings.gathered.turns
    if not counts:
        return []
    width = width_of(min(counts), max(counts), 50)
    binned: Counter[int] = Counter()
    for turns, count in counts.items():
        binned[turns // width * width] += count
    return [
        {"turns": turns, "end": turns + width, "matches": count} for turns, count in sorted(binned.items())
    ]


def caption(rows: Rows) -> str:
    """How long half of the matches are."""
    half, seen = sum(row["matches"] for row in rows) / 2, 0
    middle = rows[-1]["turns"]
    for row in rows:
        seen += row["matches"]
        if seen >= half:
            middle = row["turns"]
            break
    return f"Turns in a match; half of the matches have at most about {middle}."


def draw(rows: Rows) -> Drawing:
    """Bars."""
    return (
        chart(rows)
        .mark_bar(color="var(--c1)", binSpacing=1)
        .encode(
            x=alt.X("turns:Q", title="turns", bin="binned", scale=alt.Scale(zero=False), axis=WHOLE),
            x2="end:Q",
            y=alt.Y("matches:Q", title="matches", axis=WHOLE),
            tooltip=tooltips(COLUMNS),
        )
        .properties(width="container", height=200)
    )

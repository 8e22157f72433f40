"""What scores each bot reaches."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import altair as alt

from league.report.charts import Drawing, chart, tooltips

if TYPE_CHECKING:
    from league.report.charts import Rows
    from league.report.findings import Findings

TITLE = "Score distributions"
BROAD = False
COLUMNS = {"bot": "Bot", "score": "Score from", "end": "to below", "share": "% of its matches"}
BINS = 30


def width_of(low: int, high: int, bins: int = BINS) -> int:
    """A round bin width that needs at most `bins` bins.

    >>> width_of(0, 14), width_of(-180, 400)
    (1, 20)
    """
    for power in range(10):
        for step in (1, 2, 5):
            if (high - low + 1) <= bins * step * 10**power:
                return step * int(10**power)
    return high - low + 1


def numbers(findings: Findings) -> Rows:
    """A row a bot and bin."""
    counts = findings.gathered.scores
    if not counts:
        return []
    values = [score for _, score in counts]
    width = width_of(min(values), max(values))
    binned: Counter[tuple[int, int]] = Counter()
    for (bot, score), count in counts.items():
        binned[bot, score // width * width] += count
    totals: Counter[int] = Counter()
    for (bot, _), count in binned.items():
        totals[bot] += count
    return [
        {
            "bot": findings.names[bot],
            "score": score,
            "end": score + width,
            "share": round(100 * count / totals[bot], 2),
        }
        for (bot, score), count in sorted(binned.items())
    ]


def caption(rows: Rows) -> str:
    """How to read it."""
    return "How often each bot ended with which score: the darker, the more often."


def draw(rows: Rows) -> Drawing:
    """A strip of cells for each bot."""
    return (
        chart(rows)
        .mark_rect(color="var(--c1)")
        .encode(
            x=alt.X("score:Q", title="score", scale=alt.Scale(zero=False, nice=False)),
            x2="end:Q",
            y=alt.Y("bot:N", sort=None, title=None, scale=alt.Scale(paddingInner=0.15)),
            opacity=alt.Opacity("share:Q", scale=alt.Scale(range=[0.04, 1], type="sqrt"), legend=None),
            tooltip=tooltips(COLUMNS, "bot"),
        )
        .properties(width="container", height=alt.Step(22))
    )

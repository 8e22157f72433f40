"""Who beats whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt

from league.report.charts import Drawing, chart, tooltips

if TYPE_CHECKING:
    from league.report.charts import Rows
    from league.report.findings import Findings

TITLE = "Head to head"
BROAD = False
COLUMNS = {
    "bot": "Bot",
    "other": "against",
    "score": "Score %",
    "low": "from",
    "high": "to",
    "expected": "Expected",
    "matches": "Matches",
}
MOST_LABELS = 12
"""Up to so many bots the cells carry their numbers and the columns their names."""


def numbers(findings: Findings) -> Rows:
    """A row for each bot and each other that it met, best first."""
    compared = findings.beliefs.compared
    met = compared.pairs.matches
    return [
        {
            "bot": name,
            "other": other_name,
            "score": round(100 * float(compared.score[bot, other]), 1),
            "low": round(100 * float(compared.low[bot, other]), 1),
            "high": round(100 * float(compared.high[bot, other]), 1),
            "expected": round(100 * float(compared.expected[bot, other]), 1),
            "matches": int(met[bot, other]),
        }
        for bot, name in enumerate(findings.names)
        for other, other_name in enumerate(findings.names)
        if met[bot, other]
    ]


def caption(rows: Rows) -> str:
    """How to read it."""
    return (
        "Score of the row against the column, in per cent; a tie is half a point. Best bots first both ways, so a "
        "league without surprises is blue above the diagonal and orange below."
    )


def _across(bots: int) -> alt.Axis:
    """The bots above the cells; of many, only that they stand in the same order as down the side."""
    if bots <= MOST_LABELS:
        return alt.Axis(orient="top", labelAngle=-90, title=None)
    return alt.Axis(orient="top", labels=False, ticks=False, title="the same bots in the same order")


def draw(rows: Rows) -> Drawing:
    """A cell for each pair."""
    names = list(dict.fromkeys(name for row in rows for name in (row["bot"], row["other"])))
    order = sorted(names, key=[*dict.fromkeys(row["bot"] for row in rows)].index)
    base = chart(rows).encode(
        x=alt.X("other:N", sort=order, axis=_across(len(order))),
        y=alt.Y("bot:N", sort=order, title=None),
        tooltip=tooltips(COLUMNS, "bot", "other"),
    )
    scale = alt.Scale(domain=[0, 50, 100], range=["#e8853a", "#f3f1ec", "#5b9fd8"], interpolate="rgb")
    cells = base.mark_rect(stroke="var(--surface)", strokeWidth=1).encode(
        color=alt.Color("score:Q", scale=scale, legend=alt.Legend(title="score %", gradientLength=120))
    )
    words = base.mark_text(color="#10151a", fontSize=12).encode(text=alt.Text("score:Q", format=".0f"))
    layers = cells + words if len(order) <= MOST_LABELS else alt.layer(cells)
    return layers.properties(width="container", height=alt.Step(26 if len(order) <= MOST_LABELS else 14))

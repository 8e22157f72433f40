"""What a seat is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt

from league.report.charts import Drawing, chart, tooltips

if TYPE_CHECKING:
    from league.report.charts import Rows
    from league.report.findings import Findings

TITLE = "Seat effect"
BROAD = False
COLUMNS = {"seat": "Seat", "score": "Score %", "low": "from", "high": "to", "chance": "By luck alone"}


def numbers(findings: Findings) -> Rows:
    """A row a seat."""
    effect = findings.beliefs.seats
    if not findings.gathered.tally.matches:
        return []
    return [
        {
            "seat": f"seat {seat}",
            "score": round(100 * float(effect.score[seat]), 2),
            "low": round(100 * float(effect.low[seat]), 2),
            "high": round(100 * float(effect.high[seat]), 2),
            "chance": round(effect.chance, 4),
        }
        for seat in range(findings.gathered.seats)
    ]


def caption(rows: Rows) -> str:
    """How to read it, and whether there is an effect."""
    chance = rows[0]["chance"]
    said = (
        "Seats as unequal as these are hardly luck"
        if chance < 0.05
        else "Seats as unequal as these may well be luck"
    )
    likely = "less than 1 in 1,000" if chance < 0.001 else f"{chance:.3f}"
    return (
        "Score of each seat over all bots, with its 95 % interval. Mirror sets put every bot in every seat, so "
        f"strength cancels out, here and in the ranking. {said} (likelihood {likely})."
    )


def draw(rows: Rows) -> Drawing:
    """A dot with its interval for each seat, around one half."""
    base = chart(rows).encode(
        y=alt.Y("seat:N", title=None),
        tooltip=tooltips(COLUMNS, "seat"),
    )
    line = base.mark_rule(strokeWidth=4, opacity=0.45, color="var(--c1)").encode(
        x=alt.X("low:Q", title="score %", scale=alt.Scale(zero=False)), x2="high:Q"
    )
    dot = base.mark_point(filled=True, size=60, opacity=1, color="var(--c1)").encode(x="score:Q")
    half = chart([{"half": 50}]).mark_rule(color="currentColor").encode(x="half:Q")
    return (half + line + dot).properties(width="container", height=alt.Step(28))

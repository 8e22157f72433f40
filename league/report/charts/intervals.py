"""How good each bot is, and how surely."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt

from league.report.charts import Drawing, chart, tooltips

if TYPE_CHECKING:
    from league.report.charts import Rows
    from league.report.findings import Findings

TITLE = "Ratings and how sure they are"
BROAD = False
COLUMNS = {
    "bot": "Bot",
    "mu": "μ",
    "order_free": "Order-free μ",
    "low": "from",
    "high": "to",
    "matches": "Matches",
}


def numbers(findings: Findings) -> Rows:
    """A row a bot, best first."""
    return [
        {
            "bot": row.bot.name,
            "mu": round(row.mu, 2),
            "order_free": round(row.order_free, 2),
            "low": round(row.low, 2),
            "high": round(row.high, 2),
            "matches": row.matches,
        }
        for row in findings.ranked
        if row.matches
    ]


def caption(rows: Rows) -> str:
    """How to read it."""
    return (
        "The line is the 95 % interval of a fit to all matches at once, the ring its middle; the dot is μ as rated "
        "match by match. Bots whose lines overlap may well be equally good."
    )


def draw(rows: Rows) -> Drawing:
    """Lines with a ring and a dot."""
    base = chart(rows).encode(
        y=alt.Y("bot:N", sort=None, title=None),
        tooltip=tooltips(COLUMNS, "bot"),
    )
    scale = alt.Scale(zero=False, nice=True)
    line = base.mark_rule(strokeWidth=4, color="var(--c1)", opacity=0.45).encode(
        x=alt.X("low:Q", scale=scale, title="rating (μ)"), x2="high:Q"
    )
    ring = base.mark_point(shape="circle", size=70, color="var(--c1)", strokeWidth=1.5).encode(
        x="order_free:Q"
    )
    dot = base.mark_point(filled=True, size=50, color="var(--c2)", opacity=1).encode(x="mu:Q")
    return (line + ring + dot).properties(width="container", height=alt.Step(24))

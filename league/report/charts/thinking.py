"""What thinking buys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt

from league.report.charts import Drawing, chart

if TYPE_CHECKING:
    from league.report.charts import Rows
    from league.report.findings import Findings

TITLE = "Thinking time against rating"
BROAD = False
COLUMNS = {"bot": "Bot", "think_ms": "ms a match", "mu": "μ"}


def numbers(findings: Findings) -> Rows:
    """A row a bot that has thought."""
    return [
        {"bot": row.bot.name, "think_ms": float(f"{row.think_ms:.3g}"), "mu": round(row.mu, 2)}
        for row in findings.ranked
        if row.think_ms
    ]


def caption(rows: Rows) -> str:
    """How to read it."""
    return (
        "Each bot by the time it thinks in a match and its rating; high up on the left is strong and quick. Times are "
        "those of the machines the league was played on."
    )


def draw(rows: Rows) -> Drawing:
    """A named dot for each bot."""
    base = chart(rows).encode(
        x=alt.X(
            "think_ms:Q",
            title="milliseconds a match",
            scale=alt.Scale(type="log"),
            axis=alt.Axis(tickCount=5),
        ),
        y=alt.Y("mu:Q", title="rating (μ)", scale=alt.Scale(zero=False, padding=16)),
        tooltip=[
            alt.Tooltip(f"{key}:{'N' if key == 'bot' else 'Q'}", title=name) for key, name in COLUMNS.items()
        ],
    )
    dots = base.mark_point(filled=True, size=70, color="var(--c1)", opacity=0.9)
    words = base.mark_text(align="left", dx=7, limit=120).encode(text="bot:N")
    return (dots + words if len(rows) <= 15 else alt.layer(dots)).properties(width="container", height=260)

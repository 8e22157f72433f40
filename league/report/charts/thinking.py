"""What thinking buys."""

from __future__ import annotations

from collections.abc import Iterator
from math import log
from typing import TYPE_CHECKING

import altair as alt

from league.report.charts import Drawing, chart, tooltips

if TYPE_CHECKING:
    from league.report.charts import Rows
    from league.report.findings import Findings

TITLE = "Thinking time against rating"
BROAD = False
COLUMNS = {"bot": "Bot", "think_ms": "ms a match", "mu": "μ"}


MOST_LABELS = 15
"""Up to so many bots carry their names."""

LETTER, HEIGHT = 0.022, 0.07
"""Of a label, as shares of the chart's width and height."""
LONGEST = 18
"""Letters of a label, about, before it is cut off."""


def numbers(findings: Findings) -> Rows:
    """A row a bot that has thought."""
    return [
        {"bot": row.bot.name, "think_ms": float(f"{row.think_ms:.3g}"), "mu": round(row.mu, 2)}
        for row in findings.ranked
        if row.think_ms
    ]


def caption(rows: Rows) -> str:
    """How to read it."""
    unnamed = len(rows) > MOST_LABELS or "" in sides(rows)
    more = " Point at a dot for its name." if unnamed else ""
    return (
        "Each bot by the time it thinks in a match and its rating; high up on the left is strong and quick. Times are "
        f"those of the machines the league was played on.{more}"
    )


Box = tuple[float, float, float, float]
"""Left, right, bottom and top."""


def sides(rows: Rows) -> list[str]:
    """Where each bot's name stands beside its dot, `right` or `left`, so that none covers another; empty if nowhere."""
    across, up = _shares([log(row["think_ms"]) for row in rows]), _shares([row["mu"] for row in rows])
    places = list(zip(across, up, strict=True))
    taken = [(x - 0.02, x + 0.02, y - HEIGHT / 2, y + HEIGHT / 2) for x, y in places]
    found = []
    for (x, y), row in zip(places, rows, strict=True):
        width = 0.03 + LETTER * min(len(row["bot"]), LONGEST)
        boxes = {"right": (x + 0.021, x + width), "left": (x - width, x - 0.021)}
        side = next(_free(boxes, y, taken), "")
        found.append(side)
        if side:
            taken.append((*boxes[side], y - HEIGHT / 2, y + HEIGHT / 2))
    return found


def _shares(values: list[float]) -> Iterator[float]:
    """How far each value is from the smallest to the greatest, 0 to 1."""
    low, span = min(values), max(values) - min(values) or 1.0
    return ((value - low) / span for value in values)


def _free(boxes: dict[str, tuple[float, float]], y: float, taken: list[Box]) -> Iterator[str]:
    """The sides where a label stays inside the chart and meets nothing."""
    for side, (left, right) in boxes.items():
        meets = any(
            left < box[1] and box[0] < right and abs(y - (box[2] + box[3]) / 2) < HEIGHT for box in taken
        )
        if not meets and left >= -0.05 and right <= 1.05:
            yield side


def draw(rows: Rows) -> Drawing:
    """A named dot for each bot."""
    if len(rows) <= MOST_LABELS:
        rows = [{**row, "side": side} for row, side in zip(rows, sides(rows), strict=True)]
    base = chart(rows).encode(
        x=alt.X(
            "think_ms:Q",
            title="milliseconds a match",
            scale=alt.Scale(type="log"),
            axis=alt.Axis(tickCount=5),
        ),
        y=alt.Y("mu:Q", title="rating (μ)", scale=alt.Scale(zero=False, padding=16)),
        tooltip=tooltips(COLUMNS, "bot"),
    )
    dots = base.mark_point(filled=True, size=70, color="var(--c1)", opacity=0.9)
    words = [
        base.transform_filter(f"datum.side === '{side}'")
        .mark_text(align=align, dx=dx, limit=120)
        .encode(text="bot:N")
        for side, align, dx in (("right", "left", 7), ("left", "right", -7))
    ]
    return alt.layer(dots, *words).properties(width="container", height=260)

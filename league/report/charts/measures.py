"""What a game counts of its own, from a sample of replayed matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import altair as alt

from league.report.charts import COLOURS, Drawing, chart, tooltips
from league.words import counted

if TYPE_CHECKING:
    from league.games import Measure
    from league.report.charts import Rows
    from league.report.findings import Findings

COLUMNS: Mapping[str, str] = {"bot": "Bot", "part": "What", "mean": "Mean", "matches": "Matches"}


def numbers(findings: Findings, number: int) -> Rows:
    """A row a bot and part of a measure."""
    sample, measure = findings.sample, findings.game.measures[number]
    return [
        {
            "bot": name,
            "part": part,
            "mean": round(float(sample.sums[number][bot, place] / sample.counts[number][bot, place]), 3),
            "matches": int(sample.counts[number][bot, place]),
        }
        for bot, name in enumerate(findings.names)
        for place, part in enumerate(measure.parts)
        if sample.counts[number][bot, place]
    ]


def caption(findings: Findings, measure: Measure) -> str:
    """How to read it."""
    matches = counted(findings.sample.matches, "match", "matches")
    return (
        f"Mean {measure.unit} of each bot, in {matches} spread evenly over the league and replayed for this."
    )


def draw(rows: Rows, measure: Measure) -> Drawing:
    """A bar for each bot, of its parts."""
    colour = alt.Color(
        "part:N",
        scale=alt.Scale(domain=list(measure.parts), range=COLOURS[: len(measure.parts)]),
        legend=alt.Legend(title=None, columns=alt.ExprRef("width < 480 ? 1 : 4"))
        if len(measure.parts) > 1
        else None,
    )
    return (
        chart([{**row, "place": measure.parts.index(row["part"])} for row in rows])
        .mark_bar(stroke="var(--surface)", strokeWidth=1)
        .encode(
            x=alt.X("mean:Q", title=f"mean {measure.unit}", stack="zero"),
            y=alt.Y("bot:N", sort=None, title=None),
            color=colour,
            order="place:Q",
            tooltip=tooltips(COLUMNS, "bot", "part"),
        )
        .properties(width="container", height=alt.Step(24))
    )

"""How ratings settled while matches were played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import altair as alt

from league.report.charts import COLOURS, Drawing, chart, tooltips

if TYPE_CHECKING:
    from league.report.charts import Rows
    from league.report.findings import Findings

TITLE = "Rating history"
BROAD = True
COLUMNS = {"bot": "Bot", "matches": "Matches of the league", "mu": "μ", "low": "from", "high": "to"}

DASHES = [[1, 0], [6, 3], [2, 2], [8, 3, 2, 3]]


def numbers(findings: Findings) -> Rows:
    """A row a bot and checkpoint, best bots first; none where there is but one checkpoint, which is no history."""
    place = {bot.label: number for number, bot in enumerate(findings.bots)}
    points = sorted(findings.facts.history, key=lambda point: (place[point.bot], point.matches))
    if len({point.matches for point in points}) < 2:
        return []
    return [
        {
            "bot": findings.names[place[point.bot]],
            "matches": point.matches,
            "mu": round(point.mu, 2),
            "low": round(point.mu - 1.96 * point.sigma, 2),
            "high": round(point.mu + 1.96 * point.sigma, 2),
        }
        for point in points
    ]


def caption(rows: Rows) -> str:
    """How to read it."""
    bots = len({row["bot"] for row in rows})
    more = "" if bots <= len(COLOURS) else f" The {len(COLOURS)} best are in colour, the others in grey."
    return (
        "μ after the matches so far, rated match by match, with its band of ±1.96 σ. Bots do not learn: "
        f"what moves is what is known of them.{more} Point at a name in the legend to single it out."
    )


def draw(rows: Rows) -> Drawing:
    """A line with a band for each bot."""
    names = list(dict.fromkeys(row["bot"] for row in rows))
    best = names[: len(COLOURS)]
    grey = ["var(--line)"] * (len(names) - len(best))
    colour = alt.Scale(domain=names, range=[*COLOURS[: len(best)], *grey])
    legend = alt.Legend(
        title=None,
        values=best,
        columns=alt.ExprRef("width < 480 ? 1 : 4"),
        symbolType="stroke",
        symbolSize=300,
        symbolOpacity=1,
    )
    pick = alt.selection_point(fields=["bot"], bind="legend", on="pointerover", name="pick")
    base = chart(rows).encode(
        x=alt.X("matches:Q", title="matches played", axis=alt.Axis(format="~s", tickCount=8)),
        opacity=alt.condition(pick, alt.value(1), alt.value(0.12)),
        color=alt.Color("bot:N", scale=colour, legend=legend),
    )
    band = base.mark_area(opacity=0.18).encode(
        y=alt.Y("low:Q", scale=alt.Scale(zero=False), title="rating (μ)"),
        y2="high:Q",
        opacity=alt.condition(pick, alt.value(0.2), alt.value(0.03)),
    )
    line = base.mark_line(strokeWidth=2).encode(
        y="mu:Q",
        strokeDash=alt.StrokeDash(
            "bot:N",
            scale=alt.Scale(domain=names, range=[DASHES[n % len(DASHES)] for n in range(len(names))]),
            legend=legend,
        ),
        tooltip=tooltips(COLUMNS, "bot"),
    )
    return (band + line.add_params(pick)).properties(width="container", height=320)

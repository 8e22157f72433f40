"""The pages of one league, from what was read and gathered to files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from league.games import Game, find_game
from league.report.charts import figures, runtime
from league.report.conditions import league_file
from league.report.facts import Facts
from league.report.findings import Findings
from league.report.ranking import headline
from league.report.writing import Site

SECTIONS = (("index.html", "Rankings"), ("plots.html", "Plots"))


def write_pages(site: Site, findings: Findings) -> None:
    """Write all pages of a league."""
    site.static("site.css", "site.js", "charts.js")
    site.file("assets/vega.js", runtime())
    _rankings(site, findings)
    site.page("plots.html", "plots.html", figures=figures(findings), headline=headline(findings.ranked))


def shared(facts: Facts, game: Game) -> dict[str, Any]:
    """What every page of a league says."""
    return {
        "league": facts.name,
        "results_name": f"results/{facts.name}",
        "game_title": game.title,
        "sections": SECTIONS,
        "matches": facts.matches,
        "seats": facts.seats,
        "seed": facts.config["league"]["seed"],
        "league_version": facts.kept["league_version"],
    }


def game_of(facts: Facts) -> Game:
    """The game the league played, as this package has it."""
    options: Mapping[str, Any] = facts.config["game"]
    known = {key: value for key, value in options.items() if key not in ("name", "version", "seats")}
    return find_game(options["name"])(facts.seats, known)


def _rankings(site: Site, findings: Findings) -> None:
    facts, rows = findings.facts, findings.ranked
    written = league_file(facts)
    site.file("league.toml", written)
    ends = [end for row in rows for end in (row.low, row.mu, row.high)]
    site.page(
        "index.html",
        "index.html",
        rows=rows,
        headline=headline(rows),
        axis=(min(ends, default=0), max(ends, default=0)),
        any_forfeits=any(row.forfeits for row in rows),
        two_methods=any(row.disagrees for row in rows),
        config=facts.config,
        planned=facts.kept["matches"],
        format=facts.kept["format"],
        bots=facts.bots,
        workers=sorted(findings.gathered.workers.items()),
        truncated=findings.gathered.truncated,
        league_file=written,
    )

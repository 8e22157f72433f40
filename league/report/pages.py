"""The pages of one league, from what was read and gathered to files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from league.games import Game, find_game
from league.report.conditions import league_file
from league.report.facts import Facts
from league.report.gather import Gathered
from league.report.ranking import Ranked, headline, ranking
from league.report.writing import Site

SECTIONS = (("index.html", "Rankings"),)


def write_pages(site: Site, facts: Facts, gathered: Gathered) -> None:
    """Write all pages of a league."""
    rows = ranking(facts, gathered)
    site.static("site.css", "site.js")
    _rankings(site, facts, gathered, rows)


def shared(facts: Facts) -> dict[str, Any]:
    """What every page of a league says."""
    game = game_of(facts)
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


def _rankings(site: Site, facts: Facts, gathered: Gathered, rows: Sequence[Ranked]) -> None:
    written = league_file(facts)
    site.file("league.toml", written)
    site.page(
        "index.html",
        "index.html",
        rows=rows,
        headline=headline(rows),
        axis=(min(row.low for row in rows), max(row.high for row in rows)) if rows else (0, 0),
        any_forfeits=any(row.forfeits for row in rows),
        two_methods=any(row.order_free is not None for row in rows),
        config=facts.config,
        planned=facts.kept["matches"],
        format=facts.kept["format"],
        bots=facts.bots,
        workers=sorted(gathered.workers.items()),
        truncated=gathered.truncated,
        league_file=written,
    )

"""Build sites: of a league, of one match, of a folder of leagues."""

from __future__ import annotations

from league.games import Game, find_game
from league.logged import open_league
from league.report.beliefs import believe
from league.report.facts import Facts, read_facts
from league.report.featured import choose, in_order, of_bots, replays_of, rows_of, watched
from league.report.findings import Findings
from league.report.gather import gather
from league.report.pages import shared, write_pages
from league.report.sample import sample, spread
from league.report.writing import Site
from league.store import ResultFolder


def build_site(results: str) -> str:
    """Write the site of a league; see `league.report.build`."""
    facts = read_facts(results)
    game = game_of(facts)
    gathered = gather(facts)
    rows = {}
    if facts.logs_actions:
        league = open_league(results)
        rows = rows_of(facts, gathered.spans, spread(gathered.tally.matches))
    taken = sample(facts, game, replays_of(league, rows) if rows else [])
    worth, own = choose(facts, gathered, taken.comebacks), of_bots(facts, gathered)
    pages = {}
    if facts.logs_actions:
        order = in_order(worth, own, facts.seats)
        pages = watched(league, rows_of(facts, gathered.spans, order), order)
    site = Site(ResultFolder(facts.folder.place("report")), shared(facts, game))
    findings = Findings(facts, game, gathered, believe(facts, gathered, game), taken)
    write_pages(site, findings, pages, worth, own)
    return site.folder.place("index.html")


def game_of(facts: Facts) -> Game:
    """The game the league played, as this package has it."""
    options = facts.config["game"]
    known = {key: value for key, value in options.items() if key not in ("name", "version", "seats")}
    return find_game(options["name"])(facts.seats, known)

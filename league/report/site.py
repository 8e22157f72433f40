"""Build sites: of a league, of one match, of a folder of leagues."""

from __future__ import annotations

from collections.abc import Iterator

from league.games import Game
from league.games.find import game_of
from league.logged import LoggedLeague, Replay, lost, open_league, replay_of
from league.read import Results
from league.report.beliefs import believe
from league.report.facts import Facts, read_facts
from league.report.featured import (
    Chosen,
    choose,
    in_order,
    mirror_rows,
    of_bots,
    replays_of,
    rows_of,
    watched,
)
from league.report.findings import Findings
from league.report.gather import Gathered, gather
from league.report.pages import shared, write_match, write_pages
from league.report.sample import sample, spread
from league.report.watching import watch
from league.report.writing import Site
from league.store import ResultFolder


def build_site(results: Results) -> str:
    """Write the site of a league; see `league.report.build`."""
    facts = read_facts(results)
    game = game_of(facts.config["game"])
    gathered = gather(facts)
    if gathered.tally.matches < facts.matches:
        raise lost(facts.folder, facts.matches - gathered.tally.matches)
    league = open_league(results) if facts.logs_actions else None
    taken = sample(facts, game, _sampled(league, facts, gathered))
    worth, own = choose(facts, gathered, taken.comebacks), of_bots(facts, gathered)
    order = in_order(worth, own, gathered)
    rows = rows_of(facts, gathered.spans, order)
    chosen = Chosen(worth, own, rows, watched(league, rows, order) if league else {})
    findings = Findings(facts, game, gathered, believe(facts, gathered, game), taken)
    site = site_of(facts, game)
    write_pages(site, findings, chosen)
    return site.folder.place("index.html")


def _sampled(league: LoggedLeague | None, facts: Facts, gathered: Gathered) -> Iterator[Replay]:
    """Replays of the sample; none where decisions were not logged."""
    if league is not None:
        rows = rows_of(facts, gathered.spans, spread(gathered.tally.matches))
        yield from replays_of(league, rows)


def build_one(results: Results, match: int) -> str:
    """Write the page of one match; see `league.report.build_match`."""
    facts = read_facts(results)
    league = open_league(results)
    league.require_actions()
    rows = {row["match"]: row for row in mirror_rows(facts, match)}
    site = site_of(facts, league.game)
    place = site.folder.place(f"matches/{match}.html")
    there = {int(name[:-5]) for name in site.folder.list("matches") if name[:-5].isdecimal()}
    if match in there:  # the report's own page says more: why the match is featured
        return place
    site.shared |= {"pages": there | {match}, "pair_pages": set()}
    site.static("site.css", "site.js", "replay.js")
    found = watch(replay_of(league, rows[match]))
    write_match(site, facts, league.game, found, Chosen([], [], rows, {match: found}))
    return place


def site_of(facts: Facts, game: Game) -> Site:
    """The site of a league, nothing written yet."""
    return Site(ResultFolder(facts.folder.place("report")), shared(facts, game))

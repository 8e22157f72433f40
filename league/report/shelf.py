"""An index over several leagues in one folder."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from league.errors import LeagueError
from league.read import Results
from league.report.facts import Facts, read_facts
from league.report.live import is_live
from league.report.site import build_site
from league.report.writing import Site
from league.store import LEAGUE, ResultFolder

_INDEX = b'<table id="leagues"'
"""What only an index over leagues has; a name in a page is escaped."""


def leagues_in(results: Results) -> list[str]:
    """The names of the leagues whose result folders lie in a folder; none for a league's own folder."""
    folder = ResultFolder.at(results)
    if folder.exists(LEAGUE):
        return []
    return [name for name in folder.folders() if folder.exists(f"{name}/{LEAGUE}")]


def build_shelf(results: Results, names: list[str]) -> str:
    """Write the index, and the sites of the leagues that have none; answer the path or URI of the index."""
    folder = ResultFolder.at(results)
    for name in names:
        if not _has_report(folder, f"{name}/report/index.html"):
            build_site(folder.place(name))
    _write(folder, names)
    return folder.place("index.html")


def renew_shelf(results: Results) -> None:
    """Write the index that a league lies beneath anew, if somebody had one made: the league has a new report."""
    folder = _around(ResultFolder.at(results))
    with suppress(LeagueError):  # what is wrong with another league is no fault of this one
        if folder.exists("index.html") and _INDEX in folder.read("index.html"):
            names = leagues_in(folder.uri)
            _write(folder, [name for name in names if _has_report(folder, f"{name}/report/index.html")])


def _around(folder: ResultFolder) -> ResultFolder:
    """The folder in which a folder lies."""
    here = folder.uri if "://" in folder.uri else str(Path(folder.uri).absolute())
    return ResultFolder.at(here.rpartition("/")[0] or "/")


def _write(folder: ResultFolder, names: list[str]) -> None:
    """The index over the leagues of these names."""
    leagues = [(name, _summary(read_facts(folder.place(name)))) for name in names]
    site = Site(folder, {})
    site.static("site.css", "site.js")
    site.page("index.html", "shelf.html", leagues=leagues)


def _has_report(folder: ResultFolder, page: str) -> bool:
    """Whether a page is a report's, and not what an interrupted run left for watching it."""
    return folder.exists(page) and not is_live(folder.read(page))


def _summary(facts: Facts) -> dict[str, Any]:
    """A league in a line."""
    rated = [bot for bot in facts.bots if bot.standing]
    return {
        "league": facts.name,
        "game": facts.config["game"]["name"],
        "seats": facts.seats,
        "bots": len(facts.bots),
        "matches": facts.matches,
        "planned": facts.kept["matches"],
        "leaders": [bot.name for bot in rated if bot.standing["rank_low"] == 1],
    }

"""A light page to watch while a league is played; the report takes its place at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from league.report.writing import Site
from league.store import ResultFolder

EVERY_S = 10
"""How often a browser asks for the page anew."""

_RENEWS = b'<meta http-equiv="refresh"'
"""What only a page has that a browser asks for anew; a name in a page is escaped."""


@dataclass(frozen=True)
class Believed:
    """A bot's rating so far."""

    bot: str
    mu: float
    sigma: float


def write_live(
    folder: ResultFolder, league: str, played: int, planned: int, ratings: Sequence[Believed]
) -> None:
    """Write the page as `report/index.html`.

    Args:
        folder: The league's results.
        league: Its name.
        played: Matches rated so far.
        planned: Matches it will have.
        ratings: The bots in any order.
    """
    site = Site(ResultFolder(folder.place("report")), {})
    site.static("site.css", "site.js")
    rows = sorted(ratings, key=lambda rated: (3 * rated.sigma - rated.mu, rated.bot))
    site.page(
        "index.html", "live.html", league=league, played=played, planned=planned, rows=rows, every_s=EVERY_S
    )


def is_live(page: bytes) -> bool:
    """Whether a page is the light one that `write_live` wrote."""
    return _RENEWS in page

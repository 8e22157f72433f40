"""The report of a league: a static site that opens from disk and says who is best, how surely, and why.

It is a pure function of the result folder. One pass over the matches gathers what the pages need, in memory that
depends on the bots and not on the number of matches.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from league.read import Results


def build(results: Results) -> str:
    """Write a site and answer the path or URI of its first page; an index around it is renewed.

    Args:
        results: A result folder or its URI; or a folder of several, for an index over their leagues.

    Raises:
        ResultsError: There are no such results, or they cannot be read.
    """
    from league.report.shelf import build_shelf, leagues_in, renew_shelf
    from league.report.site import build_site

    leagues = leagues_in(results)
    if leagues:
        return build_shelf(results, leagues)
    place = build_site(results)
    renew_shelf(results)
    return place


def build_match(results: Results, match: int) -> str:
    """Write the page of one match, unless the report has it, and answer its path or URI.

    Raises:
        ResultsError: There are no such results, no such match, or its decisions were not logged.
    """
    from league.report.site import build_one

    return build_one(results, match)

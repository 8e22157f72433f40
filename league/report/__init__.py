"""The report of a league: a static site that opens from disk and says who is best, how surely, and why.

It is a pure function of the result folder. One pass over the matches gathers what the pages need, in memory that
depends on the bots and not on the number of matches.
"""

from __future__ import annotations


def build(results: str) -> str:
    """Write the site of a league and answer the path or URI of its first page.

    Args:
        results: A result folder or its URI.

    Raises:
        ResultsError: There are no such results, or they cannot be read.
    """
    from league.report.build import build_site

    return build_site(results)

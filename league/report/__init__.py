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
    from league.report.beliefs import believe
    from league.report.facts import read_facts
    from league.report.findings import Findings
    from league.report.gather import gather
    from league.report.pages import game_of, shared, write_pages
    from league.report.writing import Site
    from league.store import ResultFolder

    facts = read_facts(results)
    game = game_of(facts)
    gathered = gather(facts)
    site = Site(ResultFolder(facts.folder.place("report")), shared(facts, game))
    write_pages(site, Findings(facts, game, gathered, believe(facts, gathered, game)))
    return site.folder.place("index.html")

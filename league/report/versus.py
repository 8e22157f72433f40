"""The numbers of bot against bot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from league.report.beliefs import Beliefs
from league.report.briefs import Brief
from league.report.facts import BotFacts, Facts
from league.report.gather import Gathered

MOST_PAGES = 1000
"""Pairs with a page of their own; of larger leagues those whose ranks are nearest."""


@dataclass(frozen=True)
class Versus:
    """One bot against another, as the first sees it; shares are of points, a tie being half a point.

    Attributes:
        bot, other: Who.
        matches, wins, ties, losses: Counts.
        score, low, high: Share of points and its 95 % interval.
        expected: Share that the fitted ratings expect.
        surprise: How many standard deviations lie between.
        superiority: Likelihood that the first is the better of the two.
        page: Name of the pair's page without folder and ending.
    """

    bot: BotFacts
    other: BotFacts
    matches: int
    wins: int
    ties: int
    losses: int
    score: float
    low: float
    high: float
    expected: float
    surprise: float
    superiority: float
    page: str


def versus(facts: Facts, beliefs: Beliefs, bot: int, other: int) -> Versus:
    """Compare two bots; those that never met have 0 matches."""
    compared = beliefs.compared
    first, second = sorted((bot, other))
    return Versus(
        bot=facts.bots[bot],
        other=facts.bots[other],
        matches=int(compared.pairs.matches[bot, other]),
        wins=int(compared.pairs.wins[bot, other]),
        ties=int(compared.pairs.ties[bot, other]),
        losses=int(compared.pairs.wins[other, bot]),
        score=float(compared.score[bot, other]),
        low=float(compared.low[bot, other]),
        high=float(compared.high[bot, other]),
        expected=float(compared.expected[bot, other]),
        surprise=float(compared.surprise[bot, other]),
        superiority=float(compared.superiority[bot, other]),
        page=f"{facts.bots[first].slug}--{facts.bots[second].slug}",
    )


def pairs_with_pages(facts: Facts, beliefs: Beliefs) -> list[tuple[int, int]]:
    """The pairs that met, those of neighbouring ranks first, as many as get a page."""
    met = beliefs.compared.pairs.matches
    bots = len(facts.bots)
    pairs = [
        (first, second) for first in range(bots) for second in range(first + 1, bots) if met[first, second]
    ]
    return sorted(pairs, key=lambda pair: (pair[1] - pair[0], pair))[:MOST_PAGES]


def verdict(pair: Versus) -> str:
    """Who is better, in a sentence."""
    if pair.superiority > 0.975:
        return f"{pair.bot.name} is better than {pair.other.name}, beyond reasonable doubt."
    if pair.superiority < 0.025:
        return f"{pair.other.name} is better than {pair.bot.name}, beyond reasonable doubt."
    better = pair.bot if pair.superiority >= 0.5 else pair.other
    likely = max(pair.superiority, 1 - pair.superiority)
    return f"Too close to call: {better.name} is the better one with a likelihood of {100 * likely:.0f} %."


SeatedPair: TypeAlias = tuple[Brief, int, int]
"""A match of two bots, and where each sat."""


@dataclass(frozen=True)
class MirrorSet:
    """The matches of one deal in which two bots met, side by side.

    Attributes:
        best_for: Whom it suited best of all their sets.
        matches: Each match with the seats of the two.
    """

    best_for: BotFacts
    matches: list[SeatedPair]


def telling_sets(facts: Facts, gathered: Gathered, bot: int, other: int) -> list[MirrorSet]:
    """The mirror sets that went best for one and for the other."""
    return [
        MirrorSet(facts.bots[winner], _seated(gathered.best_sets[winner, loser], bot, other))
        for winner, loser in ((bot, other), (other, bot))
        if (winner, loser) in gathered.best_sets
    ]


def listed_sets(gathered: Gathered, bot: int, other: int) -> list[list[SeatedPair]]:
    """The first mirror sets of a pair, match by match."""
    pair = (min(bot, other), max(bot, other))
    return [_seated(briefs, bot, other) for briefs in gathered.first_sets.get(pair, [])]


def _seated(briefs: Iterable[Brief], bot: int, other: int) -> list[SeatedPair]:
    return [(brief, brief.bots.index(bot), brief.bots.index(other)) for brief in briefs]

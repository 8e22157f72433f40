"""Focus: spend matches where it is not clear yet who is better, and stop when it is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

from league.errors import ConfigError
from league.schedule import Format, Listed, Schedule, Standing
from league.schedule.round_robin import RoundRobin

SHARE = 0.025
"""A round after the first has this share of the budget."""


class FocusFormat(Format):
    """First everybody meets; then groups meet whose rating intervals overlap, until none do or matches run out.

    Args:
        names: Names of the bots.
        seats: Seats at a table.
        sets: Mirror sets of the whole league at most.
        groups: At most so many groups meet in a round after the first.
    """

    name = "focus"

    def __init__(self, names: list[str], seats: int, sets: int, groups: int = 24) -> None:
        if len(names) < seats:
            raise ConfigError(f"bots: {len(names)} given, but {seats} seats need at least {seats}")
        if type(groups) is not int or groups < 1:
            raise ConfigError(f"schedule.groups = {groups!r}: give a whole number from 1")
        self._bots, self._seats, self._sets, self._groups = len(names), seats, sets, groups
        self._share = max(1, round(sets * SHARE))

    def round(self, number: int, first_set: int, standings: Sequence[Standing]) -> Schedule | None:
        """Everybody in the first round, then the groups that are least separated."""
        if number == 0:
            every = comb(self._bots, self._seats)
            first = min(self._sets, max(self._share, min(every, 2 * self._share)))
            return RoundRobin(self._bots, self._seats, first)
        left = self._sets - first_set
        lineups = self._unclear(standings)
        if left <= 0 or not lineups:
            return None
        return Listed(lineups, min(left, self._share), first_set)

    def _unclear(self, standings: Sequence[Standing]) -> list[tuple[int, ...]]:
        """Groups of neighbours in the ranking, the most overlapping first; none if every rank is clear."""
        order = sorted(standings, key=lambda s: (-s.mu, s.bot))
        found = []
        for one, other in combinations(range(len(order)), 2):
            overlap = order[other].high - order[one].low
            if overlap >= 0:
                width = order[one].high - order[one].low + order[other].high - order[other].low
                found.append((-overlap / max(width, 1e-12), other - one, one, other))
        ends = [(one, other) for _, _, one, other in sorted(found)]
        lineups = [self._around(order, *places) for pair in ends for places in self._meetings(*pair)]
        return list(dict.fromkeys(lineups))[: self._groups]

    def _meetings(self, one: int, other: int) -> list[tuple[int, int]]:
        """Two places that are not clear, and each with the two beyond: alone, the two would stay vague as a pair."""
        above = [place for place in (one - 2, one - 1) if place >= 0]
        below = [place for place in (other + 1, other + 2) if place < self._bots]
        pairs = [(place, mine) for place in above for mine in (one, other)]
        return [(one, other), *pairs, *((mine, place) for place in below for mine in (one, other))]

    def _around(self, order: Sequence[Standing], one: int, other: int) -> tuple[int, ...]:
        """Two places and those nearest to them, as many as there are seats."""
        middle = (one + other) / 2
        others = sorted(
            (place for place in range(len(order)) if place not in (one, other)),
            key=lambda p: (abs(p - middle), p),
        )
        return tuple(sorted(order[place].bot for place in (one, other, *others[: self._seats - 2])))


FORMAT = FocusFormat

"""Focus: spend matches where it is not clear yet who is better, and stop when it is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

from league.schedule import Format, Listed, Schedule, Standing, require_bots
from league.schedule.round_robin import RoundRobin

SHARE = 0.01
"""A round after the first has this share of the budget, and every meeting at least once: small budgets share badly."""

TOGETHER, VAGUE, OTHERS = 4, 4, 10
"""In a round the two least clear bots meet so often; each meets so many others, and so often the vague among them."""


class FocusFormat(Format):
    """First everybody meets; then those meet whose rating intervals overlap, until none do or matches run out.

    Args:
        names: Names of the bots.
        seats: Seats at a table.
        sets: Mirror sets of the whole league at most.
        batch: Matches of a batch.
    """

    name = "focus"

    def __init__(self, names: list[str], seats: int, sets: int, batch: int) -> None:
        require_bots(names, seats)
        self._bots, self._seats, self.sets, self._batch = len(names), seats, sets, batch
        self._share = max(1, round(sets * SHARE))

    def round(self, number: int, first_set: int, standings: Sequence[Standing]) -> Schedule | None:
        """Everybody in the first round, then the two bots that are least separated, and those around them."""
        if number == 0:
            every = comb(self._bots, self._seats)
            first = min(self.sets, max(self._share, min(every, 4 * self._share)))
            return RoundRobin(self._bots, self._seats, first, self._batch)
        left = self.sets - first_set
        order = sorted(standings, key=lambda s: (-s.mu, s.bot))
        unclear = _unclear(order)
        if left <= 0 or not unclear:
            return None
        lineups = [self._lineup(order, *places) for places in self._meetings(unclear)]
        return Listed(lineups, min(left, max(self._share, len(lineups))), self._batch, first_set)

    def _meetings(self, unclear: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Pairs of places that meet, as often as they do.

        Alone, two bots would become clear to each other but stay vague as a pair, and with few neighbours as vague as
        those are: so they meet many. Where those are vague too, one match serves both.
        """
        one, other = unclear[0]
        vague = {place for pair in unclear for place in pair}
        meetings = [(one, other)] * TOGETHER
        for place in self._nearest(one, other)[:OTHERS]:
            meetings += [(place, one), (place, other)] * (VAGUE if place in vague else 1)
        return meetings

    def _nearest(self, one: int, other: int) -> list[int]:
        """All other places, the nearest to the middle of two first."""
        others = (place for place in range(self._bots) if place not in (one, other))
        return sorted(others, key=lambda place: (abs(2 * place - one - other), place))

    def _lineup(self, order: Sequence[Standing], one: int, other: int) -> tuple[int, ...]:
        """The bots of two places and of those nearest to them, as many as there are seats."""
        others = self._nearest(one, other)[: self._seats - 2]
        return tuple(sorted(order[place].bot for place in (one, other, *others)))


def _unclear(order: Sequence[Standing]) -> list[tuple[int, int]]:
    """Pairs of places in the ranking whose intervals overlap, those first that overlap most for their width."""
    found = []
    for one, other in combinations(range(len(order)), 2):
        overlap = order[other].high - order[one].low
        if overlap >= 0:
            width = order[one].high - order[one].low + order[other].high - order[other].low
            found.append((-overlap / max(width, 1e-12), other - one, one, other))
    return [(one, other) for _, _, one, other in sorted(found)]


FORMAT = FocusFormat

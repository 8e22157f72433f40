"""Ladder: divisions that play among themselves; after each round the best go up and the last go down."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from league.errors import ConfigError
from league.schedule import Format, Listed, Schedule, Standing, require_bots, sets_of_round


class LadderFormat(Format):
    """Rounds of divisions with promotion and relegation.

    Args:
        names: Names of the bots; they start in this order, the first in the top division.
        seats: Seats at a table.
        sets: Mirror sets of the whole league, spread evenly over rounds and groups, rounded up.
        batch: Matches of a batch.
        rounds: How many rounds.
        division: Bots of a division; the last division takes who is left over.
        movers: Bots that go up and down between two divisions after a round.
    """

    name = "ladder"

    def __init__(
        self,
        names: list[str],
        seats: int,
        sets: int,
        batch: int,
        rounds: int = 6,
        division: int = 0,
        movers: int = 1,
    ) -> None:
        require_bots(names, seats)
        division = division or min(len(names), 2 * seats)
        if not seats <= division <= len(names):
            raise ConfigError(
                f"schedule.division = {division}: give {seats} (the seats) to {len(names)} (the bots)"
            )
        if not 1 <= movers <= division // 2:
            raise ConfigError(f"schedule.movers = {movers}: give 1 to {division // 2}")
        self._rounds, self._movers, self._seats, self._batch = rounds, movers, seats, batch
        count = len(names) // division
        cuts = [division * place for place in range(count)] + [len(names)]
        self._first = [list(range(cuts[place], cuts[place + 1])) for place in range(count)]
        self.divisions = self._first
        tables = sum(1 for members in self._first for _ in combinations(members, seats))
        self._of_round = sets_of_round(sets, rounds, tables, seats)
        self.sets = rounds * self._of_round

    def round(self, number: int, first_set: int, standings: Sequence[Standing]) -> Schedule | None:
        """Every group of every division."""
        if number == self._rounds:
            return None
        if number == 0:
            self.divisions = self._first
        else:
            self._move({standing.bot: standing.mu for standing in standings})
        groups = [list(combinations(members, self._seats)) for members in self.divisions]
        return Listed(_interleaved(groups), self._of_round, self._batch, first_set)

    def _move(self, mu: dict[int, float]) -> None:
        """The best of a division change places with the last of the one above."""
        ordered = [sorted(members, key=lambda bot: (-mu[bot], bot)) for members in self.divisions]
        for above in range(len(ordered) - 1):
            last, first = ordered[above][-self._movers :], ordered[above + 1][: self._movers]
            ordered[above][-self._movers :], ordered[above + 1][: self._movers] = first, last
        self.divisions = ordered


def _interleaved(groups: list[list[tuple[int, ...]]]) -> list[tuple[int, ...]]:
    """One group of each division in turn, so that all divisions go on alike."""
    longest = max(map(len, groups))
    return [of_one[place] for place in range(longest) for of_one in groups if place < len(of_one)]


FORMAT = LadderFormat

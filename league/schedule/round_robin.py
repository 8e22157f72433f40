"""Round robin: every group of bots, every rotation, deal after deal."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, gcd

from league.schedule import Format, Schedule, Standing, circle, require_bots


def combination(index: int, items: int, size: int) -> tuple[int, ...]:
    """The combination of `size` out of `items` numbers at `index` in lexicographic order.

    >>> [combination(index, 4, 2) for index in range(6)]
    [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    """
    chosen: list[int] = []
    item = 0
    while size:
        with_item = comb(items - item - 1, size - 1)
        if index < with_item:
            chosen.append(item)
            size -= 1
        else:
            index -= with_item
        item += 1
    return tuple(chosen)


def stride(groups: int) -> int:
    """A step that visits all groups in an order that spreads early matches over all bots."""
    step = max(1, round(groups * 0.6180339887))
    while gcd(step, groups) != 1:
        step += 1
    return step


class RoundRobin(Schedule):
    """Every group once a deal; after `k` mirror sets any two groups differ by at most one.

    Args:
        bots: How many bots.
        seats: Seats at the table.
        sets: How many mirror sets.
        batch: Matches of a batch.
        first_set: Mirror sets played in earlier rounds.
    """

    def __init__(self, bots: int, seats: int, sets: int, batch: int, first_set: int = 0) -> None:
        super().__init__(seats, sets, batch, first_set)
        self.bots = bots
        self.groups = comb(bots, seats)
        self._stride = stride(self.groups)

    def lineup(self, index: int) -> tuple[int, ...]:
        """The group and its order around the table."""
        turn, place = divmod(index, self.groups)
        return circle(combination(place * self._stride % self.groups, self.bots, self.seats), turn)


class RoundRobinFormat(Format):
    """Everyone against everyone, in one round."""

    name = "round_robin"
    adaptive = False

    def __init__(self, names: list[str], seats: int, sets: int, batch: int) -> None:
        require_bots(names, seats)
        self.sets = sets
        self.schedule = RoundRobin(len(names), seats, sets, batch)

    def round(self, number: int, first_set: int, standings: Sequence[Standing]) -> Schedule | None:
        """The only round."""
        return self.schedule if number == 0 else None


FORMAT = RoundRobinFormat

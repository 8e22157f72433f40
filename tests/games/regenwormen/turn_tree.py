"""All there is to one turn on a fresh row, walked with the kernels."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from league.games.regenwormen import Regenwormen, kernels
from league.games.regenwormen.rolls import follow_ups, look_at_roll
from league.games.regenwormen.rows import DICE, FACES, LAST_TILE, TAKE
from league.kernels import Row, own

Values = np.ndarray[Any, np.dtype[np.float64]]
Reward = Callable[[int, int], float]
"""What a take is worth: from the total and the tile."""

Key = tuple[int, int, int]
"""Faces kept as bits, dice left, total."""


@cache
def rolls(dice: int) -> list[tuple[float, tuple[int, ...]]]:
    """Every roll as counts by face, with its probability."""
    found = []
    for faces in itertools.combinations_with_replacement(range(FACES), dice):
        counts = tuple(faces.count(face) for face in range(FACES))
        ways = math.factorial(dice) // math.prod(math.factorial(count) for count in counts)
        found.append((ways / FACES**dice, counts))
    return found


class TurnTree:
    """The states of a turn by `Key`, and the best one can do from each, for several goals at once.

    Args:
        rewards: By goal, what a take is worth.
        failures: By goal, what a failure is worth.
    """

    def __init__(self, rewards: list[Reward], failures: list[float]) -> None:
        self.rewards, self.failures = rewards, np.array(failures)
        self.known: dict[Key, Values] = {}

    def best(self) -> Values:
        """The value of a turn before its first roll, by goal."""
        state = Regenwormen().start(0)[0]
        self.known[0, DICE, 0] = self._rolling(state)
        return self.known[0, DICE, 0]

    def _after_keep(self, state: Row, face: int) -> Values:
        """The value once all dice of a face are kept; `state` holds a roll."""
        bits = follow_ups(state, face)
        after = own(state)
        kernels.keep(after, face)
        mask = sum(1 << place for place in range(FACES) if after["kept"][place])
        key = (mask, int(after["dice_left"]), int(after["total"]))
        if key not in self.known:
            stop = bits >> TAKE & 1
            going_on = self.failures if kernels.is_over(after) else self._rolling(after)
            self.known[key] = np.maximum(going_on, self._taking(key[2])) if stop else going_on
        return self.known[key]

    def _taking(self, total: int) -> Values:
        tile = min(total, LAST_TILE)
        return np.array([reward(total, tile) for reward in self.rewards])

    def _rolling(self, state: Row) -> Values:
        """The mean over all rolls of the best keep."""
        state = own(state)
        places = {keep: place for place, keep in enumerate(self._keeps(state), start=1)}
        values = np.array([self.failures, *(self._kept(state, *keep) for keep in places)])
        chances, choices = [], []
        for chance, counts in rolls(int(state["dice_left"])):
            options = [places.get((face, count), 0) for face, count in enumerate(counts, start=1)]
            chances.append(chance)
            choices.append([option or max(options) for option in options])
        best: Values = values[np.array(choices)].max(axis=1)
        mean: Values = np.array(chances) @ best
        return mean

    def _keeps(self, state: Row) -> Iterator[tuple[int, int]]:
        for face in range(1, FACES + 1):
            if not state["kept"][face - 1]:
                yield from ((face, count) for count in range(1, int(state["dice_left"]) + 1))

    def _kept(self, state: Row, face: int, count: int) -> Values:
        state["dice"] = 0
        state["dice"][face - 1] = count
        look_at_roll(state)
        return self._after_keep(state, face)

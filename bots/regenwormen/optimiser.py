"""A bot that knows exactly what a turn is worth.

Where a turn can stand after a keep is told by three numbers: faces kept (as bits), dice left, total. There are fewer
than two thousand such states. Working back from the last keep, each is worth the better of stopping and rolling on;
rolling on is worth the mean, over all rolls, of the best keep. The tiles on the table set what stopping is worth.
"""

import itertools
import math
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import numpy as np

from league import Bot
from league.games.regenwormen import Keep, View, worms

DICE, FACES, HIGHEST_TOTAL = 8, 6, 40
WORM_BIT = 32
NEAR = 1e-9
"""Differences below this are rounding; the last of equal actions is chosen."""

State = tuple[int, int, int]
Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Layer:
    """States with the same number of faces and dice left, and where a roll leads from each.

    Attributes:
        places: `[S]`, their numbers.
        leads_to: `[new faces, S, R]`, the state after keeping a face of a roll; 0, the failure, if it is not in it.
        chances: `[R]`, of the rolls.
    """

    places: Array
    leads_to: Array
    chances: Array

    def rolling(self, values: Array) -> Array:
        """The value of rolling on in each state, `[S]`."""
        best: Array = values[self.leads_to].max(axis=0)
        return best @ self.chances


@dataclass(frozen=True)
class Tree:
    """All states of a turn, numbered from 1; 0 is the failure. Layers come in order of solution."""

    numbers: dict[State, int]
    totals: Array
    has_worm: Array
    layers: list[Layer]


def after_keep(state: State, face: int, count: int) -> State:
    """The state after keeping dice of a face."""
    kept, dice, total = state
    return kept | 1 << (face - 1), dice - count, total + count * min(face, 5)


def new_faces(state: State) -> list[int]:
    """The faces not kept yet."""
    return [face for face in range(1, FACES + 1) if not state[0] >> (face - 1) & 1]


def all_states() -> list[State]:
    """Every state that a turn can reach after a keep."""
    found: dict[State, None] = {}
    pending: list[State] = [(0, DICE, 0)]
    while pending:
        state = pending.pop()
        for face, count in itertools.product(new_faces(state), range(1, state[1] + 1)):
            after = after_keep(state, face, count)
            if after not in found:
                found[after] = None
                pending.append(after)
    return sorted(found)


def rolls(faces: int, dice: int) -> tuple[Array, Array]:
    """All rolls as counts of so many new faces, the rest lumped together, and their chances."""
    counts = [c for c in itertools.product(range(dice + 1), repeat=faces) if sum(c) <= dice]
    chances = []
    for roll in counts:
        rest = dice - sum(roll)
        ways = math.factorial(dice) // math.prod(map(math.factorial, (*roll, rest)))
        chances.append(ways * (FACES - faces) ** rest / FACES**dice)
    return np.array(counts), np.array(chances)


def layer_of(states: list[State], numbers: dict[State, int]) -> Layer:
    """Link states that have as many faces and dice left."""
    faces, dice = len(new_faces(states[0])), states[0][1]
    counts, chances = rolls(faces, dice)
    leads_to = np.zeros((faces, len(states), len(chances)), np.int32)
    for place, state in enumerate(states):
        for index, face in enumerate(new_faces(state)):
            after = [numbers[after_keep(state, face, count)] for count in range(1, dice + 1)]
            leads_to[index, place] = np.array([0, *after])[counts[:, index]]
    return Layer(np.array([numbers[state] for state in states]), leads_to, chances)


@cache
def tree() -> Tree:
    """The states of a turn; made once."""
    states = all_states()
    numbers = {state: number for number, state in enumerate(states, start=1)}
    rolling = [state for state in states if state[1] and new_faces(state)]

    def group(state: State) -> tuple[int, int]:
        return len(new_faces(state)), state[1]

    layers = [
        layer_of(list(members), numbers)
        for _, members in itertools.groupby(sorted(rolling, key=group), key=group)
    ]
    totals = np.array([0, *(total for _, _, total in states)])
    return Tree(numbers, totals, np.array([False, *(kept >= WORM_BIT for kept, _, _ in states)]), layers)


@lru_cache(maxsize=512)
def solve(rewards: tuple[float, ...], failure: float) -> Array:
    """The value of rolling on in every state.

    Args:
        rewards: By total, the value of the best tile it takes with a worm; minus infinity where there is none.
        failure: The value of a failed turn.
    """
    turn = tree()
    stopping = np.where(turn.has_worm, np.array(rewards)[turn.totals], -np.inf)
    values, rolling = np.maximum(stopping, failure), np.full(len(stopping), failure)
    for layer in turn.layers:
        rolling[layer.places] = layer.rolling(values)
        values[layer.places] = np.maximum(stopping[layer.places], rolling[layer.places])
    return rolling


class Optimiser(Bot):
    """Plays every turn for the most worms that it can bring on average, exactly.

    A tile counts its worms, a stolen one also what the others lose on average; failing costs the top tile.
    """

    game = "regenwormen"

    def choose(self, view: View) -> Keep:
        """Take the best action, the last among equals."""
        steal = 1 + 1 / (view.seats - 1)
        tops = [stack[-1] if stack else 0 for stack in view.stacks]
        failure = -float(worms(tops[view.seat])) if tops[view.seat] else 0.0
        tops[view.seat] = 0
        rewards = rewards_of(view.open_tiles, tuple(sorted(tops)), steal)
        rolling = solve(rewards, failure)
        best, chosen = -math.inf, view.legal[0]
        for keep in view.legal:
            value = worth(view, keep, rolling, steal, failure)
            if value >= best - NEAR:
                best, chosen = max(best, value), keep
        return chosen


@lru_cache(maxsize=4096)
def rewards_of(open_tiles: tuple[int, ...], tops: tuple[int, ...], steal: float) -> tuple[float, ...]:
    """By total: the value of the best tile that it takes."""
    row = [
        max((worms(tile) for tile in open_tiles if tile <= total), default=-math.inf)
        for total in range(HIGHEST_TOTAL + 1)
    ]
    return tuple(worms(total) * steal if total in tops and total else row[total] for total in range(len(row)))


def worth(view: View, keep: Keep, rolling: Array, steal: float, failure: float) -> float:
    """The value of an action."""
    total = view.total + keep.points
    if keep.then == "steal":
        return worms(total) * steal
    if keep.then == "take":
        return worms(keep.tile or max(tile for tile in view.open_tiles if tile <= total))
    if keep.then == "stop":
        return failure
    kept = sum(1 << face for face, count in enumerate(view.kept) if count)
    return float(
        rolling[tree().numbers[after_keep((kept, view.dice_left, view.total), keep.face, keep.count)]]
    )

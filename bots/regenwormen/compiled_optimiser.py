"""The bot `optimiser` at the engine's speed: it solves the rest of the turn anew at every decision."""

import itertools
import math
from typing import Any

import numpy as np

from league import CompiledBot
from league.games.regenwormen.kernels import can_steal
from league.games.regenwormen.rows import DICE, FACES, ROLL, STEAL, STOP, TAKE
from league.games.regenwormen.tiles import highest, value, worms
from league.kernels import kernel

TOTALS = 5 * DICE + 1
ALL_FACES = (1 << FACES) - 1
WORM_BIT = 1 << (FACES - 1)
NEAR = 1e-9
"""Differences below this are rounding; the last of equal actions is chosen."""


def rolls(faces: int, dice: int) -> list[tuple[tuple[int, ...], float]]:
    """All rolls as counts of so many new faces, the rest lumped together, and their chances."""
    found = []
    for counts in itertools.product(range(dice + 1), repeat=faces):
        rest = dice - sum(counts)
        if rest >= 0:
            ways = math.factorial(dice) // math.prod(map(math.factorial, (*counts, rest)))
            found.append((counts, ways * (FACES - faces) ** rest / FACES**dice))
    return found


_ROLLS = [[rolls(faces, dice) for dice in range(DICE)] for faces in range(FACES)]
_FLAT = [roll for of_faces in _ROLLS for of_dice in of_faces for roll in of_dice]
WIDTH = DICE + 1
PLACES = np.array(
    [
        [face * WIDTH + count for face, count in enumerate((counts + (0,) * FACES)[: FACES - 1])]
        for counts, _ in _FLAT
    ],
    np.uint8,
)
"""For every roll, where the five (or fewer) new faces of it stand in the values after a keep."""
CHANCES = np.array([chance for _, chance in _FLAT])
ENDS = np.cumsum([len(of_dice) for of_faces in _ROLLS for of_dice in of_faces]).reshape(FACES, DICE)
"""Where the rolls of so many new faces and dice end in `PLACES` and `CHANCES`; they start where the ones before end."""


@kernel
def stopping_values(view: Any, failure: Any) -> Any:
    """By total: the value of the best tile that it takes with a worm, the failure where there is none."""
    values = np.full(TOTALS, failure)
    for total in range(TOTALS):
        tile = highest(view.open_tiles, total)
        if can_steal(view, view.seat, total):
            values[total] = worms(total) * (1 + 1 / (view.seats - 1))
        elif tile > 0:
            values[total] = worms(tile)
    return values


@kernel
def failure_value(view: Any) -> Any:
    """What failing costs: the top tile."""
    tile = view.tops[view.seat]
    return -float(worms(tile)) if tile > 0 else 0.0


@kernel
def rolling_value(rolling: Any, stopping: Any, kept: Any, dice: Any, total: Any, failure: Any) -> Any:
    """The mean over all rolls of the best keep, from what is known of states with more faces kept."""
    after = np.full(FACES * WIDTH, failure)
    faces = 0
    for face in range(FACES):
        mask = kept | (1 << face)
        if mask == kept:
            continue
        for count in range(1, dice + 1):
            reached = total + count * value(face + 1)
            found = rolling[mask, dice - count, reached]
            if mask & WORM_BIT:
                found = max(found, stopping[reached])
            after[faces * WIDTH + count] = found
        faces += 1
    mean = 0.0
    for roll in range(ENDS[faces, dice - 1], ENDS[faces, dice]):
        best = failure
        for face in range(FACES - 1):
            found = after[PLACES[roll, face]]
            best = found if found > best else best
        mean += CHANCES[roll] * best
    return mean


@kernel
def solve_mask(rolling: Any, stopping: Any, view: Any, added: Any, kept: Any, failure: Any) -> None:
    """Solve all states of a turn in which the faces `added` are kept besides those that are kept already."""
    least, lowest, most = 0, 5, 1
    faces = 0
    for face in range(FACES):
        if added >> face & 1:
            faces += 1
            least += value(face + 1)
            lowest = min(lowest, value(face + 1))
            most = max(most, value(face + 1))
    for dice in range(view.dice_left - faces + 1):
        spare = view.dice_left - faces - dice
        base = view.total + least
        for total in range(base + spare * lowest, base + spare * most + 1):
            if dice == 0 or kept == ALL_FACES:
                rolling[kept, dice, total] = failure
            else:
                rolling[kept, dice, total] = rolling_value(rolling, stopping, kept, dice, total, failure)


@kernel
def solve(view: Any, stopping: Any, failure: Any) -> Any:
    """The value of rolling on by faces kept, dice left and total, for every state that may follow."""
    rolling = np.empty((ALL_FACES + 1, DICE + 1, TOTALS))
    already = 0
    for face in range(FACES):
        if view.kept[face] > 0:
            already |= 1 << face
    for kept in range(ALL_FACES, already, -1):
        if kept & already == already:
            solve_mask(rolling, stopping, view, kept ^ already, kept, failure)
    return rolling, already


class CompiledOptimiser(CompiledBot):
    """Plays every turn for the most worms that it can bring on average, exactly; compiled.

    A tile counts its worms, a stolen one also what the others lose on average; failing costs the top tile.
    """

    game = "regenwormen"

    @staticmethod
    def choose(view: Any, action: Any, seed: Any, options: Any) -> None:
        """Take the best action, the last among equals."""
        failure = failure_value(view)
        stopping = stopping_values(view, failure)
        rolling, already = solve(view, stopping, failure)
        best = failure - 1
        for face in range(1, FACES + 1):
            count = view.dice[face - 1]
            total = view.total + count * value(face)
            for then in range(ROLL, STOP + 1):
                if view.legal[face - 1] & (1 << then) == 0:
                    continue
                worth = failure
                if then == ROLL:
                    worth = rolling[already | 1 << (face - 1), view.dice_left - count, total]
                elif then == STEAL:
                    worth = stopping[total]
                elif then == TAKE:
                    worth = float(worms(highest(view.open_tiles, total)))
                if worth >= best - NEAR:
                    best = max(best, worth)
                    action.face = face
                    action.then = then
                    action.tile = highest(view.open_tiles, total) if then == TAKE and view.any_below else 0

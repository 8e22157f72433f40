"""The known numbers of the game: the exact ones exactly, the simulated ones within four standard errors."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

from league.games.regenwormen import Regenwormen, worms
from league.games.regenwormen.rolls import faces_of_roll, has_new_face, look_at_roll
from league.games.regenwormen.rows import DICE, FACES
from tests.games.regenwormen.turn_tree import Reward, TurnTree, rolls

AT_LEAST = {21: 0.893026737151, 25: 0.680330711180, 30: 0.263789519465, 36: 0.0156781451939}
EXACTLY = {21: 0.439596789623, 25: 0.336480983700, 30: 0.135642083827, 36: 0.00923597273847}
MOST_WORMS, MOST_WORMS_AT_RISK = 1.64472967404, 1.43542843099
STATES = 1939


def _reaches(wanted: int, total: int, tile: int) -> float:
    return float(total >= wanted)


def _hits(wanted: int, total: int, tile: int) -> float:
    return float(total == wanted)


def _worms(total: int, tile: int) -> float:
    return worms(tile)


@cache
def solved() -> tuple[list[float], int]:
    """The best value of each goal in the order of the tables above, and how many states a turn has."""
    rewards: list[Reward] = [partial(goal, tile) for goal in (_reaches, _hits) for tile in AT_LEAST]
    tree = TurnTree([*rewards, _worms, _worms], [0.0] * (len(rewards) + 1) + [-1.0])
    return tree.best().tolist(), len(tree.known)


def test_best_play_for_a_goal() -> None:
    known = [*AT_LEAST.values(), *EXACTLY.values(), MOST_WORMS, MOST_WORMS_AT_RISK]
    assert solved()[0] == pytest.approx(known, rel=1e-11)


def test_states_of_a_turn() -> None:
    assert solved()[1] == STATES


@pytest.mark.parametrize(("kept", "dice"), [(m, k) for m in range(1, 6) for k in range(1, 9 - m)])
def test_chance_of_no_new_face(kept: int, dice: int) -> None:
    state = Regenwormen().start(0)[0]
    state["kept"][:kept] = 1
    failing = Fraction(0)
    for counts in itertools.product(range(dice + 1), repeat=FACES):
        if sum(counts) == dice:
            state["dice"] = counts
            look_at_roll(state)
            ways = math.factorial(dice) // math.prod(map(math.factorial, counts))
            failing += 0 if has_new_face(state) else Fraction(ways, FACES**dice)
    assert failing == Fraction(kept, FACES) ** dice


def test_chances_of_rolls_add_up() -> None:
    for dice in range(1, DICE + 1):
        assert math.fsum(chance for chance, _ in rolls(dice)) == pytest.approx(1, abs=1e-12)


@pytest.mark.parametrize("kept", range(6))
def test_dice_are_fair_and_independent(kept: int) -> None:
    """Every face of every die, and every pair of neighbouring dice, as often as they should come."""
    state = Regenwormen().start(0)[0]
    state["faces_kept"] = kept
    deals, turns = 60, 50
    thrown = np.empty((deals * turns, DICE), np.int64)
    for index in range(deals * turns):
        state["deal"], state["turn"] = np.uint64(index % deals), index // deals
        dice = int(faces_of_roll(state)).to_bytes(DICE, "little")
        thrown[index] = [face + 1 for face in dice]
    count = len(thrown)
    for die in range(DICE):
        counted = Counter(thrown[:, die].tolist())
        assert chi_squared(counted, range(1, 7), count) < 5 + 4 * math.sqrt(2 * 5)
        pairs = Counter(zip(thrown[:, die].tolist(), np.roll(thrown, 1)[:, die].tolist(), strict=True))
        both = itertools.product(range(1, 7), repeat=2)
        assert chi_squared(pairs, both, count) < 35 + 4 * math.sqrt(2 * 35)


def chi_squared(found: Counter[Any], outcomes: Iterable[Any], count: int) -> float:
    """How far counts are from even ones; its mean is the degrees of freedom, its variance twice that."""
    wanted = list(outcomes)
    even = count / len(wanted)
    return sum((found[outcome] - even) ** 2 / even for outcome in wanted)

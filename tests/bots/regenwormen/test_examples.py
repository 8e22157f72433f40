"""The example bots of Regenwormen do what they say: known numbers, compiled twins, an order of strength."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bots.regenwormen import optimiser
from bots.regenwormen.highest_face import HighestFace
from league.games.regenwormen import GAME, worms
from league.games.regenwormen.rows import DICE
from league.kernels import Row, own
from league.roster.find import find_bot
from tests.bots.contract import actions_by_match, play_alone, share
from tests.games.regenwormen.positions import ALL

ONE_TURN = (0.824268077694, 1.09302103702)
"""How often `highest_face` gets a tile in one turn on a fresh row, and the worms it takes on average."""
TURNS, TURNS_ERROR = 27.93, 0.01
"""Turns of a two-seat match of two of them, and the standard error of that number."""


def expect(bot: HighestFace, state: Row, known: dict[tuple[int, ...], np.ndarray]) -> np.ndarray:
    """The chance of a tile and the mean worms from a state whose dice are about to be rolled."""
    key = (*(int(count > 0) for count in state["kept"]), int(state["dice_left"]), int(state["total"]))
    if key not in known:
        new = np.flatnonzero(state["kept"] == 0)
        counts, chances = optimiser.rolls(len(new), int(state["dice_left"]))
        known[key] = np.zeros(2)
        for roll, chance in zip(counts, chances, strict=True):
            if chance:
                dice = np.zeros(6, np.int64)
                dice[new] = roll
                known[key] += chance * expect_roll(bot, state, dice, known)
    return known[key]


def expect_roll(
    bot: HighestFace, state: Row, dice: np.ndarray, known: dict[tuple[int, ...], np.ndarray]
) -> np.ndarray:
    """The same for one roll; dice of faces kept before may be left out, for nothing comes of them."""
    from league.games.regenwormen import kernels, rolls

    game, after = GAME(2), own(state)
    after["dice"] = dice
    rolls.look_at_roll(after)
    if not rolls.has_new_face(after):
        return np.zeros(2)
    keep = bot.choose(game.view(after))  # type: ignore[arg-type]
    kernels.keep(after, keep.face)
    if keep.then == "take":
        return np.array([1, worms(min(int(after["total"]), ALL[-1]))])
    return np.zeros(2) if kernels.is_over(after) else expect(bot, after, known)


def test_one_turn_of_highest_face() -> None:
    state = GAME(2).start(0)[0]
    state["dice"] = 0
    assert expect(HighestFace(), state, {}) == pytest.approx(ONE_TURN, rel=1e-11)


def test_turns_of_a_match_of_highest_face() -> None:
    played = play_alone(GAME(2), find_bot("compiled_highest_face", "regenwormen"), 20_000, seed=1)
    error = math.hypot(TURNS_ERROR, played.turns.std() / math.sqrt(len(played.turns)))
    assert abs(played.turns.mean() - TURNS) < 4 * error


def test_optimiser_knows_what_a_turn_is_worth() -> None:
    """Failing for nothing, and failing for a worm."""
    rewards = optimiser.rewards_of(tuple(ALL), (0, 0), 2.0)
    for failure, worth in ((0.0, 1.64472967404), (-1.0, 1.43542843099)):
        rolling = optimiser.solve(rewards, failure)
        counts, chances = optimiser.rolls(6, DICE)
        numbers = optimiser.tree().numbers
        known = {
            (face, count): _after(rewards, rolling, numbers, face, count)
            for face in range(1, 7)
            for count in range(1, DICE + 1)
        }
        best = [
            max((known[face, count] for face, count in enumerate(roll, start=1) if count), default=0.0)
            for roll in counts
        ]
        assert np.dot(best, chances) == pytest.approx(worth, rel=1e-11)


def _after(
    rewards: tuple[float, ...],
    rolling: np.ndarray,
    numbers: dict[optimiser.State, int],
    face: int,
    count: int,
) -> float:
    state = optimiser.after_keep((0, DICE, 0), face, count)
    stop = rewards[state[2]] if face == 6 else -math.inf
    return max(float(rolling[numbers[state]]), stop)


@pytest.mark.parametrize("name", ["highest_face", "optimiser"])
def test_compiled_twins_play_alike(name: str) -> None:
    for seats, options in ((2, {}), (4, {"lower_choice": "any_below"}), (3, {"stop_without_tile": "fail"})):
        game = GAME(seats, options)
        python, compiled = (
            actions_by_match(play_alone(game, find_bot(prefix + name, "regenwormen"), 6, seed=2))
            for prefix in ("", "compiled_")
        )
        assert python == compiled


@pytest.mark.parametrize(
    ("better", "worse", "least"),
    [
        ("highest_face", "random", 0.85),
        ("worm_first", "random", 0.85),
        ("odds", "most_points", 0.55),
        ("compiled_optimiser", "most_points", 0.68),
        ("monte_carlo", "most_points", 0.65),
    ],
)
def test_order_of_strength(better: str, worse: str, least: float) -> None:
    assert share(GAME(2), better, worse, 150) > least

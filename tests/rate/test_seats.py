from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from league.rate import Columns, Floats
from league.rate.calibration import ModelGame
from league.rate.resamples import Resamples
from league.rate.seats import NullTest, Seats, null_test, seat_effect
from tests.rate.leagues import columns, competition_ranks, tally_of


def drawn(league: Columns, bots: int) -> Resamples:
    found = Resamples(bots, league.bots.shape[1], 1, 400)
    found.fold(league)
    return found


def effect(league: Columns, bots: int = 6) -> Seats:
    return seat_effect(tally_of(league, bots), drawn(league, bots))


def null(league: Columns, bots: int = 6) -> NullTest:
    return null_test(tally_of(league, bots), drawn(league, bots))


def unequal_seats(bonus: Floats, sets: int, seed: int, skills: Floats | None = None) -> Columns:
    """Four bots in four seats that are worth `bonus`."""
    seated = np.array([np.roll(np.arange(4), turn) for turn in range(4)] * sets)
    rng = np.random.default_rng(seed)
    played = bonus + (np.zeros(4) if skills is None else skills)[seated] + rng.standard_normal(seated.shape)
    return Columns(seated, competition_ranks(-played), np.repeat(np.arange(sets), 4))


@given(columns())
def test_any_league_has_finite_seats_that_share_the_points(league: Columns) -> None:
    found = null(league)
    assert found.seats.score.mean() == pytest.approx(0.5)
    assert (found.seats.low <= found.seats.score).all()
    assert (found.seats.score <= found.seats.high).all()
    assert 0 <= found.seats.chance <= 1
    assert 0 <= found.copies_chance <= 1
    assert np.isfinite(found.score).all()


def test_a_better_seat_is_found_with_its_interval() -> None:
    found = effect(unequal_seats(np.array([0.5, 0.0, 0.0, -0.5]), 500, seed=1), 4)
    assert found.low[0] > 0.5 > found.high[3]
    assert found.low[1] < 0.5 < found.high[1]
    assert found.chance < 1e-6


def test_strength_does_not_look_like_a_seat_and_fair_seats_pass() -> None:
    skills = np.array([2.0, 0.0, -1.0, 0.0])
    chances = [effect(unequal_seats(np.zeros(4), 60, seed, skills), 4).chance for seed in range(40)]
    assert sum(chance < 0.05 for chance in chances) <= 6
    assert min(chances) > 1e-4


def test_copies_of_one_bot_pass_and_a_favoured_copy_does_not() -> None:
    chances = [
        null(ModelGame(np.zeros(5), 3, luck=0.5).play(200, seed), 5).copies_chance for seed in range(40)
    ]
    assert sum(chance < 0.05 for chance in chances) <= 6
    assert min(chances) > 1e-4
    assert null(ModelGame(np.array([0.4, 0, 0, 0, 0]), 3).play(300, 1), 5).copies_chance < 1e-4


def test_deterministic_copies_are_exactly_even() -> None:
    first_seat_wins = Columns(np.array([[0, 1], [1, 0]] * 30), np.array([[0, 1]] * 60), np.arange(60) // 2)
    found = null(first_seat_wins, 2)
    assert found.copies_chance == 1
    assert found.seats.score.tolist() == [1, 0]
    assert found.seats.low[0] > 0.8
    assert found.seats.chance == 0
    one_copy_wins = Columns(
        np.array([[0, 1], [1, 0]] * 30), np.array([[0, 1], [1, 0]] * 30), np.arange(60) // 2
    )
    assert null(one_copy_wins, 2).copies_chance < 1e-6

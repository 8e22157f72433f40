from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.rate import Columns
from league.rate.calibration import ModelGame
from league.rate.resamples import Resamples
from tests.rate.leagues import columns, tally_of

PARTS = ("points", "met", "seat_points", "matches")


def resampled(league: Columns, bots: int = 6, size: int = 16, seed: int = 1) -> Resamples:
    drawn = Resamples(bots, league.bots.shape[1], seed, size)
    drawn.fold(league)
    return drawn


@given(columns(), st.data())
def test_neither_order_nor_chunks_matter(league: Columns, data: st.DataObject) -> None:
    order = np.array(data.draw(st.permutations(range(len(league)))), int)
    cut = data.draw(st.integers(0, len(league)))
    whole = resampled(league)
    shuffled = resampled(league[order])
    halves = resampled(league[:cut])
    halves.fold(league[cut:])
    for part in PARTS:
        np.testing.assert_array_equal(getattr(shuffled, part), getattr(whole, part))
        np.testing.assert_array_equal(getattr(halves, part), getattr(whole, part))


@given(columns(most=21))
def test_every_resample_is_the_league_with_mirror_sets_drawn_whole(league: Columns) -> None:
    seats = league.bots.shape[1]
    drawn = resampled(league)
    upper = np.triu_indices(6, 1)
    points, met, matches = np.zeros((15, 16), int), np.zeros((15, 16), int), np.zeros(16, int)
    for begin in range(0, len(league), seats):
        one_set = league[begin : begin + seats]
        weights = resampled(one_set).matches // seats
        pairs = tally_of(one_set).pairs()
        points += np.outer((2 * pairs.wins + pairs.ties)[upper], weights)
        met += np.outer(pairs.matches[upper], weights)
        matches += seats * weights
    np.testing.assert_array_equal(drawn.points, points)
    np.testing.assert_array_equal(drawn.met, met)
    np.testing.assert_array_equal(drawn.matches, matches)
    np.testing.assert_array_equal(drawn.seat_points.sum(axis=0), seats * (seats - 1) * matches)


def test_numbers_drawn_are_poisson_and_independent() -> None:
    league = Columns(np.array([[0, 1]] * 2000), np.array([[0, 1]] * 2000), np.arange(2000))
    drawn = np.array([resampled(league[k : k + 1], 2, 400).matches for k in range(2000)])
    assert drawn.mean() == pytest.approx(1, abs=5 / np.sqrt(drawn.size))
    assert drawn.var() == pytest.approx(1, abs=0.01)
    assert [(drawn == k).mean() for k in range(4)] == pytest.approx(
        [0.3679, 0.3679, 0.1839, 0.0613], abs=0.003
    )
    assert np.abs(np.corrcoef(drawn.T) - np.eye(400)).max() < 6 / np.sqrt(2000)
    assert (resampled(league, 2, 400, seed=2).matches != resampled(league, 2, 400).matches).any()


def test_luck_that_mirror_sets_cancel_leaves_no_variance() -> None:
    league = Columns(np.array([[0, 1], [1, 0]] * 50), np.array([[0, 1]] * 100), np.repeat(np.arange(50), 2))
    drawn = resampled(league, 2)
    np.testing.assert_array_equal(drawn.points, drawn.met)  # the first seat always wins: every set is even


def test_memory_does_not_grow_and_odd_sizes_are_refused() -> None:
    game = ModelGame(np.zeros(5), 4)
    drawn = resampled(game.play(10, 1), 5)
    before = sum(getattr(drawn, part).nbytes for part in PARTS)
    drawn.fold(game.play(3000, 2))
    assert sum(getattr(drawn, part).nbytes for part in PARTS) == before
    with pytest.raises(ValueError, match="multiple of 4"):
        Resamples(2, 2, 1, 10)

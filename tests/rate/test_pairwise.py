from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from league.rate import Columns
from league.rate.calibration import ModelGame
from league.rate.fit import Fit
from league.rate.pairwise import Pairwise, cycles, pairwise
from league.rate.resamples import Resamples
from league.rate.tally import Tally
from league.rate.trueskill import Parameters
from league.rate.trueskill_batch import fit
from tests.rate.leagues import columns, matches, tally_of


def measured(league: Columns, bots: int = 6) -> tuple[Fit, Tally, Resamples]:
    tally, drawn = tally_of(league, bots), Resamples(bots, league.bots.shape[1], 1, 400)
    drawn.fold(league)
    return fit(tally, Parameters(backend="exact")), tally, drawn


def compared(league: Columns, bots: int = 6) -> Pairwise:
    return pairwise(*measured(league, bots))


@given(columns())
def test_both_sides_of_a_pair_say_the_same_and_all_is_finite(league: Columns) -> None:
    found = compared(league)
    np.testing.assert_allclose(found.score + found.score.T, 1)
    np.testing.assert_allclose(found.low + found.high.T, 1, atol=1e-9)
    np.testing.assert_allclose(found.superiority + found.superiority.T, 1, atol=1e-9)
    np.testing.assert_allclose(found.expected + found.expected.T, 1, atol=1e-9)
    assert np.isfinite(found.surprise).all()
    assert (
        (found.low >= 0) & (found.low <= found.score) & (found.score <= found.high) & (found.high <= 1)
    ).all()
    unmet = found.pairs.matches == 0
    assert (found.low[unmet] == 0).all()
    assert (found.high[unmet] == 1).all()
    cycles(found)


def test_scores_without_mirrors_have_the_textbook_interval() -> None:
    found = compared(matches(([0, 1], [0, 1], 600), ([0, 1], [1, 0], 400)), 2)
    # Two matches are counted as one set here, which does not matter: the variance comes from the resamples.
    half = 1.96 * np.sqrt(0.6 * 0.4 / 1000)
    assert found.low[0, 1] == pytest.approx(0.6 - half, abs=0.003)
    assert found.high[0, 1] == pytest.approx(0.6 + half, abs=0.003)
    assert found.superiority[0, 1] > 0.9999


@pytest.mark.parametrize("sets", [5, 30, 1000])
def test_a_perfect_score_is_not_certain(sets: int) -> None:
    league = Columns(
        np.array([[0, 1], [1, 0]] * sets), np.array([[0, 1], [1, 0]] * sets), np.arange(2 * sets) // 2
    )
    found = compared(league, 2)
    assert found.high[0, 1] == pytest.approx(1)
    assert found.low[0, 1] == pytest.approx(1 / (1 + 1.96**2 / sets), rel=0.25)
    assert 1 - found.superiority[0, 1] == pytest.approx(2.0 ** -(sets + 1), abs=0.01)


def test_rock_paper_scissors_is_found_and_named() -> None:
    wins = [([0, 2], [0, 1], 70), ([2, 5], [0, 1], 70), ([0, 5], [1, 0], 70)]
    losses = [(bots, ranks[::-1], 30) for bots, ranks, _ in wins]
    found = cycles(compared(matches(*wins, *losses)))
    assert [cycle.bots for cycle in found] == [(0, 2, 5)]
    assert found[0].chance < 0.05
    turned = cycles(compared(matches(*((bots, ranks[::-1], count) for bots, ranks, count in wins))))
    assert [cycle.bots for cycle in turned] == [(0, 5, 2)]


def test_luck_makes_no_cycles() -> None:
    equal = [compared(ModelGame(np.zeros(6), 2).play(300, seed)) for seed in range(40)]
    assert sum(bool(cycles(found)) for found in equal) <= 4
    assert any((np.triu(found.score > 0.5, 1).sum(axis=1) != np.arange(5, -1, -1)).any() for found in equal)


def test_surprise_is_standard_normal_where_the_model_holds() -> None:
    upper = np.triu_indices(6, 1)
    league = ModelGame(np.linspace(0, 1, 6), 2, margin=0.35)
    surprises = np.concatenate([compared(league.play(600, seed)).surprise[upper] for seed in range(30)])
    assert np.mean(surprises) == pytest.approx(0, abs=0.2)
    assert 0.7 < np.std(surprises) < 1.15

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from league.rate import Columns
from league.rate.calibration import ModelGame
from league.rate.plackett_luce import fit
from league.rate.tally import Tally
from tests.rate.leagues import columns, matches, tally_of


def log_chance(ratings: Any, log_delta: dict[int, float], ranks: Any) -> float:
    """Log-probability of one outcome, written down as the model says it."""
    total = 0.0
    for rank in sorted(set(ranks)):
        left = [i for i, r in enumerate(ranks) if r >= rank]
        if len(left) == 1:
            continue
        group = [i for i in left if ranks[i] == rank]
        weights = [
            log_delta[size] + np.mean([ratings[i] for i in chosen])
            for size in log_delta
            for chosen in itertools.combinations(left, size)
        ]
        total += log_delta[len(group)] + np.mean([ratings[i] for i in group]) - np.logaddexp.reduce(weights)
    return float(total)


def test_the_model_is_a_distribution_over_all_rankings_with_ties() -> None:
    ratings, log_delta = [0.3, -0.7, 1.1, 0.0], {1: 0.0, 2: -0.4, 3: 0.2, 4: -1.0}
    rankings = {
        tuple(sum(x < y for x in levels) for y in levels) for levels in itertools.product(range(4), repeat=4)
    }
    assert len(rankings) == 75
    assert sum(np.exp(log_chance(ratings, log_delta, ranks)) for ranks in rankings) == pytest.approx(1)


def penalised(at: Any, league: Columns, sizes: list[int]) -> float:
    log_delta = {1: 0.0, **dict(zip(sizes, at[4:], strict=True))}
    chances = (
        log_chance(at[bots], log_delta, ranks) for bots, ranks in zip(league.bots, league.ranks, strict=True)
    )
    return -sum(chances) + 0.5 * float(np.logaddexp(0, at).sum() + np.logaddexp(0, -at).sum())


@pytest.mark.parametrize("seed", range(4))
def test_it_finds_the_maximum_that_an_optimiser_finds(seed: int) -> None:
    game = ModelGame(np.array([0.0, 0.5, 1.0, 1.2]), 3, margin=0.3 * (seed % 2))
    league = game.play(8, seed)
    sizes = [
        size for size in (2, 3) if any((row == r).sum() == size for row in league.ranks for r in range(3))
    ]
    best = minimize(
        penalised, np.zeros(4 + len(sizes)), (league, sizes), method="BFGS", options={"gtol": 1e-9}
    )
    fitted = fit(tally_of(league, 4))
    np.testing.assert_allclose(fitted.mu, best.x[:4], atol=1e-5)


def test_two_bots_are_bradley_terry() -> None:
    fitted = fit(tally_of(matches(([0, 1], [0, 1], 3000), ([0, 1], [1, 0], 1000)), 2))
    assert fitted.mu[0] - fitted.mu[1] == pytest.approx(np.log(3), abs=0.002)
    assert fitted.expected[0, 1] == pytest.approx(0.75, abs=0.001)
    assert fitted.covariance @ [1, -1] @ [1, -1] == pytest.approx(1 / (4000 * 0.75 * 0.25), rel=0.01)


@given(columns(), st.data())
def test_shuffling_and_relabelling_change_nothing(league: Columns, data: st.DataObject) -> None:
    order = np.array(data.draw(st.permutations(range(len(league)))), int)
    names = np.array(data.draw(st.permutations(range(6))), int)
    before = fit(tally_of(league))
    np.testing.assert_array_equal(fit(tally_of(league[order])).mu, before.mu)
    renamed = fit(tally_of(Columns(names[league.bots], league.ranks, league.deals)))
    np.testing.assert_allclose(renamed.mu[names], before.mu, atol=1e-9)


@given(columns())
def test_everything_is_finite_and_the_slope_is_the_ghosts(league: Columns) -> None:
    tally = tally_of(league)
    fitted, outcomes = fit(tally), tally.outcomes()
    slope = 0.5 - 1 / (1 + np.exp(-fitted.mu))
    np.add.at(slope, outcomes.bots, outcomes.counts[:, None] * fitted.gradients)
    np.testing.assert_allclose(slope, 0, atol=1e-8)
    for array in (fitted.mu, fitted.covariance, fitted.expected, fitted.slope, fitted.estimate().sigma):
        assert np.isfinite(array).all()
    np.testing.assert_allclose(fitted.expected + fitted.expected.T, 1)


@pytest.mark.parametrize("ranks", [[0, 1, 2, 3], [0, 0, 0, 0], [0, 1, 1, 1]])
def test_perfect_scores_and_all_ties_are_finite(ranks: list[int]) -> None:
    tally = Tally(5, 4)
    tally._table.add(np.array([[0, 1, 2, 3]]), np.array([ranks]), np.array([10_000_000]))
    estimate = fit(tally).estimate()
    assert np.isfinite([estimate.mu, estimate.sigma]).all()
    assert np.sign(np.round(-np.diff(estimate.mu[:4]), 6)).tolist() == np.sign(np.diff(ranks)).tolist()


def test_a_large_league_has_the_true_order() -> None:
    game = ModelGame(np.array([0.0, 0.3, 0.6, 0.9, 1.2, 1.5]), 4)
    tally = Tally(6, 4)
    tally.fold(game.play(3000, seed=5))
    assert np.diff(fit(tally).mu).min() > 0

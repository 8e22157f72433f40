from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from league.rate import Columns
from league.rate.calibration import ModelGame
from league.rate.tally import Tally
from league.rate.trueskill import Online, Parameters
from league.rate.trueskill_batch import fit
from tests.rate.leagues import columns, matches, tally_of

PARAMETERS = Parameters(draw_probability=0.15, backend="exact")
BETA, SIGMA, MARGIN = PARAMETERS.beta, PARAMETERS.sigma, PARAMETERS.margin


def test_one_match_of_two_is_the_online_update() -> None:
    for ranks in ([0, 1], [0, 0]):
        league = matches(([0, 1], ranks, 1))
        online = Online.start(2, PARAMETERS)
        online.fold(league)
        fitted = fit(tally_of(league, 2), PARAMETERS)
        np.testing.assert_allclose(fitted.mu, online.mu, atol=1e-8)
        np.testing.assert_allclose(np.sqrt(np.diag(fitted.covariance)), online.sigma, atol=1e-8)


@pytest.mark.parametrize("counts", [(1, 0, 0), (0, 5, 0), (2, 1, 1), (30, 10, 20), (3000, 500, 1000)])
def test_two_bots_equal_the_exact_posterior(counts: tuple[int, int, int]) -> None:
    """Mean of the difference within 0.1 % of its standard deviation, which is within 0.1 % itself."""
    assert_equal_to_exact(counts, 0.001, 0.001)


@pytest.mark.parametrize("counts", [(3, 0, 0), (0, 0, 5), (10, 0, 0), (40, 0, 0)])
def test_perfect_scores_of_two_are_near_the_exact_posterior(counts: tuple[int, int, int]) -> None:
    """There the posterior is skewed, and a normal comes within 10 % of a deviation and 16 % of its size."""
    assert_equal_to_exact(counts, 0.1, 0.16)


def assert_equal_to_exact(counts: tuple[int, int, int], of_mean: float, of_deviation: float) -> None:
    wins, ties, losses = counts
    league = matches(([0, 1], [0, 1], wins), ([0, 1], [0, 0], ties), ([0, 1], [1, 0], losses))
    fitted = fit(tally_of(league, 2), PARAMETERS)
    gap = np.linspace(-60, 60, 400_001)
    spread = math.sqrt(2) * BETA
    win, loss = ndtr((gap - MARGIN) / spread), ndtr((-gap - MARGIN) / spread)
    tie = np.maximum(1 - win - loss, 1e-300)
    log = -(gap**2) / (4 * SIGMA**2) + wins * np.log(win) + ties * np.log(tie) + losses * np.log(loss)
    mass = np.exp(log - log.max())
    mean = (gap * mass).sum() / mass.sum()
    deviation = math.sqrt(((gap - mean) ** 2 * mass).sum() / mass.sum())
    found = math.sqrt(fitted.covariance[0, 0] + fitted.covariance[1, 1] - 2 * fitted.covariance[0, 1])
    assert fitted.mu[0] - fitted.mu[1] == pytest.approx(mean, abs=of_mean * deviation)
    assert found == pytest.approx(deviation, rel=of_deviation)
    assert fitted.mu.mean() == pytest.approx(25, abs=1e-6)
    assert fitted.covariance.sum() == pytest.approx(2 * SIGMA**2, rel=1e-6)  # the sum of skills stays unknown


def chance_of_three(first: Any, second: Any, ranks: list[int]) -> Any:
    """Chance of `ranks` where bot 0 is `first` above bot 1 and bot 1 `second` above bot 2, by integration."""
    limits = []
    for one, other in ((0, 1), (1, 2), (0, 2)):
        low, high = -math.inf, math.inf
        between = any(min(ranks[one], ranks[other]) < r < max(ranks[one], ranks[other]) for r in ranks)
        if ranks[one] == ranks[other]:
            low, high = -MARGIN, MARGIN
        elif not between:
            low, high = (MARGIN, np.inf) if ranks[one] < ranks[other] else (-np.inf, -MARGIN)
        limits.append((low, high))
    nodes, weights = np.polynomial.legendre.leggauss(160)
    bottom, top = (max(min(x, 80), -80) for x in limits[1])
    y = (bottom + top) / 2 + (top - bottom) / 2 * nodes
    variance = 2 * BETA**2
    density = np.exp(-((y - second[..., None]) ** 2) / (2 * variance)) / math.sqrt(2 * math.pi * variance)
    mean = first[..., None] - (y - second[..., None]) / 2
    deviation = math.sqrt(1.5) * BETA
    bottoms, tops = np.maximum(limits[0][0], limits[2][0] - y), np.minimum(limits[0][1], limits[2][1] - y)
    inside = np.maximum(ndtr((tops - mean) / deviation) - ndtr((bottoms - mean) / deviation), 0)
    return np.maximum((density * inside) @ weights * (top - bottom) / 2, 1e-300)


@pytest.mark.parametrize(
    "outcomes",
    [
        [([0, 1, 2], 1)],
        [([0, 1, 2], 3), ([1, 0, 2], 1)],
        [([0, 1, 1], 2), ([0, 1, 2], 1)],
        [([0, 0, 2], 2), ([2, 1, 0], 1), ([0, 0, 0], 1)],
        [([0, 1, 2], 20), ([0, 2, 1], 10), ([1, 0, 2], 12), ([0, 1, 1], 5)],
    ],
)
def test_three_bots_equal_the_exact_posterior(outcomes: list[tuple[list[int], int]]) -> None:
    """Means of differences within 7 % of their standard deviation, deviations within 9 %."""
    league = matches(*(([0, 1, 2], ranks, count) for ranks, count in outcomes))
    fitted = fit(tally_of(league, 3), PARAMETERS)
    axis = np.linspace(-32, 32, 129)
    first, second = np.meshgrid(axis, axis, indexing="ij")
    precision = np.linalg.inv(SIGMA**2 * np.array([[2.0, -1.0], [-1.0, 2.0]]))
    at = np.stack([first, second])
    log = -0.5 * np.einsum("iab,ij,jab->ab", at, precision, at)
    for ranks, count in outcomes:
        log = log + count * np.log(chance_of_three(first, second, ranks))
    mass = np.exp(log - log.max())
    mass /= mass.sum()
    for gap, (one, other) in ((first, (0, 1)), (second, (1, 2)), (first + second, (0, 2))):
        mean = (gap * mass).sum()
        deviation = math.sqrt((((gap - mean) ** 2) * mass).sum())
        contrast = np.zeros(3)
        contrast[[one, other]] = 1, -1
        assert fitted.mu @ contrast == pytest.approx(mean, abs=0.07 * deviation)
        assert math.sqrt(contrast @ fitted.covariance @ contrast) == pytest.approx(deviation, rel=0.09)


@given(columns(), st.data())
def test_shuffling_and_relabelling_change_nothing(league: Columns, data: st.DataObject) -> None:
    order = np.array(data.draw(st.permutations(range(len(league)))), int)
    names = np.array(data.draw(st.permutations(range(6))), int)
    before = fit(tally_of(league), PARAMETERS)
    np.testing.assert_array_equal(fit(tally_of(league[order]), PARAMETERS).mu, before.mu)
    renamed = fit(tally_of(Columns(names[league.bots], league.ranks, league.deals)), PARAMETERS)
    np.testing.assert_allclose(renamed.mu[names], before.mu, atol=1e-9)
    np.testing.assert_allclose(renamed.estimate().sigma[names], before.estimate().sigma, atol=1e-9)


@given(columns())
def test_the_fit_balances_matches_and_prior(league: Columns) -> None:
    tally = tally_of(league)
    fitted, outcomes = fit(tally, PARAMETERS), tally.outcomes()
    slope = (PARAMETERS.mu - fitted.mu) / SIGMA**2
    np.add.at(slope, outcomes.bots, outcomes.counts[:, None] * fitted.gradients)
    np.testing.assert_allclose(slope, 0, atol=1e-8)
    assert (fitted.estimate().sigma > 0).all()
    assert (fitted.estimate().sigma <= SIGMA * (1 + 1e-9)).all()


def test_a_count_is_as_many_matches_and_a_large_league_finds_the_truth() -> None:
    game = ModelGame(np.array([0.0, 0.2, 0.5, 0.9, 1.0, 1.8]), 4)
    fitted = fit(tally_of(game.play(20_000, seed=3)), Parameters(draw_probability=0.0, backend="exact"))
    truth = game.skills * BETA
    error = fitted.mu - fitted.mu.mean() - (truth - truth.mean())
    assert np.abs(error).max() < 4 * fitted.estimate().sigma.max() < 0.15


@pytest.mark.parametrize("draw", [0.0, 0.15])
@pytest.mark.parametrize("count", [1, 1_000_000])
@pytest.mark.parametrize("ranks", [[0, 1, 2, 3], [0, 0, 0, 0], [0, 1, 1, 1], [0, 0, 0, 3]])
def test_perfect_scores_and_all_ties_are_finite(draw: float, count: int, ranks: list[int]) -> None:
    tally = Tally(6, 4)
    for _ in range(min(count, 1000)):
        tally._table.add(np.array([[0, 1, 2, 3]]), np.array([ranks]), np.array([max(count // 1000, 1)]))
    fitted = fit(tally, Parameters(draw_probability=draw, backend="exact"))
    estimate = fitted.estimate()
    assert np.isfinite([estimate.mu, estimate.sigma]).all()
    assert estimate.mu[4] == pytest.approx(25)
    assert estimate.sigma[4] == pytest.approx(SIGMA)
    for better, worse in ((0, 1), (1, 2), (2, 3)):
        if ranks[better] == ranks[worse]:
            assert estimate.mu[better] == pytest.approx(estimate.mu[worse], abs=1e-6)
        else:
            assert estimate.mu[better] > estimate.mu[worse]
    assert fitted.components.tolist() == [0, 0, 0, 0, 4, 5]

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
import trueskill
from hypothesis import given
from hypothesis import strategies as st

from league.rate import Columns
from league.rate.speed import against_package
from league.rate.trueskill import Online, Parameters
from tests.rate.leagues import columns, competition_ranks


def rate_one(ratings: list[tuple[float, float]], ranks: Any, parameters: Parameters) -> Online:
    online = Online.start(len(ratings), parameters)
    online.mu[:], online.sigma[:] = zip(*ratings, strict=True)
    online.fold(Columns(np.arange(len(ratings))[None], np.array([ranks]), np.zeros(1, int)))
    return online


def random_match(rng: random.Random) -> tuple[list[tuple[float, float]], list[int], float]:
    seats = min(rng.randint(2, 7) for _ in range(3))
    ratings = [(rng.gauss(25, 8), rng.uniform(0.3, 8.3)) for _ in range(seats)]
    ranks = competition_ranks([rng.randint(0, seats - 1) for _ in range(seats)]).tolist()
    return ratings, ranks, rng.choice([0.01, 0.05, 0.1, 0.3, 0.7])


def worst_difference(matches: int, backend: Any, parameters: Parameters, seed: int) -> float:
    rng = random.Random(seed)
    worst = 0.0
    for _ in range(matches):
        ratings, ranks, draw = random_match(rng)
        tau = rng.choice([0.0, 0.08])
        package = trueskill.TrueSkill(tau=tau, draw_probability=draw, backend=backend)
        expected = package.rate([(trueskill.Rating(*rating),) for rating in ratings], ranks)
        ours = rate_one(
            ratings, ranks, Parameters(tau=tau, draw_probability=draw, backend=parameters.backend)
        )
        found = zip(expected, ours.mu, ours.sigma, strict=True)
        worst = max(worst, *(max(abs(r.mu - mu), abs(r.sigma - sigma)) for (r,), mu, sigma in found))
    return worst


def test_ten_thousand_updates_equal_the_package() -> None:
    assert worst_difference(10_000, None, Parameters(), seed=1) < 1e-8


def test_the_exact_backend_equals_the_package_with_fifty_digits() -> None:
    assert worst_difference(60, "mpmath", Parameters(backend="exact"), seed=2) < 1e-8


def test_a_long_league_equals_the_package_match_after_match() -> None:
    rng = np.random.default_rng(3)
    bots = np.argsort(rng.random((2000, 9)), axis=1)[:, :4]
    ranks = competition_ranks(rng.integers(0, 5, bots.shape) + bots // 3)
    online = Online.start(9, Parameters(draw_probability=0.2))
    online.fold(Columns(bots, ranks, np.zeros(len(bots), int)))
    package = trueskill.TrueSkill(tau=0, draw_probability=0.2)
    ratings = [package.create_rating() for _ in range(9)]
    for lineup, places in zip(bots, ranks, strict=True):
        for bot, (rating,) in zip(lineup, package.rate([(ratings[b],) for b in lineup], places), strict=True):
            ratings[bot] = rating
    assert online.mu == pytest.approx([rating.mu for rating in ratings], abs=1e-8)
    assert online.sigma == pytest.approx([rating.sigma for rating in ratings], abs=1e-8)


@pytest.mark.parametrize("backend", ["package", "exact"])
@given(data=st.data())
def test_extreme_gaps_stay_finite_and_move_the_right_way(backend: Any, data: st.DataObject) -> None:
    seats = data.draw(st.integers(2, 7))
    skill = st.floats(-1e5, 1e5)
    spread = st.floats(1e-3, 1e3)
    ratings = data.draw(st.lists(st.tuples(skill, spread), min_size=seats, max_size=seats))
    ranks = competition_ranks(data.draw(st.lists(st.integers(0, 3), min_size=seats, max_size=seats)))
    draw = data.draw(st.sampled_from([0.0, 1e-6, 0.1, 0.9]))
    online = rate_one(ratings, ranks, Parameters(draw_probability=draw, backend=backend))
    assert np.isfinite(online.mu).all()
    assert np.isfinite(online.sigma).all()
    assert (online.sigma > 0).all()
    assert (online.sigma <= np.array(ratings)[:, 1] * (1 + 1e-9)).all()


def test_the_package_raises_where_this_is_finite() -> None:
    ratings = [(0.0, 1.0), (500.0, 1.0)]
    with pytest.raises(FloatingPointError):
        trueskill.TrueSkill(tau=0).rate([(trueskill.Rating(*rating),) for rating in ratings], [0, 1])
    online = rate_one(ratings, [0, 1], Parameters())
    # The performances met, and each skill makes its share, sigma^2 / (sigma^2 + beta^2), of the way.
    assert online.mu[1] - online.mu[0] == pytest.approx(500 * (1 - 1 / (1 + (25 / 6) ** 2)), rel=0.01)


def test_ties_for_second_of_four_are_equal_for_equal_bots() -> None:
    online = rate_one([(25.0, 25 / 3)] * 4, [0, 1, 1, 3], Parameters())
    assert online.mu[0] > online.mu[1] > online.mu[3]
    assert online.mu[1] == pytest.approx(online.mu[2], abs=2.0)


@given(columns(), st.data())
def test_chunks_do_not_matter(league: Columns, data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(league)))
    whole, halves = (Online.start(6, Parameters()) for _ in range(2))
    whole.fold(league)
    halves.fold(league[:cut])
    halves.fold(league[cut:])
    np.testing.assert_array_equal(whole.estimate().mu, halves.estimate().mu)
    np.testing.assert_array_equal(whole.estimate().sigma, halves.estimate().sigma)


def test_hundreds_of_times_as_fast_as_the_package_at_four_seats() -> None:
    """More than 300 times where nothing else runs, as `league bench` shows; the suite shares its machine."""
    assert against_package().ratio > 200


def test_bots_out_of_range_are_refused() -> None:
    league = Columns(np.array([[0, 7]]), np.array([[0, 1]]), np.zeros(1, int))
    with pytest.raises(ValueError, match="bots run from 0 to 6"):
        Online.start(7, Parameters()).fold(league)

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.rate.sprt import SetScores, Sprt, compare, elo_of, expected_score, log_likelihood_ratio
from tests.rate.leagues import set_scores_of

set_scores = st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), max_size=60)


@given(set_scores)
def test_everything_is_finite_and_swapping_sides_changes_the_sign(scores: list[float]) -> None:
    one, other = compare(set_scores_of(scores)), compare(set_scores_of(1 - score for score in scores))
    numbers = (one.score, one.score_low, one.score_high, one.elo, one.elo_low, one.elo_high, one.superiority)
    assert all(map(math.isfinite, numbers))
    assert one.elo_low <= one.elo <= one.elo_high
    assert (one.elo, one.elo_low) == pytest.approx((-other.elo, -other.elo_high), abs=1e-6)
    assert one.superiority == pytest.approx(1 - other.superiority)
    verdict, mirrored = (
        Sprt(0, 10).verdict(set_scores_of(scores)),
        Sprt(-10, 0).verdict(set_scores_of(1 - np.array(scores))),
    )
    assert verdict.ratio == pytest.approx(-mirrored.ratio, abs=1e-9)


def test_sets_that_are_won_or_lost_give_the_ratio_of_coins() -> None:
    scores = SetScores(np.array([0.0, 1.0]), np.array([40.0, 60.0]))
    expected = 60 * math.log(0.55 / 0.5) + 40 * math.log(0.45 / 0.5)
    assert log_likelihood_ratio(scores, 0.5, 0.55) == pytest.approx(expected, rel=1e-3)


def test_the_ratio_nears_that_of_the_normal_for_many_sets() -> None:
    scores = SetScores(np.linspace(0, 1, 5), np.array([100.0, 900, 2100, 1000, 150]))
    means, variance = (0.5, 0.51), scores.variance
    expected = scores.sets * (means[1] - means[0]) * (2 * scores.mean - sum(means)) / (2 * variance)
    assert log_likelihood_ratio(scores, *means) == pytest.approx(expected, rel=0.02)


def test_elo_and_score_are_inverse_and_an_even_score_is_zero() -> None:
    assert expected_score(400) == pytest.approx(10 / 11)
    assert elo_of(expected_score(37.5)) == pytest.approx(37.5)
    none = compare(set_scores_of([]))
    assert (none.elo, none.superiority, none.score_low, none.score_high) == pytest.approx((0, 0.5, 0, 1))


def test_the_interval_uses_the_variance_of_sets_not_of_matches() -> None:
    narrow = compare(set_scores_of([0.5] * 150 + [0.75] * 50))
    wide = compare(set_scores_of([0.0] * 87 + [1.0] * 113))
    assert narrow.score == pytest.approx(0.5625)
    assert narrow.superiority > 0.99 > wide.superiority
    half = 1.96 * math.sqrt(0.15 * 0.25 * 0.25 / 200) * 1.1
    assert narrow.score_high - narrow.score_low == pytest.approx(2 * half, rel=0.3)


def test_perfect_and_even_series_decide_and_bad_hypotheses_are_refused() -> None:
    test = Sprt(0, 50, 0.05, 0.05)
    assert test.bounds == pytest.approx((-2.944, 2.944), abs=1e-3)
    assert test.verdict(set_scores_of([])).decision == "undecided"
    assert test.verdict(set_scores_of([1.0] * 60)).decision == "better"
    assert test.verdict(set_scores_of([0.5] * 60)).decision == "not better"
    for wrong in ((5, 5, 0.05, 0.05), (0, 5, 0.0, 0.05), (0, 5, 0.05, 0.7)):
        with pytest.raises(ValueError, match="must be"):
            Sprt(*wrong)


def false_verdicts(elo: float, test: Sprt, runs: int, seed: int) -> tuple[float, float]:
    """Share of runs that end `better`, and mean sets, where mirror sets truly score `elo`."""
    rng = np.random.default_rng(seed)
    support = np.linspace(0, 1, 5)
    chances = np.array([0.1, 0.25, 0.3, 0.25, 0.1])
    shift = (expected_score(elo) - 0.5) / (support @ (chances * (support - 0.5)))
    chances = chances * (1 + shift * (support - 0.5))
    better, used = 0, 0
    for _ in range(runs):
        counts, decision = np.zeros(5), "undecided"
        while decision == "undecided":
            counts[rng.choice(5, p=chances)] += 1
            decision = test.verdict(SetScores(support, counts)).decision
        better += decision == "better"
        used += int(counts.sum())
    return better / runs, used / runs


@pytest.mark.slow
@pytest.mark.parametrize(("alpha", "beta"), [(0.05, 0.05), (0.02, 0.1)])
def test_false_verdicts_are_at_most_alpha_and_beta(alpha: float, beta: float) -> None:
    test, runs = Sprt(0, 40, alpha, beta), 1500
    at_null, _ = false_verdicts(0, test, runs, seed=1)
    at_alternative, sets = false_verdicts(40, test, runs, seed=2)
    assert at_null <= alpha + 3 * math.sqrt(alpha * (1 - alpha) / runs)
    assert 1 - at_alternative <= beta + 3 * math.sqrt(beta * (1 - beta) / runs)
    assert sets < 260  # a test of fixed length with alpha = beta = 0.05 needs about 260

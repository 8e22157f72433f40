"""What a seat is worth, and whether copies of one bot place alike."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc

from league.rate import Floats
from league.rate.pairwise import score_interval, score_variance
from league.rate.resamples import Resamples
from league.rate.tally import Tally

_FLAT = 1e-9  # variance below which a direction of scores counts as certain


@dataclass(frozen=True)
class Seats:
    """The seat effect: scores of seats, a score being the share of points against the other seats.

    Attributes:
        score: `[S]`; one half is fair.
        low: `[S]` lower ends of the intervals from resampled mirror sets.
        high: `[S]` upper ends.
        chance: Likelihood of seats as unequal as these by luck, were all worth the same.
    """

    score: Floats
    low: Floats
    high: Floats
    chance: float


@dataclass(frozen=True)
class NullTest:
    """How copies of one bot fared, which must be alike.

    Attributes:
        score: `[B]` share of points of each copy.
        copies_chance: Likelihood of copies as unequal as these by luck; small means the league favours one.
        seats: The seat effect of the game, which mirror sets must cancel.
    """

    score: Floats
    copies_chance: float
    seats: Seats


def seat_effect(tally: Tally, resamples: Resamples) -> Seats:
    """Score of each seat over all bots; mirror sets put each bot in each seat, so strength cancels."""
    matches = tally.matches
    most = 2 * (tally.seats - 1)
    score = tally.seat_points.sum(axis=0) / (most * matches) if matches else np.full(tally.seats, 0.5)
    excess = (resamples.seat_points / most - score[:, None] * resamples.matches) / max(matches, 1)
    sets = np.full(tally.seats, matches / tally.seats)
    covariance = np.atleast_2d(np.cov(excess))
    deviation = np.sqrt(score_variance(np.diag(covariance), sets))
    return Seats(score, *score_interval(score, deviation, sets), _chance(score - 0.5, covariance))


def null_test(tally: Tally, resamples: Resamples) -> NullTest:
    """Test a league in which every bot is a copy of one: all must score one half."""
    upper = np.triu_indices(tally.bots, 1)
    points = tally.seat_points.sum(axis=1)
    met = tally.seat_matches.sum(axis=1) * 2 * (tally.seats - 1)
    score = np.where(met > 0, points / np.maximum(met, 1), 0.5)
    won = resamples.points - resamples.met
    balance = np.zeros((tally.bots, resamples.size))
    np.add.at(balance, upper[0], won)
    np.add.at(balance, upper[1], -won)
    drawn = balance / np.maximum(met, 1)[:, None]
    return NullTest(score, _chance(score - 0.5, np.atleast_2d(np.cov(drawn))), seat_effect(tally, resamples))


def _chance(deviation: Floats, covariance: Floats) -> float:
    """Likelihood of a deviation from zero as large as this (chi squared of its Mahalanobis distance).

    A direction without variance is certain: it decides alone when the deviation has a part in it, and is
    left out when it has none.
    """
    values, vectors = np.linalg.eigh(covariance)
    parts = vectors.T @ deviation
    varies = values > _FLAT * max(float(values.max()), _FLAT)
    if np.abs(parts[~varies]).max(initial=0.0) > _FLAT**0.5:
        return 0.0
    if not varies.any():
        return 1.0
    return float(chdtrc(int(varies.sum()), (parts[varies] ** 2 / values[varies]).sum()))

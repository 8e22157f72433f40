"""Bot against bot: scores with intervals, against what the ratings expect, and who goes round in circles."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from league.rate import Floats
from league.rate.fit import Fit
from league.rate.intervals import LEVEL, widening
from league.rate.resamples import Resamples
from league.rate.tally import Pairs, Tally

_UNSEEN = 0.5  # squared deviation of the mirror set that could have come next
SIGNIFICANCE = 0.05
"""Chance of naming any cycle at all where there is none."""


@dataclass(frozen=True)
class Pairwise:
    """All pairs of bots, `[B, B]` each, row against column; never met is a score of 0.5 between 0 and 1.

    Attributes:
        pairs: Wins and ties.
        score: Share of points, a tie being half a point.
        low: Lower end of its interval.
        high: Upper end.
        superiority: Likelihood that the true score is above one half.
        expected: Score that the ratings expect.
        surprise: Score less expected, in standard deviations of the score; 0 where two never met.
    """

    pairs: Pairs
    score: Floats
    low: Floats
    high: Floats
    superiority: Floats
    expected: Floats
    surprise: Floats


@dataclass(frozen=True)
class Cycle:
    """Three bots each of which beats the next, and the last the first.

    Attributes:
        bots: In that order, the smallest first.
        chance: The largest of the three chances that a link is luck, times the number of cycles there could be.
    """

    bots: tuple[int, int, int]
    chance: float


def pairwise(fit: Fit, tally: Tally, resamples: Resamples) -> Pairwise:
    """Compare all pairs, with intervals from resampled mirror sets."""
    pairs = tally.pairs()
    score = pairs.score
    sets = pairs.matches / tally.seats
    deviation = np.sqrt(score_variance(_resampled_variance(pairs, resamples), sets))
    low, high = score_interval(score, deviation, sets)
    met = pairs.matches > 0
    surprise = np.where(met, (score - fit.expected) / deviation, 0.0)
    return Pairwise(pairs, score, low, high, superiority(score, deviation, sets), fit.expected, surprise)


def _resampled_variance(pairs: Pairs, resamples: Resamples) -> Floats:
    """`[B, B]` variance of the score over the resamples, which may hold more or fewer matches of the pair."""
    upper = np.triu_indices(resamples.bots, 1)
    excess = resamples.points / 2 - pairs.score[upper][:, None] * resamples.met
    variance = (excess / np.maximum(pairs.matches[upper], 1)[:, None]).var(axis=1)
    return resamples.square(variance, variance)


def score_variance(variance: Floats, sets: Floats) -> Floats:
    """Variance of a mean over mirror sets, from the one that was seen among them.

    Few sets understate it. And sets that were all alike do not prove that the next would be: it is at least
    what one more set with a squared deviation of a half would make it. After n sets won throughout, the
    interval ends near 1 - 3.8 / n.
    """
    return np.maximum(variance * widening(sets) ** 2, _UNSEEN / np.maximum(sets, 1) ** 2)


def shrunk(score: Floats, sets: Floats) -> Floats:
    """The score with one more mirror set that is split evenly."""
    return (score * sets + 0.5) / (sets + 1)


def score_interval(score: Floats, deviation: Floats, sets: Floats) -> tuple[Floats, Floats]:
    """Ends of the interval of a score, within 0 and 1; from 0 to 1 without any set.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference" (JASA 22, 1927),
        for as many independent games as have this deviation.
    """
    games = _games(score, deviation, sets)
    z = ndtri((1 + LEVEL) / 2)
    centre = (score + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * np.sqrt(score * (1 - score) / games + (z / (2 * games)) ** 2)
    seen = sets > 0
    return np.where(seen, np.maximum(centre - half, 0), 0.0), np.where(
        seen, np.minimum(centre + half, 1), 1.0
    )


def superiority(score: Floats, deviation: Floats, sets: Floats) -> Floats:
    """Likelihood that the true score is above one half, by the test that belongs to the interval."""
    return np.asarray(ndtr((score - 0.5) * 2 * np.sqrt(_games(score, deviation, sets))))


def _games(score: Floats, deviation: Floats, sets: Floats) -> Floats:
    """How many independent games would leave the score with this deviation."""
    mean = shrunk(score, sets)
    return np.asarray(mean * (1 - mean) / deviation**2)


def cycles(compared: Pairwise) -> list[Cycle]:
    """Significant cycles of three, surest first.

    A cycle is as doubtful as its weakest link (intersection-union test: Berger, Technometrics 24, 1982),
    and is held against the number of cycles that the league could have (Bonferroni).
    """
    bots = len(compared.score)
    possible = max(2 * math.comb(bots, 3), 1)
    doubt = np.where(compared.pairs.matches > 0, 1 - compared.superiority, 1.0)
    beats = doubt * possible < SIGNIFICANCE
    np.fill_diagonal(beats, False)
    found = []
    for first in range(bots):
        for second in np.flatnonzero(beats[first, first + 1 :]) + first + 1:
            for third in np.flatnonzero(beats[second] & beats[:, first]):
                if third > first:
                    weakest = max(doubt[first, second], doubt[second, third], doubt[third, first])
                    found.append(Cycle((first, int(second), int(third)), float(weakest * possible)))
    return sorted(found, key=lambda cycle: (cycle.chance, cycle.bots))

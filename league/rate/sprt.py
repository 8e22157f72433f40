"""Is one bot better than another: Elo difference over mirror sets, and a test that stops when decided.

A mirror set gives one score between 0 and 1, the mean over its matches; sets are independent, matches
within a set are not. Everything here works on counts of set scores (chess engine testing calls them
pentanomial: five scores are possible for two games). Elo is taken from the first bot's side, on the
logistic scale: a difference of e means an expected score of 1 / (1 + 10^(-e / 400)).

The test is the generalised sequential probability ratio test: the likelihood of the counts is maximised
over all distributions with the mean that each hypothesis says. Sources: Wald, "Sequential tests of
statistical hypotheses" (Annals of Mathematical Statistics 16, 1945), for the bounds; Li, Liu and Ying,
"Generalized sequential probability ratio test for separate families of hypotheses" (Sequential Analysis 33,
2014); Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a
distribution", proposition 1.1, for the maximum, as in fishtest.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from league.kernels import kernel
from league.rate import Floats
from league.rate.pairwise import score_interval, score_variance, shrunk, superiority

_PRIOR = 1e-3  # counts of a total loss and a total win, so that every mean between is possible
_HALVINGS = 100
Decision = Literal["better", "not better", "undecided"]


@dataclass(frozen=True)
class SetScores:
    """Counts of mirror-set scores of the first bot.

    Attributes:
        scores: `[K]` distinct scores, ascending.
        counts: `[K]` how many sets had each.
    """

    scores: Floats
    counts: Floats

    @property
    def sets(self) -> float:
        """How many sets there are."""
        return float(self.counts.sum())

    @property
    def mean(self) -> float:
        """Mean score; one half without sets."""
        return float(self.scores @ self.counts) / self.sets if self.sets else 0.5

    @property
    def variance(self) -> float:
        """Variance of the scores among each other; 0 without sets."""
        return float((self.scores - self.mean) ** 2 @ self.counts) / max(self.sets, 1)


@dataclass(frozen=True)
class Comparison:
    """How much better the first bot is; everything is finite, for perfect scores and for no sets too.

    Attributes:
        sets: Mirror sets seen.
        score: Mean score.
        score_low: Lower end of its interval.
        score_high: Upper end.
        elo: Difference of the score shrunk by one evenly split set.
        elo_low: Lower end of its interval.
        elo_high: Upper end.
        superiority: Likelihood that the true score is above one half.
    """

    sets: int
    score: float
    score_low: float
    score_high: float
    elo: float
    elo_low: float
    elo_high: float
    superiority: float


MOST_ELO = 2000
"""Differences beyond it are as good as certainty, which no number of matches proves."""


@dataclass(frozen=True)
class Sprt:
    """A test of `elo0` (no better than this) against `elo1` (at least this much better).

    Attributes:
        elo0: Difference under the first hypothesis.
        elo1: Difference under the second, above `elo0`.
        alpha: Accepted chance of saying `better` when the difference is `elo0`.
        beta: Accepted chance of saying `not better` when it is `elo1`.
    """

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        """Check the hypotheses.

        Raises:
            ValueError: They are not in order, or an error chance is none.
        """
        if not -MOST_ELO <= self.elo0 < self.elo1 <= MOST_ELO:
            raise ValueError(
                f"elo0 must be below elo1, both from -{MOST_ELO} to {MOST_ELO}, not {self.elo0:g} and {self.elo1:g}"
            )
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(
                f"alpha and beta must be between 0 and 0.5, not {self.alpha:g} and {self.beta:g}"
            )

    @property
    def bounds(self) -> tuple[float, float]:
        """Log-likelihood ratios at which the test stops (Wald 1945, equation 3.24)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def verdict(self, scores: SetScores) -> Verdict:
        """What the sets so far say."""
        lower, upper = self.bounds
        ratio = log_likelihood_ratio(scores, expected_score(self.elo0), expected_score(self.elo1))
        decision: Decision = "better" if ratio >= upper else "not better" if ratio <= lower else "undecided"
        return Verdict(ratio, lower, upper, decision)


@dataclass(frozen=True)
class Verdict:
    """Where a sequential test stands: the log-likelihood ratio, the bounds, and what follows."""

    ratio: float
    lower: float
    upper: float
    decision: Decision


def expected_score(elo: float) -> float:
    """Score of a bot that is `elo` better."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """Difference that explains a score strictly between 0 and 1."""
    return -400 * math.log10(1 / score - 1)


def compare(scores: SetScores) -> Comparison:
    """Score, Elo difference and likelihood of superiority, with intervals."""
    sets = np.array(scores.sets)
    deviation = np.sqrt(score_variance(np.array(scores.variance / max(scores.sets, 1)), sets))
    low, high = score_interval(np.array(scores.mean), deviation, sets)
    mean = float(shrunk(np.array(scores.mean), sets))
    edge = 0.25 / (scores.sets + 1)  # half as far from the end as the shrunk score can come
    ends = [elo_of(min(max(float(end), edge), 1 - edge)) for end in (low, high)]
    above = float(superiority(np.array(scores.mean), deviation, sets))
    return Comparison(
        int(scores.sets), scores.mean, float(low), float(high), elo_of(mean), ends[0], ends[1], above
    )


def log_likelihood_ratio(scores: SetScores, mean0: float, mean1: float) -> float:
    """Logarithm of how much likelier the counts are with mean `mean1` than with `mean0`, each at its best."""
    values = np.concatenate([[0.0], scores.scores, [1.0]])
    counts = np.concatenate([[_PRIOR], scores.counts, [_PRIOR]])
    shifts = [1 + _tilt(values, counts, mean) * (values - mean) for mean in (mean0, mean1)]
    return float(counts @ (np.log(shifts[0]) - np.log(shifts[1])))


@kernel
def _tilt(values: Any, counts: Any, mean: Any) -> Any:
    """The t for which the weights counts / (1 + t (values - mean)) have the given mean.

    The sum of weighted deviations falls with t between the two poles.
    """
    low, high = -1 / (1 - mean), 1 / mean
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        balance = 0.0
        for k in range(len(values)):
            balance += counts[k] * (values[k] - mean) / (1 + middle * (values[k] - mean))
        if balance > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2

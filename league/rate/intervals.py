"""How sure a ranking is: intervals of ratings from resampled mirror sets, and the ranks they leave possible.

A fit depends on the matches through the slope of its log-likelihood, so a resample moves the ratings by
about one Newton step, covariance * (slope of the resample - slope of the league). The slope of a resample
is predicted from the points that its pairs scored: the gradients of the outcomes are regressed on the
outcomes' points less those expected of the pairs. For two seats that is exact; for more, what the
regression leaves unexplained is drawn at random, taking matches as independent. The prior is drawn as well
(its mean is as uncertain as the prior says), which keeps intervals honest where matches are few or all
alike, and does not matter elsewhere.

Few mirror sets vary less among themselves than sets do, and are widened as Student's t widens a mean of as
many; and the deviation that the model gives has a say that a few sets outweigh.

Sources: Efron and Tibshirani, "An introduction to the bootstrap" (1993), chapter 13, for percentile
    intervals; Moulton and Zeger, "Bootstrapping generalized linear models" (Computational Statistics and
    Data Analysis 11, 1991), for resamples by one Newton step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtri, stdtrit

from league.kernels import kernel
from league.rate import Floats, Ints
from league.rate.fit import Fit, centre, groups
from league.rate.resamples import Resamples
from league.rate.tally import Tally
from league.seeds import seed_of

LEVEL = 0.95
"""Share of intervals that should hold the truth."""

_FEWEST = 5  # mirror sets; with fewer the model has most of the say
_MODEL_SETS = 3  # how many mirror sets the model's deviation counts for


@dataclass(frozen=True)
class Intervals:
    """Intervals of ratings and ranks, in the unit of the fit; a rating is relative to its component.

    Attributes:
        low: `[B]` lower ends.
        high: `[B]` upper ends.
        rank_low: `[B]` best rank possible, from 1: one more than the bots whose lower end is above this
            upper end.
        rank_high: `[B]` worst rank possible: the bots of the league less those whose upper end is below
            this lower end.
        narrowing: `[B]` width of the interval over the width had every match been independent; 1 without
            matches.
    """

    low: Floats
    high: Floats
    rank_low: Ints
    rank_high: Ints
    narrowing: Floats


def intervals(fit: Fit, tally: Tally, resamples: Resamples) -> Intervals:
    """Intervals of the ratings of `fit`, from the resamples of the matches that it was fitted to."""
    slopes, doubt = _slopes(fit, tally, resamples)
    moves = _moves(fit, slopes + doubt)
    spread, independent = moves.std(axis=1), _independent_spread(fit, tally)
    narrowing = np.where(independent > 0, spread / np.where(independent > 0, independent, 1), 1.0)
    moves *= (_trusted_spread(fit, tally, spread) / spread)[:, None]
    tail = (1 - LEVEL) / 2
    low, high = fit.mu + np.quantile(moves, [tail, 1 - tail], axis=1)
    return Intervals(low, high, *rank_ranges(low, high, fit.components), narrowing)


def _trusted_spread(fit: Fit, tally: Tally, spread: Floats) -> Floats:
    """`[B]` spread of the moves that an interval takes, with the doubt of few mirror sets."""
    sets = tally.seat_matches.sum(axis=1) / tally.seats
    model = _within_components(_within_components(fit.covariance.copy(), fit).T.copy(), fit)
    variance = (sets * spread**2 * widening(sets) ** 2 + _MODEL_SETS * np.diag(model)) / (sets + _MODEL_SETS)
    return np.asarray(np.sqrt(variance))


def widening(sets: Floats) -> Floats:
    """Factors by which the spread among few mirror sets understates the interval of their mean."""
    sets = np.maximum(sets, _FEWEST)
    tail = (1 + LEVEL) / 2
    return np.asarray(stdtrit(sets - 1, tail) / ndtri(tail) * np.sqrt(sets / (sets - 1)))


def rank_ranges(low: Floats, high: Floats, components: Ints) -> tuple[Ints, Ints]:
    """Best and worst rank, from 1, that intervals leave to each bot; bots never compared exclude nothing."""
    compared = components[:, None] == components
    above = ((low > high[:, None]) & compared).sum(axis=1)
    below = ((high < low[:, None]) & compared).sum(axis=1)
    return 1 + above, len(low) - below


def _slopes(fit: Fit, tally: Tally, resamples: Resamples) -> tuple[Floats, Floats]:
    """`[B, R]` slope of the log-likelihood of each resample, and what doubt of the prior adds to it."""
    predictor, unexplained = _regression(fit, tally)
    rng = np.random.default_rng(seed_of(resamples.seed, "intervals"))
    slopes = predictor @ _excess(fit, tally, resamples)
    slopes += unexplained @ rng.standard_normal(slopes.shape)
    return slopes, np.sqrt(fit.prior)[:, None] * rng.standard_normal(slopes.shape)


def _moves(fit: Fit, slopes: Floats) -> Floats:
    """`[B, R]` how far the ratings of each resample are from those of the league, within components."""
    return _within_components(fit.covariance @ slopes, fit)


def _within_components(moves: Floats, fit: Fit) -> Floats:
    """Take the common move of each component off; a bot alone keeps its own."""
    for members in groups(fit.components):
        if len(members) > 1:
            moves[members] = centre(moves[members])
    return moves


def _weights(fit: Fit) -> Floats:
    """`[B, B]` what half a point more than expected says about the difference of two ratings."""
    variance = fit.expected * (1 - fit.expected)
    return fit.slope / np.maximum(variance, 1e-9)


def _excess(fit: Fit, tally: Tally, resamples: Resamples) -> Floats:
    """`[B, R]` weighted score above expectation in each resample, less the same in the league."""
    pairs = tally.pairs()
    upper = np.triu_indices(tally.bots, 1)
    points = resamples.points - (2 * pairs.wins + pairs.ties)[upper][:, None]
    met = resamples.met - pairs.matches[upper][:, None]
    excess = _weights(fit)[upper][:, None] * (points / 2 - fit.expected[upper][:, None] * met)
    signs = np.zeros((tally.bots, len(upper[0])))
    signs[upper[0], np.arange(len(upper[0]))] = 1
    signs[upper[1], np.arange(len(upper[0]))] = -1
    return np.asarray(signs @ excess)


def _regression(fit: Fit, tally: Tally) -> tuple[Floats, Floats]:
    """Regress the outcomes' gradients on their pairs' excess scores.

    Returns:
        The coefficients, `[B, B]`, and a root of the covariance of what they leave unexplained in the league.
    """
    outcomes = tally.outcomes()
    products = np.zeros((3, tally.bots, tally.bots))
    _add_products(
        outcomes.bots, outcomes.ranks, outcomes.counts, fit.gradients, fit.expected, _weights(fit), products
    )
    full, mixed, pairwise = products
    predictor = mixed @ np.linalg.pinv(pairwise, rcond=1e-10, hermitian=True)
    rest = full - predictor @ mixed.T
    values, vectors = np.linalg.eigh((rest + rest.T) / 2)
    return predictor, vectors * np.sqrt(np.maximum(values, 0))


def _independent_spread(fit: Fit, tally: Tally) -> Floats:
    """`[B]` standard deviation of the moves, had every match been drawn on its own."""
    outcomes = tally.outcomes()
    full = np.diag(fit.prior)
    _add_squares(outcomes.bots, outcomes.counts, fit.gradients, full)
    spread = fit.covariance @ full @ fit.covariance
    spread = _within_components(_within_components(spread, fit).T.copy(), fit)
    return np.sqrt(np.maximum(np.diag(spread), 0))


@kernel
def _add_products(
    bots: Any, ranks: Any, counts: Any, gradients: Any, expected: Any, weights: Any, products: Any
) -> None:
    """Add up gradient * gradient, gradient * excess score, and excess score * itself over the matches."""
    seats = bots.shape[1]
    excess = np.zeros(seats)
    for row in range(len(bots)):
        excess[:] = 0.0
        for i in range(seats):
            for j in range(seats):
                if i != j:
                    one, other = bots[row, i], bots[row, j]
                    score = 0.5 * (ranks[row, i] <= ranks[row, j]) + 0.5 * (ranks[row, i] < ranks[row, j])
                    excess[i] += weights[one, other] * (score - expected[one, other])
        for i in range(seats):
            for j in range(seats):
                one, other = bots[row, i], bots[row, j]
                products[0, one, other] += counts[row] * gradients[row, i] * gradients[row, j]
                products[1, one, other] += counts[row] * gradients[row, i] * excess[j]
                products[2, one, other] += counts[row] * excess[i] * excess[j]


@kernel
def _add_squares(bots: Any, counts: Any, gradients: Any, total: Any) -> None:
    for row in range(len(bots)):
        for i in range(bots.shape[1]):
            for j in range(bots.shape[1]):
                total[bots[row, i], bots[row, j]] += counts[row] * gradients[row, i] * gradients[row, j]

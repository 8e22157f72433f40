"""TrueSkill, order-free: the same model, all matches at once, by expectation propagation to convergence.

Skills are N(mu, sigma^2), a performance is N(skill, beta^2), and an outcome says of performances: better
bots are more than the margin ahead of the next worse ones, tied bots are within the margin of each other.
(Online TrueSkill compares tied bots along a chain, whose order is arbitrary; here all bots of neighbouring
ranks are compared, so that names do not matter. Without ties the two models are the same.)

The posterior of all skills is approximated by one normal with a full covariance. Each distinct outcome is a
factor with a count: its copies share their approximation, and its cavity is the posterior without one copy.
A sweep refines all factors and then solves for the posterior, which near the end is a Newton step, so that
it takes few sweeps, whatever the number of matches.

How exact it is: means and deviations of the difference of two bots agree with the exact posterior to 0.1 %
of a deviation, except for perfect scores, whose posterior is skewed: there the mean is within 10 % of a
deviation, which is up to 16 % too small. With three bots and few matches it is 7 % and 9 %.

Sources: Herbrich, Minka and Graepel, "TrueSkill: a Bayesian skill rating system" (NIPS 2006); Minka,
    "Expectation propagation for approximate Bayesian inference" (UAI 2001), section 3; Rasmussen and
    Williams, "Gaussian Processes for Machine Learning" (2006), section 3.6, for the update of a truncation.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from league.kernels import kernel
from league.rate import Floats, Ints
from league.rate.fit import Fit, components, inverse
from league.rate.gaussian import above, within
from league.rate.tally import Outcomes, Tally
from league.rate.trueskill import Parameters

_SWEEPS = 2000
_SETTLED = 1e-10  # largest change of mean and covariance, in units of beta, after which the fit is done
_ROUNDING = 1e-8  # ... or after which a change that does not shrink any more is rounding
_PASSES = 2  # over the comparisons of an outcome in one sweep
_LEAST_MARGIN = 1e-3  # in units of beta: a tie needs some room to happen in
_ERF = np.vectorize(math.erf, otypes=[float])


def fit(tally: Tally, parameters: Parameters) -> Fit:
    """The posterior of all skills given all outcomes."""
    outcomes = tally.outcomes()
    margin = max(parameters.margin, _LEAST_MARGIN * parameters.beta)
    mean, covariance, gradients = _posterior(outcomes, tally.bots, margin, parameters)
    spread = math.sqrt(2) * parameters.beta
    expected, slope = _two_bots((mean[:, None] - mean) / spread, margin / spread)
    prior = np.full(tally.bots, parameters.sigma**-2)
    return Fit(
        mean, covariance, prior, gradients, expected, slope / spread, components(tally.pairs().matches)
    )


def _two_bots(gap: Floats, margin: float) -> tuple[Floats, Floats]:
    """Score expected of a gap, in standard deviations of a difference, and its derivative."""
    normal = [0.5 * (1 + _ERF((gap + side) / math.sqrt(2))) for side in (margin, -margin)]
    density = [np.exp(-0.5 * (gap + side) ** 2) / math.sqrt(2 * math.pi) for side in (margin, -margin)]
    return (normal[0] + normal[1]) / 2, (density[0] + density[1]) / 2


def _posterior(
    outcomes: Outcomes, bots: int, margin: float, parameters: Parameters
) -> tuple[Floats, Floats, Floats]:
    """Mean and covariance of the skills, and the gradients of the outcomes there."""
    first = _first_comparisons(outcomes)
    sites = np.zeros((2, first[-1]))
    gradients = np.zeros(outcomes.bots.shape)
    mean: Floats = np.full(bots, parameters.mu)
    covariance: Floats = np.eye(bots) * parameters.sigma**2
    damping, last_step = 1.0, math.inf
    for _ in range(_SWEEPS):
        slope = (parameters.mu - mean) / parameters.sigma**2
        curvature = np.eye(bots) / parameters.sigma**2
        arrays = (outcomes.bots, outcomes.ranks, outcomes.counts, first)
        constants = np.array([margin, parameters.beta**2, damping])
        _refine(*arrays, mean, covariance, constants, sites, gradients, slope, curvature)
        before, covariance = covariance, inverse(curvature)
        change = covariance @ slope
        mean = mean + change
        step = _largest(change / parameters.beta, (covariance - before) / parameters.beta**2)
        if step <= _SETTLED or last_step <= step <= _ROUNDING:
            break
        damping = max(damping / 2, 0.05) if step > last_step else damping
        last_step = step
    return mean, covariance, gradients


def _largest(*changes: Floats) -> float:
    return max(float(np.abs(change).max(initial=0.0)) for change in changes)


@kernel
def _is_compared(upper: Any, lower: Any, ranks: Any) -> Any:
    """Whether the outcome compares ranks `upper` <= `lower`: they tie, or none is between."""
    between = 0
    for rank in ranks:
        between += upper < rank < lower
    return between == 0


def _first_comparisons(outcomes: Outcomes) -> Ints:
    """`[O + 1]` where the comparisons of each outcome begin in one long list of all."""
    counts = np.zeros(len(outcomes) + 1, np.int64)
    _count_comparisons(outcomes.ranks, counts)
    return np.cumsum(counts)


@kernel
def _count_comparisons(ranks: Any, counts: Any) -> None:
    pairs = np.zeros((2, ranks.shape[1] ** 2), np.int64)
    for row in range(len(ranks)):
        counts[row + 1] = _list_comparisons(ranks[row], pairs)


@kernel
def _list_comparisons(ranks: Any, pairs: Any) -> Any:
    """Write the compared seats, better one first, into `pairs` `[2, K]`; how many there are."""
    found = 0
    for seat in range(len(ranks)):
        for other in range(len(ranks)):
            ahead = ranks[seat] < ranks[other] or (ranks[seat] == ranks[other] and seat < other)
            if ahead and _is_compared(ranks[seat], ranks[other], ranks):
                pairs[0, found], pairs[1, found] = seat, other
                found += 1
    return found


@kernel
def _refine(
    bots: Any,
    ranks: Any,
    counts: Any,
    first: Any,
    mean: Any,
    covariance: Any,
    constants: Any,
    sites: Any,
    gradients: Any,
    slope: Any,
    curvature: Any,
) -> None:
    """One sweep: refine all outcomes' sites, and add what they say of the skills to slope and curvature."""
    seats, beta_squared = bots.shape[1], constants[1]
    pairs = np.zeros((2, seats * seats), np.int64)
    skill, around = np.zeros(seats), np.zeros((seats, seats))
    here, column = np.zeros(seats), np.zeros(seats)
    given, spread = np.zeros((seats, seats)), np.zeros((seats, seats))
    for row in range(len(bots)):
        compared = _list_comparisons(ranks[row], pairs)
        site = sites[:, first[row] : first[row] + compared]
        for i in range(seats):
            skill[i] = mean[bots[row, i]] - mean[bots[row, 0]]
            for j in range(seats):
                around[i, j] = covariance[bots[row, i], bots[row, j]] / beta_squared**2
        _perform(skill, site, pairs, beta_squared, here, given, column)
        _spread(given, around, spread)
        _truncate(here, spread, site, pairs, ranks[row], constants, column)
        _perform(skill, site, pairs, beta_squared, here, given, column)
        for i in range(seats):
            gradients[row, i] = (here[i] - skill[i]) / beta_squared
            slope[bots[row, i]] += counts[row] * gradients[row, i]
            curvature[bots[row, i], bots[row, i]] += counts[row] / beta_squared
            for j in range(seats):
                curvature[bots[row, i], bots[row, j]] -= counts[row] * given[i, j] / beta_squared**2


@kernel
def _perform(
    skill: Any, site: Any, pairs: Any, beta_squared: Any, here: Any, given: Any, column: Any
) -> None:
    """Mean `here` and covariance `given` of the performances in one match, given the skills and the sites.

    What the match says of the skills follows: the slope at `skill` is (here - skill) / beta^2, and the
    curvature is (I - given / beta^2) / beta^2.
    """
    given[:] = 0.0
    for i in range(len(skill)):
        here[i] = skill[i]
        given[i, i] = beta_squared
    for k in range(site.shape[1]):
        _include(here, given, column, pairs[0, k], pairs[1, k], site[0, k], site[1, k])


@kernel
def _spread(given: Any, around: Any, spread: Any) -> None:
    """Covariance of the performances, the skills having covariance `around` * beta^4: G + G around G."""
    seats = len(given)
    for i in range(seats):
        for j in range(seats):
            spread[i, j] = given[i, j]
    for i in range(seats):
        for k in range(seats):
            total = 0.0
            for j in range(seats):
                total += given[i, j] * around[j, k]
            for j in range(seats):
                spread[i, j] += total * given[k, j]


@kernel
def _truncate(here: Any, spread: Any, site: Any, pairs: Any, ranks: Any, constants: Any, column: Any) -> None:
    """Refine the sites of one outcome, whose performances are N(`here`, `spread`) with them."""
    margin, _, damping = constants
    for _ in range(_PASSES):
        for k in range(site.shape[1]):
            i, j = pairs[0, k], pairs[1, k]
            variance = spread[i, i] + spread[j, j] - 2.0 * spread[i, j]
            precision = 1.0 / variance - site[0, k]
            if precision <= 0.0:
                continue
            gap = ((here[i] - here[j]) / variance - site[1, k]) / precision
            root = math.sqrt(precision)
            tie = ranks[i] == ranks[j]
            v, rest = within(gap * root, margin * root) if tie else above(gap * root, margin * root)
            more = damping * (precision * (1.0 - rest) / rest - site[0, k])
            pull = damping * ((precision * gap * (1.0 - rest) + root * v) / rest - site[1, k])
            site[0, k] += more
            site[1, k] += pull
            _include(here, spread, column, i, j, more, pull)


@kernel
def _include(here: Any, spread: Any, column: Any, i: Any, j: Any, precision: Any, pull: Any) -> None:
    """Multiply N(`here`, `spread`) by exp(-precision d^2 / 2 + pull d), d being the difference of i and j."""
    variance = spread[i, i] + spread[j, j] - 2.0 * spread[i, j]
    gap = here[i] - here[j]
    share = 1.0 / (1.0 + precision * variance)
    for a in range(len(here)):
        column[a] = spread[a, i] - spread[a, j]
        here[a] += column[a] * share * (pull - precision * gap)
    for a in range(len(here)):
        for b in range(len(here)):
            spread[a, b] -= column[a] * column[b] * share * precision

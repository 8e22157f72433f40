"""Plackett-Luce with ties, by maximum likelihood on the counts of a tally: another model's opinion.

A ranking is a series of choices: from the bots that remain, a group of tied bots T is chosen with a
probability proportional to delta_t * exp(mean of the members' ratings), t being its size and delta_1 = 1.
The log-likelihood is concave in the ratings and in log delta, and depends on the matches through counts
only: how often each set of bots remained, and how often each bot was chosen in a group of each size. Sizes
that never tied have delta = 0.

Every bot and every delta also has half a win and half a loss against a ghost of rating 0. This keeps
perfect scores finite and bots that never met on one scale, and is outweighed by a few matches.

Sources: Firth, Kosmidis and Turner, "Davidson-Luce model for multi-item choice with ties" (arXiv
    1909.07123, 2019); Turner, van Etten, Firth and Kosmidis, "Modelling rankings in R: the
    PlackettLuce package" (Computational Statistics 35, 2020), section 2 and, for the ghost, section 3.2;
    Hunter, "MM algorithms for generalized Bradley-Terry models" (Annals of Statistics 32, 2004), for when
    estimates exist without one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from league.kernels import kernel
from league.rate import Floats, Ints
from league.rate.fit import Fit, components, inverse
from league.rate.tally import Outcomes, Table, Tally

_STEPS = 200
_SETTLED = 1e-12
_GHOST = 0.5  # wins and losses against the ghost


def fit(tally: Tally) -> Fit:
    """The most likely ratings, as logarithms of strength around 0."""
    outcomes, bots = tally.outcomes(), tally.bots
    choices = _choices(outcomes, bots)
    strengths, curvature = _most_likely(choices, bots)
    ratings, log_delta = strengths[:bots], strengths[bots:]
    gradients = np.zeros(outcomes.bots.shape)
    _derive(outcomes.bots, outcomes.ranks, choices.sizes, ratings, log_delta, gradients)
    delta = float(np.exp(log_delta[choices.sizes.tolist().index(2) - 1])) if 2 in choices.sizes else 0.0
    expected, slope = _two_bots(ratings[:, None] - ratings, delta)
    prior = 2 * _GHOST * _share(ratings) * _share(-ratings)
    covariance = inverse(curvature[:bots, :bots])
    return Fit(ratings, covariance, prior, gradients, expected, slope, components(tally.pairs().matches))


def _two_bots(gap: Floats, delta: float) -> tuple[Floats, Floats]:
    """Score expected of a difference of ratings, and its derivative."""
    half = np.clip(gap / 2, -300, 300)
    total = 2 * np.cosh(half) + delta
    return 0.5 + np.sinh(half) / total, (1 + delta * np.cosh(half) / 2) / total / total


def _share(rating: Floats) -> Floats:
    """How often a bot beats the ghost."""
    return 1 / (1 + np.exp(-np.clip(rating, -300, 300)))


@dataclass(frozen=True)
class _Choices:
    """All that the likelihood takes from the outcomes.

    Attributes:
        remaining: `[C, S]` sets of bots from which was chosen, ascending; the places behind them hold B.
        counts: `[C]` how often.
        sizes: `[D]` sizes of the groups that were chosen, from 1.
        chosen: `[B + D - 1]` what the features of the chosen groups add up to: each bot's share of a group, and the
            groups of each size above 1.
    """

    remaining: np.ndarray[Any, np.dtype[np.int32]]
    counts: Ints
    sizes: Ints
    chosen: Floats


def _choices(outcomes: Outcomes, bots: int) -> _Choices:
    seats = outcomes.bots.shape[1]
    table = Table(seats)
    shares, groups = np.zeros(bots), np.zeros(seats + 1)
    remaining, counts = np.zeros_like(outcomes.bots), np.zeros_like(outcomes.counts)
    blank = np.zeros_like(outcomes.ranks)
    for rank in range(seats):
        _choose(outcomes.bots, outcomes.ranks, outcomes.counts, rank, bots, shares, groups, remaining, counts)
        table.add(remaining[counts > 0], blank[counts > 0], counts[counts > 0])
    sizes = np.union1d([1], np.flatnonzero(groups))
    sets = table.outcomes()
    return _Choices(sets.bots, sets.counts, sizes, np.concatenate([shares, groups[sizes[1:]]]))


@kernel
def _choose(
    bots: Any,
    ranks: Any,
    counts: Any,
    rank: Any,
    blank: Any,
    shares: Any,
    groups: Any,
    remaining: Any,
    chosen: Any,
) -> None:
    """Note the choice of the group of `rank` in every outcome that has one and has others to choose from."""
    seats = bots.shape[1]
    for row in range(len(bots)):
        left, size = 0, 0
        for seat in range(seats):
            left += ranks[row, seat] >= rank
            size += ranks[row, seat] == rank
            remaining[row, seat] = bots[row, seat] if ranks[row, seat] >= rank else blank
        chosen[row] = counts[row] if left > 1 and size > 0 else 0
        if chosen[row] > 0:
            groups[size] += counts[row]
            for seat in range(seats):
                if ranks[row, seat] == rank:
                    shares[bots[row, seat]] += counts[row] / size


def _most_likely(choices: _Choices, bots: int) -> tuple[Floats, Floats]:
    """Ratings and log deltas `[B + D - 1]`, and the curvature there; no Newton step loses likelihood."""
    at = np.zeros(len(choices.chosen))
    value, slope, curvature = _likelihood(choices, at, bots)
    for _ in range(_STEPS):
        step = np.linalg.solve(curvature, slope)
        if np.abs(step).max(initial=0.0) <= _SETTLED:
            break
        for _ in range(_STEPS):
            there = _likelihood(choices, at + step, bots)
            if there[0] >= value - abs(value) * 1e-13:
                break
            step = step / 2
        at = at + step
        value, slope, curvature = there
    return at, curvature


def _likelihood(choices: _Choices, at: Floats, bots: int) -> tuple[float, Floats, Floats]:
    """Logarithm of the likelihood with the ghost's part, its slope, and its negative second derivative."""
    against_ghost = _share(at)
    value = float(choices.chosen @ at - _GHOST * (np.logaddexp(0, at) + np.logaddexp(0, -at)).sum())
    slope = choices.chosen + _GHOST * (1 - 2 * against_ghost)
    curvature = np.diag(2 * _GHOST * against_ghost * (1 - against_ghost))
    value -= _normalise(
        choices.remaining, choices.counts, choices.sizes, at[:bots], at[bots:], slope, curvature
    )
    return value, slope, curvature


@kernel
def _normalise(
    remaining: Any, counts: Any, sizes: Any, ratings: Any, log_delta: Any, slope: Any, curvature: Any
) -> Any:
    """Sum of the choices' log normalisers; takes their first derivative off `slope`, adds the second."""
    seats, bots = remaining.shape[1], len(ratings)
    width = seats + len(log_delta)
    mean, square, features = np.zeros(width), np.zeros((width, width)), np.zeros(width, np.int64)
    total = 0.0
    for row in range(len(remaining)):
        left = 0
        while left < seats and remaining[row, left] < bots:
            features[left] = remaining[row, left]
            left += 1
        for k in range(len(log_delta)):
            features[left + k] = bots + k
        width = left + len(log_delta)
        total += counts[row] * _moments(features[:left], sizes, ratings, log_delta, mean[:width], square)
        for i in range(width):
            slope[features[i]] -= counts[row] * mean[i]
            for j in range(width):
                curvature[features[i], features[j]] += counts[row] * (square[i, j] - mean[i] * mean[j])
    return total


@kernel
def _moments(lineup: Any, sizes: Any, ratings: Any, log_delta: Any, mean: Any, square: Any) -> Any:
    """Mean and mean square of the features of a choice from `lineup`, and its log normaliser.

    The features of a group are, for each bot of the line-up, its share of the group, and for each size
    above 1 whether the group has it.
    """
    left, total, best, most = len(lineup), 0.0, -np.inf, 0.0
    mean[:] = 0.0
    square[:] = 0.0
    for bot in lineup:
        best = max(best, ratings[bot])
    for level in log_delta:
        most = max(most, level)
    best += most
    features = np.zeros(len(mean))
    for group in range(1, 1 << left):
        size, level = 0, 0.0
        for i in range(left):
            if group >> i & 1:
                size += 1
                level += ratings[lineup[i]]
        known = 0
        while known < len(sizes) - 1 and sizes[known] < size:
            known += 1
        if sizes[known] != size:
            continue
        features[:] = 0.0
        level /= size
        if known > 0:
            level += log_delta[known - 1]
            features[left + known - 1] = 1.0
        for i in range(left):
            if group >> i & 1:
                features[i] = 1.0 / size
        weight = np.exp(level - best)
        total += weight
        _add(features, weight, mean, square)
    for i in range(len(mean)):
        mean[i] /= total
        for j in range(len(mean)):
            square[i, j] /= total
    return best + np.log(total)


@kernel
def _add(features: Any, weight: Any, mean: Any, square: Any) -> None:
    for i in range(len(features)):
        if features[i] > 0.0:
            mean[i] += weight * features[i]
            for j in range(len(features)):
                square[i, j] += weight * features[i] * features[j]


@kernel
def _derive(bots: Any, ranks: Any, sizes: Any, ratings: Any, log_delta: Any, gradients: Any) -> None:
    """Derivative of each outcome's log-likelihood by the ratings of its bots."""
    seats = bots.shape[1]
    width = seats + len(log_delta)
    mean, square = np.zeros(width), np.zeros((width, width))
    members, lineup = np.zeros(seats, np.int64), np.zeros(seats, np.int64)
    for row in range(len(bots)):
        for rank in range(seats):
            left, size = 0, 0
            for seat in range(seats):
                if ranks[row, seat] >= rank:
                    members[left], lineup[left] = seat, bots[row, seat]
                    left += 1
                    size += ranks[row, seat] == rank
            if size == 0 or left < 2:
                continue
            _moments(lineup[:left], sizes, ratings, log_delta, mean[: left + len(log_delta)], square)
            for k in range(left):
                share = 1.0 / size if ranks[row, members[k]] == rank else 0.0
                gradients[row, members[k]] += share - mean[k]

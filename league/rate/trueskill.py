r"""TrueSkill, online: one match after another, n seats, ties, compiled.

The factor graph of one match, bots sorted by rank (Herbrich, Minka and Graepel, "TrueSkill: a Bayesian
skill rating system", NIPS 2006, figure 1):

    skill        O   O   O   N(mu, sigma^2 + tau^2)
                 |   |   |
    performance  O   O   O   N(skill, beta^2)
                  \ / \ /
    difference     O   O     > margin, or within +-margin for a tie

Messages run down and up the chain of differences until the largest change is at most 0.0001, ten times at
most. This is the schedule of the `trueskill` package, which is the oracle of the tests. Its normal
distribution is a fit good to 1.2e-7, which shows in the sixth digit of mu and sigma, so `backend` says
whose digits are wanted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, Literal

import numpy as np
import trueskill

from league.kernels import kernel
from league.rate import Columns, Estimate, Floats, Ints
from league.rate.gaussian import DENSITY_AT_ZERO, ROOT_HALF, SMALLEST, above, within

_SWEEPS = 10  # of the package
_SMALL_CHANGE = 0.0001  # of the package
_FIT = np.array(
    [
        -1.26551223,
        1.00002368,
        0.37409196,
        0.09678418,
        -0.18628806,
        0.27886807,
        -1.13520398,
        1.48851587,
        -0.82215223,
        0.17087277,
    ]
)


@dataclass(frozen=True)
class Parameters:
    """The constants of the model, named as in the paper; skills are in the unit of `mu`.

    Attributes:
        mu: Mean skill before any match.
        sigma: Standard deviation of skill before any match.
        beta: Standard deviation of a performance around the skill.
        tau: Standard deviation a skill gains before each match; 0, for a bot's source does not change.
        draw_probability: How often two equal neighbours in the ranking tie.
        backend: The normal distribution: the `package`'s own fit, or `exact`.
    """

    mu: float = 25.0
    sigma: float = 25.0 / 3
    beta: float = 25.0 / 6
    tau: float = 0.0
    draw_probability: float = 0.1
    backend: Literal["package", "exact"] = "package"

    @property
    def margin(self) -> float:
        """The difference of performances up to which a pair ties (paper, section 2)."""
        if self.backend == "exact":
            return NormalDist().inv_cdf((self.draw_probability + 1) / 2) * math.sqrt(2) * self.beta
        environment = trueskill.TrueSkill(beta=self.beta, draw_probability=self.draw_probability)
        return float(trueskill.calc_draw_margin(self.draw_probability, 2, environment))


@dataclass
class Online:
    """The ratings so far, folded in match order; its size depends on the bots alone.

    Attributes:
        parameters: Constants of the model.
        mu: `[B]` means of the skills.
        sigma: `[B]` standard deviations of the skills.
        matches: `[B]` matches of each bot.
    """

    parameters: Parameters
    mu: Floats
    sigma: Floats
    matches: Ints

    @classmethod
    def start(cls, bots: int, parameters: Parameters) -> Online:
        """The state before the first match."""
        mu, sigma = np.full(bots, parameters.mu), np.full(bots, parameters.sigma)
        return cls(parameters, mu, sigma, np.zeros(bots, np.int64))

    def fold(self, columns: Columns) -> None:
        """Rate the next matches, in their order."""
        columns.require(len(self.mu))
        constants = self.parameters
        _fold(
            self.mu,
            self.sigma,
            self.matches,
            columns.bots,
            columns.ranks,
            np.array([constants.margin, constants.beta**2, constants.tau**2]),
            constants.backend == "exact",
        )

    def estimate(self) -> Estimate:
        """A copy of the ratings as they stand."""
        return Estimate(self.mu.copy(), self.sigma.copy())


@kernel
def _fold(mu: Any, sigma: Any, played: Any, bots: Any, ranks: Any, constants: Any, exact: Any) -> None:
    matches, seats = bots.shape
    order = np.zeros(seats, np.int64)
    graph = np.zeros((8, seats))
    for match in range(matches):
        sort_by_rank(order, ranks[match])
        _rate(mu, sigma, bots[match], ranks[match], order, graph, constants, exact)
        for seat in range(seats):
            played[bots[match, seat]] += 1


@kernel
def sort_by_rank(order: Any, ranks: Any) -> None:
    """Write the seats into `order` from best to worst, equal ranks in seat order."""
    for seat in range(len(order)):
        place = seat
        while place > 0 and ranks[order[place - 1]] > ranks[seat]:
            order[place] = order[place - 1]
            place -= 1
        order[place] = seat


# The graph of a match is an array `[8, S]`: for each place of the ranking, precision and precision-adjusted
# mean of four messages: the performance as the skill has it, what the better neighbour says about it, what
# the worse neighbour says about it, and what the ranking says about the difference with the worse
# neighbour.
_BASE, _BETTER, _WORSE, _CUT = 0, 2, 4, 6


@kernel
def _rate(
    mu: Any, sigma: Any, bots: Any, ranks: Any, order: Any, graph: Any, constants: Any, exact: Any
) -> None:
    """Update `mu` and `sigma` of the bots of one match."""
    margin, beta_squared, tau_squared = constants
    last = len(order) - 1
    graph[:] = 0.0
    for place in range(last + 1):
        bot = bots[order[place]]
        precision = 1.0 / (sigma[bot] ** 2 + tau_squared + beta_squared)
        graph[_BASE, place] = precision
        graph[_BASE + 1, place] = precision * mu[bot]
    for _ in range(_SWEEPS):
        if _sweep(graph, ranks, order, margin, exact) <= _SMALL_CHANGE:
            break
    _tell_better(graph, 0)
    _tell_worse(graph, last - 1)
    for place in range(last + 1):
        bot = bots[order[place]]
        precision = graph[_BETTER, place] + graph[_WORSE, place]
        adjusted = graph[_BETTER + 1, place] + graph[_WORSE + 1, place]
        share = 1.0 / (1.0 + beta_squared * precision)
        before = 1.0 / (sigma[bot] ** 2 + tau_squared)
        after = before + share * precision
        mu[bot] = (before * mu[bot] + share * adjusted) / after
        sigma[bot] = math.sqrt(1.0 / after)


@kernel
def _sweep(graph: Any, ranks: Any, order: Any, margin: Any, exact: Any) -> Any:
    """Down the ranking and up again; the largest change of a difference."""
    last = len(order) - 1
    if last == 1:
        return _truncate(graph, 0, ranks[order[0]] == ranks[order[1]], margin, exact)
    change = 0.0
    for place in range(last - 1):
        tie = ranks[order[place]] == ranks[order[place + 1]]
        change = max(change, _truncate(graph, place, tie, margin, exact))
        _tell_worse(graph, place)
    for place in range(last - 1, 0, -1):
        tie = ranks[order[place]] == ranks[order[place + 1]]
        change = max(change, _truncate(graph, place, tie, margin, exact))
        _tell_better(graph, place)
    return change


@kernel
def _truncate(graph: Any, place: Any, tie: Any, margin: Any, exact: Any) -> Any:
    """Learn from the order of `place` and the next; how much the belief about their difference changed."""
    upper = graph[_BASE, place] + graph[_BETTER, place]
    lower = graph[_BASE, place + 1] + graph[_WORSE, place + 1]
    upper_mean = (graph[_BASE + 1, place] + graph[_BETTER + 1, place]) / upper
    lower_mean = (graph[_BASE + 1, place + 1] + graph[_WORSE + 1, place + 1]) / lower
    precision = 1.0 / (1.0 / upper + 1.0 / lower)
    prior = precision * (upper_mean - lower_mean)
    root = math.sqrt(precision)
    v, rest = _corrections(prior / root, margin * root, tie, exact)
    belief, adjusted = precision / rest, (prior + root * v) / rest
    change = max(
        abs(prior + graph[_CUT + 1, place] - adjusted),
        math.sqrt(abs(precision + graph[_CUT, place] - belief)),
    )
    graph[_CUT, place] = belief - precision
    graph[_CUT + 1, place] = adjusted - prior
    return change


@kernel
def _tell_worse(graph: Any, place: Any) -> None:
    """Tell the worse of the pair at `place` what the better one's performance says about it."""
    precision = graph[_BASE, place] + graph[_BETTER, place]
    adjusted = graph[_BASE + 1, place] + graph[_BETTER + 1, place]
    share = graph[_CUT, place] / (graph[_CUT, place] + precision)
    graph[_BETTER, place + 1] = share * precision
    graph[_BETTER + 1, place + 1] = share * adjusted - (1.0 - share) * graph[_CUT + 1, place]


@kernel
def _tell_better(graph: Any, place: Any) -> None:
    """Tell the better of the pair at `place` what the worse one's performance says about it."""
    precision = graph[_BASE, place + 1] + graph[_WORSE, place + 1]
    adjusted = graph[_BASE + 1, place + 1] + graph[_WORSE + 1, place + 1]
    share = graph[_CUT, place] / (graph[_CUT, place] + precision)
    graph[_WORSE, place] = share * precision
    graph[_WORSE + 1, place] = share * adjusted + (1.0 - share) * graph[_CUT + 1, place]


@kernel
def _corrections(diff: Any, margin: Any, tie: Any, exact: Any) -> Any:
    """Corrections `(v, 1 - w)`: exact ones, or the package's wherever the package has an answer."""
    if not exact:
        v, w = _drawn(diff, margin) if tie else _won(diff, margin)
        if 0.0 < w < 1.0 - SMALLEST:
            return v, 1.0 - w
    return within(diff, margin) if tie else above(diff, margin)


@kernel
def _won(diff: Any, margin: Any) -> Any:
    x = diff - margin
    mass = _fitted_cdf(x)
    v = _density(x) / mass if mass > 0.0 else -x
    return v, v * (v + x)


@kernel
def _drawn(diff: Any, margin: Any) -> Any:
    upper, lower = margin - abs(diff), -margin - abs(diff)
    mass = _fitted_cdf(upper) - _fitted_cdf(lower)
    if mass == 0.0:
        return 0.0, 1.0
    v = (_density(lower) - _density(upper)) / mass
    w = v * v + (upper * _density(upper) - lower * _density(lower)) / mass
    return (-v if diff < 0.0 else v), w


@kernel
def _density(x: Any) -> Any:
    return DENSITY_AT_ZERO * math.exp(-0.5 * x * x)


@kernel
def _fitted_cdf(x: Any) -> Any:
    """The normal distribution as the package fits it.

    Source: Press et al., "Numerical Recipes in C", 2nd edition, section 6.2, `erfcc`.
    """
    z = abs(x) * ROOT_HALF
    t = 1.0 / (1.0 + 0.5 * z)
    power = 0.0
    for k in range(len(_FIT) - 1, -1, -1):
        power = power * t + _FIT[k]
    tail = 0.5 * t * math.exp(-z * z + power)
    return tail if x < 0.0 else 1.0 - tail

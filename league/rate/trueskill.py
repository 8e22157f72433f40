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
_TINY = 1e-100  # a mass whose square is still far above the smallest number there is
_FIT = (
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806,
    0.27886807, -1.13520398, 1.48851587, -0.82215223, 0.17087277,
)  # fmt: skip


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
    graph = np.zeros((9, seats))
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


# The graph of a match is an array `[9, S]`: for each place of the ranking, precision and precision-adjusted
# mean of four messages: the performance as the skill has it, what the better neighbour says about it, what
# the worse neighbour says about it, and what the ranking says about the difference with the worse
# neighbour. The last are kept undivided, with the number that divides both, for a division takes as long as
# several multiplications and each message waits for the one before.
_BASE, _BETTER, _WORSE, _CUT, _REST = 0, 2, 4, 6, 8


@kernel
def _rate(
    mu: Any, sigma: Any, bots: Any, ranks: Any, order: Any, graph: Any, constants: Any, exact: Any
) -> None:
    """Update `mu` and `sigma` of the bots of one match."""
    margin, beta_squared, tau_squared = constants
    last = len(order) - 1
    graph[:] = 0.0
    graph[_REST] = 1.0
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
    upper_adjusted = graph[_BASE + 1, place] + graph[_BETTER + 1, place]
    lower_adjusted = graph[_BASE + 1, place + 1] + graph[_WORSE + 1, place + 1]
    product = upper * lower
    scale = 1.0 / math.sqrt(product * (upper + lower))
    root = product * scale  # of the precision of the difference
    diff = (upper_adjusted * lower - lower_adjusted * upper) * scale  # in its standard deviations
    v, w, whole = _corrections(diff, margin * root, tie, exact)
    precision, adjusted, rest = root * root * w, root * (v + diff * w), whole - w
    now, before = 1.0 / rest, 1.0 / graph[_REST, place]
    change = max(
        abs(adjusted * now - graph[_CUT + 1, place] * before),
        math.sqrt(abs(precision * now - graph[_CUT, place] * before)),
    )
    graph[_CUT, place] = precision
    graph[_CUT + 1, place] = adjusted
    graph[_REST, place] = rest
    return change


@kernel
def _tell_worse(graph: Any, place: Any) -> None:
    """Tell the worse of the pair at `place` what the better one's performance says about it."""
    precision = graph[_BASE, place] + graph[_BETTER, place]
    adjusted = graph[_BASE + 1, place] + graph[_BETTER + 1, place]
    cut = graph[_CUT, place]
    both = 1.0 / (cut + graph[_REST, place] * precision)
    graph[_BETTER, place + 1] = both * cut * precision
    graph[_BETTER + 1, place + 1] = both * (cut * adjusted - graph[_CUT + 1, place] * precision)


@kernel
def _tell_better(graph: Any, place: Any) -> None:
    """Tell the better of the pair at `place` what the worse one's performance says about it."""
    precision = graph[_BASE, place + 1] + graph[_WORSE, place + 1]
    adjusted = graph[_BASE + 1, place + 1] + graph[_WORSE + 1, place + 1]
    cut = graph[_CUT, place]
    both = 1.0 / (cut + graph[_REST, place] * precision)
    graph[_WORSE, place] = both * cut * precision
    graph[_WORSE + 1, place] = both * (cut * adjusted + graph[_CUT + 1, place] * precision)


@kernel
def _corrections(diff: Any, margin: Any, tie: Any, exact: Any) -> Any:
    """Corrections `(v, w, whole)`, to be divided by `whole`: exact ones, or the package's where it has an answer."""
    if not exact:
        v, w, whole = _drawn(diff, margin) if tie else _won(diff, margin)
        if 0.0 < w < whole * (1.0 - SMALLEST):
            return v, w, whole
    v, rest = within(diff, margin) if tie else above(diff, margin)
    return v, 1.0 - rest, 1.0


@kernel
def _won(diff: Any, margin: Any) -> Any:
    x = diff - margin
    density, mass = _density(x), _fitted_cdf(x)
    if mass < _TINY:
        density, mass = density / mass if mass > 0.0 else -x, 1.0
    return density * mass, density * (density + x * mass), mass * mass


@kernel
def _drawn(diff: Any, margin: Any) -> Any:
    upper, lower = margin - abs(diff), -margin - abs(diff)
    mass = _fitted_cdf(upper) - _fitted_cdf(lower)
    fall, rise = _density(lower) - _density(upper), upper * _density(upper) - lower * _density(lower)
    if 0.0 < mass < _TINY:
        fall, rise, mass = fall / mass, rise / mass, 1.0
    return (-fall if diff < 0.0 else fall) * mass, fall * fall + rise * mass, mass * mass


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
    t2 = t * t
    t4 = t2 * t2
    a0, a1, a2, a3, a4, a5, a6, a7, a8, a9 = _FIT  # summed in pairs, of which none waits for another
    low, middle = a0 + a1 * t + (a2 + a3 * t) * t2, a4 + a5 * t + (a6 + a7 * t) * t2
    power = low + (middle + (a8 + a9 * t) * t4) * t4
    tail = 0.5 * t * math.exp(-z * z + power)
    return tail if x < 0.0 else 1.0 - tail

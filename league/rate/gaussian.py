"""Moments of a truncated normal, exact to rounding everywhere: far tails, narrow bands and single points.

Both functions answer with the pair `(v, rest)` of TrueSkill's corrections: the mean of the truncated
variable is `diff + v`, its variance `rest` = 1 - w. Source: Herbrich, Minka and Graepel, "TrueSkill: a
Bayesian skill rating system" (NIPS 2006), table 1; the functions V and W there.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from league.kernels import kernel

ROOT_HALF = math.sqrt(0.5)
DENSITY_AT_ZERO = 1 / math.sqrt(2 * math.pi)
"""Of a standard normal."""

_ROOT_TWO_OVER_PI = math.sqrt(2 / math.pi)
_FAR = 26.0  # beyond it exp(x * x) overflows and the asymptotic series is exact to rounding
_NARROW = 0.05  # bands of at most this half width are integrated by quadrature, free of cancellation
_STEEP = 2.0  # ... unless the density falls by more than exp(-2 * _STEEP) across the band
_LOST = 30.0  # standard deviations from which differences of moments have lost their digits
_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(8)
SMALLEST = 1e-12
"""No truncation leaves less variance than this share of what was there; it keeps every precision finite."""


@kernel
def erfcx(x: Any) -> Any:
    """The scaled complementary error function exp(x * x) * erfc(x), for `x` >= 0.

    Source: the asymptotic series is Abramowitz and Stegun, 7.1.23.
    """
    if x < _FAR:
        return math.exp(x * x) * math.erfc(x)
    y = 0.5 / (x * x)
    return (1.0 - y * (1.0 - 3.0 * y * (1.0 - 5.0 * y * (1.0 - 7.0 * y)))) / (x * math.sqrt(math.pi))


@kernel
def above(diff: Any, margin: Any) -> Any:
    """Corrections `(v, rest)` for a standard normal around `diff`, known to exceed `margin`."""
    x = diff - margin
    if x > 0.0:
        v = math.exp(-0.5 * x * x) * DENSITY_AT_ZERO / (1.0 - 0.5 * math.erfc(x * ROOT_HALF))
        return v, 1.0 - v * (v + x)
    v = _ROOT_TWO_OVER_PI / erfcx(-x * ROOT_HALF)
    if x > -_LOST:
        return v, 1.0 - v * (v + x)
    y = 1.0 / (x * x)  # the asymptotic series of 1 - v * (v + x)
    return v, max(y * (1.0 - y * (6.0 - y * (50.0 - y * (518.0 - 6354.0 * y)))), SMALLEST)


@kernel
def within(diff: Any, margin: Any) -> Any:
    """Corrections `(v, rest)` for a standard normal around `diff`, known to be within `margin` of 0."""
    side = -1.0 if diff < 0.0 else 1.0
    distance = abs(diff)
    if margin <= _NARROW and margin * distance <= _STEEP:
        v, rest = _by_quadrature(distance, margin)
    else:
        v, rest = _by_tails(distance, margin)
    return side * v, min(max(rest, SMALLEST), 1.0)


@kernel
def _by_quadrature(distance: Any, margin: Any) -> Any:
    total, first, second = 0.0, 0.0, 0.0
    for k in range(len(_POINTS)):
        at = margin * _POINTS[k]
        mass = _WEIGHTS[k] * math.exp(distance * at - 0.5 * at * at)
        total += mass
        first += mass * at
        second += mass * at * at
    mean = first / total
    return mean - distance, second / total - mean * mean


@kernel
def _by_tails(distance: Any, margin: Any) -> Any:
    near, far = distance - margin, distance + margin  # the band, seen from the mean towards zero
    if near > _LOST:
        v, rest = above(-near, 0.0)
        return -v, rest
    fall = math.exp(-2.0 * distance * margin)  # density at far over density at near
    if near > 0.0:
        mass = (erfcx(near * ROOT_HALF) - fall * erfcx(far * ROOT_HALF)) / _ROOT_TWO_OVER_PI
        density = 1.0
    else:
        mass = 0.5 * (math.erfc(near * ROOT_HALF) - math.erfc(far * ROOT_HALF))
        density = math.exp(-0.5 * near * near) * DENSITY_AT_ZERO
    v = density * (1.0 - fall) / mass
    return -v, 1.0 - v * v + density * (near - far * fall) / mass

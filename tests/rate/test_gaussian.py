from __future__ import annotations

import mpmath  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.rate.gaussian import SMALLEST, above, erfcx, within


def moments(diff: float, low: float, high: float) -> tuple[float, float]:
    """Mean and variance of a standard normal around `diff`, truncated, with sixty digits."""
    with mpmath.workdps(60):
        a, b = mpmath.mpf(low) - diff, mpmath.mpf(high) - diff
        if a > 0:  # keep differences of tails small
            mass = mpmath.erfc(a / mpmath.sqrt(2)) / 2 - mpmath.erfc(b / mpmath.sqrt(2)) / 2
        else:
            mass = mpmath.ncdf(b) - mpmath.ncdf(a)
        first = (mpmath.npdf(a) - mpmath.npdf(b)) / mass
        edges = sum(sign * (x * mpmath.npdf(x) if mpmath.isfinite(x) else 0) for sign, x in ((1, a), (-1, b)))
        return float(first), float(1 + edges / mass - first**2)


@given(st.floats(-300, 30), st.floats(0, 5))
def test_above_is_exact(diff: float, margin: float) -> None:
    v, rest = above(diff, margin)
    expected = moments(diff, margin, mpmath.inf)
    assert v == pytest.approx(expected[0], rel=1e-10, abs=1e-15)
    assert rest == pytest.approx(expected[1], rel=1e-6)


@given(st.floats(-300, 300), st.floats(1e-5, 20))
def test_within_is_exact(diff: float, margin: float) -> None:
    v, rest = within(diff, margin)
    expected = moments(diff, -margin, margin)
    assert v == pytest.approx(expected[0], rel=1e-8, abs=1e-8)
    if abs(diff) - margin < 50 or margin * abs(diff) > 20:  # a narrow band far out keeps more than its width
        assert rest == pytest.approx(expected[1], rel=1e-5, abs=1e-9)
    assert SMALLEST <= rest <= 1


@given(st.floats(0, 1e6))
def test_erfcx_is_exact(x: float) -> None:
    with mpmath.workdps(40):
        assert erfcx(x) == pytest.approx(float(mpmath.exp(mpmath.mpf(x) ** 2) * mpmath.erfc(x)), rel=1e-10)

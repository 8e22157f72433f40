"""Room to work in: rows that kernels make for themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

from league.kernels import kernel, rows


def row_maker(dtype: np.dtype[Any]) -> Callable[[Any], Any]:
    """A kernel that makes rows of a type, holding anything; uncompiled kernels get record rows."""
    if numba.config.DISABLE_JIT:
        return lambda count: rows(count, dtype)

    @kernel
    def make(count: Any) -> Any:
        return np.empty(count, dtype)

    return make

"""Room to work in: rows that kernels make for themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from league.kernels import IS_COMPILED, rows, specialise

dtype: np.dtype[Any] = np.dtype(np.int64)
"""Bound anew in each maker."""


def _make(count: Any) -> Any:
    return np.empty(count, dtype)


def row_maker(name: str, of: Any) -> Callable[[Any], Any]:
    """A kernel that makes rows of a type, holding anything; uncompiled kernels get rows of their own kind.

    `name` must be unlike that of any other maker: linked code knows functions by their names.
    """
    return specialise(_make, name, dtype=of) if IS_COMPILED else lambda count: rows(count, of)

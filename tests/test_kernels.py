"""Rows for uncompiled kernels stand in for the records that compiled ones see."""

from __future__ import annotations

import numpy as np
import pytest

from league.kernels import _PlainRow


@pytest.mark.parametrize("name", ["round", "copy", "item", "seats"])
def test_a_field_of_an_uncompiled_row_comes_before_what_numpy_calls_alike(name: str) -> None:
    row = np.zeros(1, np.dtype((_PlainRow, [(name, "i2"), ("dice", "i1", (2,))])))[0]
    setattr(row, name, 3)
    row.dice[1] = 4
    assert (getattr(row, name), row.dice[1], row[name]) == (3, 4, 3)
    assert type(getattr(row, name)) is int

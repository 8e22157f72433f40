"""Rows for uncompiled kernels stand in for records of compiled ones; compiled kernels leave nothing behind."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core.runtime import _nrt_python, nrt  # type: ignore[attr-defined]

from league.games.rummikub import GAME
from league.games.rummikub.solver import best_play
from league.kernels import _PlainRow, rows


@pytest.mark.parametrize("name", ["round", "copy", "item", "seats"])
def test_a_field_of_an_uncompiled_row_comes_before_what_numpy_calls_alike(name: str) -> None:
    row = np.zeros(1, np.dtype((_PlainRow, [(name, "i2"), ("dice", "i1", (2,))])))[0]
    setattr(row, name, 3)
    row.dice[1] = 4
    assert (getattr(row, name), row.dice[1], row[name]) == (3, 4, 3)
    assert type(getattr(row, name)) is int


def test_nothing_that_kernels_make_is_left() -> None:
    """Parts that count no references neither keep what their callers made nor free it too early."""
    game, (view, action) = GAME(2), (rows(1, GAME.view_dtype), rows(1, GAME.action_dtype))
    weights, plays = np.ones(53, np.int64), 0
    _nrt_python.memsys_enable_stats()
    for repeat in range(2):
        before = nrt.rtsys.get_allocation_stats()  # type: ignore[no-untyped-call]
        state = game.start(3)[0]
        while state["to_move"] >= 0:
            game.kernels.observe(state, view[0])
            game.kernels.stand_in(state, action[0])
            plays += best_play(view[0], weights, np.int64(0), action[0])
            game.kernels.step(state, action[0])
        after = nrt.rtsys.get_allocation_stats()  # type: ignore[no-untyped-call]
        if repeat:  # what is compiled the first time stays
            assert after.alloc - before.alloc == after.free - before.free > 1000
    assert plays > 20

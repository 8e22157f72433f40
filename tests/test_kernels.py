"""Rows for uncompiled kernels stand in for records of compiled ones; compiled kernels leave nothing behind."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from numba.core.runtime import _nrt_python, nrt  # type: ignore[attr-defined]

from league import addresses
from league.addresses import _Place, apart, load_beside
from league.games.rummikub import GAME
from league.games.rummikub.solver import best_play
from league.kernels import _PlainRow, kernel, rows

PAIR = np.dtype([("left", "i8"), ("right", "i8")])


@apart("test_swap_into", PAIR, PAIR)
def swap_into(source: Any, target: Any) -> Any:
    target.left, target.right = source.right, source.left
    return source.left > source.right


@kernel
def swap(pairs: Any) -> Any:
    return swap_into(pairs[0], pairs[1]) * 10 + swap_into(pairs[1], pairs[2])


@kernel
def swap_twice(pairs: Any) -> Any:
    return swap(pairs) * 10 + swap_into(pairs[2], pairs[0])


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


@pytest.mark.parametrize("call", [swap, swap_twice])
def test_a_kernel_by_itself_writes_its_callers_rows(call: Any) -> None:
    pairs = rows(3, PAIR)
    pairs[0] = (7, 2)
    assert call(pairs) == {swap: 10, swap_twice: 101}[call]
    assert pairs[1].tolist() == (2, 7)
    assert pairs[2].tolist() == (7, 2)


def test_an_interrupt_waits_for_a_kernel_to_be_loaded(request: pytest.FixtureRequest) -> None:
    """The caller gets its answer, and the interrupt comes after it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    called_as = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
    kernel_of_one = called_as(lambda first, second: 5)
    found = [ctypes.cast(kernel_of_one, ctypes.c_void_p).value, KeyboardInterrupt]

    def find() -> int:
        last = found.pop()
        if isinstance(last, int):
            return last
        raise KeyboardInterrupt

    place = _Place("test_interrupted", find)
    assert called_as(place._address.value or 0)(None, None) == 5
    with pytest.raises(KeyboardInterrupt):
        time.sleep(5)
    assert called_as(place._address.value or 0)(None, None) == 5


def test_a_plugins_compiled_code_follows_what_it_is_linked_with(tmp_path: Path) -> None:
    package = tmp_path / "plugin"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "rules.py").write_text(
        "from league.kernels import kernel\nfrom plugin.helpers import worth\n\n\n"
        "@kernel\ndef double(x):\n    return 2 * worth(x)\n"
    )
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}:{Path.cwd()}", "PYTHONDONTWRITEBYTECODE": "1"}

    def answer(worth: str) -> int:
        (package / "helpers.py").write_text(
            f"from league.kernels import kernel\n\n\n@kernel\ndef worth(x):\n    return {worth}\n"
        )
        script = [sys.executable, "-c", "from plugin.rules import double; print(double(3))"]
        return int(subprocess.run(script, env=environment, capture_output=True, text=True, check=True).stdout)

    assert [answer("x + 1"), answer("x + 2"), answer("x + 1")] == [8, 10, 8]


def test_kernels_that_lack_are_loaded_by_processes_beside_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "cache_folder", lambda: tmp_path / "kernels")
    (tmp_path / "kernels" / "league").mkdir(parents=True)
    (tmp_path / "kernels" / "league" / "addresses.there-1.nbi").touch()
    told = tmp_path / "told"

    def tell() -> None:
        time.sleep(0.1)
        told.write_text(str(os.getpid()))

    def fail() -> None:
        raise RuntimeError("found out by whoever calls it next")

    before = psutil.Process().children()
    with load_beside({"lacking": tell, "there": told.unlink, "failing": fail}):
        assert not told.exists()
    assert int(told.read_text()) != os.getpid()
    assert psutil.Process().children() == before

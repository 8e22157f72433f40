"""Kernels that are compiled by themselves and called where they lie, by address.

All else that a kernel calls is linked into it and compiled with it again, which for the largest kernels takes longer
than to write them anew, and which nobody can do for bots that come and go.
"""

from __future__ import annotations

import ctypes
import os
import traceback
from _thread import interrupt_main
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import Any, cast

import numba
import numpy as np
from llvmlite.binding import add_symbol  # type: ignore[import-untyped]
from llvmlite.ir import FunctionType, IntType  # type: ignore[import-untyped]
from numba import carray  # type: ignore[attr-defined]
from numba.core import cgutils
from numba.extending import intrinsic

from league.kernels import IS_COMPILED, Kernel, cache_folder, kernel, specialise


class _Place:
    """Where a kernel that is compiled by itself lies in memory; until it is called first, that is code that loads it.

    Other kernels, on disk or not, know the place by its symbol.
    """

    def __init__(self, symbol: str, find: Callable[[], int]) -> None:
        self._find = find
        self._called_as = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
        self._loads = self._called_as(self._load)
        self._address = ctypes.cast(self._loads, ctypes.c_void_p)
        add_symbol(symbol, ctypes.addressof(self._address))

    def _load(self, first: int, second: int) -> int:
        """Load the kernel and answer the call; no exception may leave, for compiled code waits for an answer."""
        while True:
            try:
                self._address.value = address = self._find()
                return int(self._called_as(address)(first, second))
            except KeyboardInterrupt:
                Timer(0.1, interrupt_main).start()  # when the answer is there
            except BaseException:
                traceback.print_exc()
                os.abort()


def apart(name: str, first: np.dtype[Any], second: np.dtype[Any]) -> Callable[[Kernel], Kernel]:
    """Compile a kernel of two rows once and by itself; others call it where it lies.

    Such a kernel returns an `int64`, and only kernels can call it.

    Args:
        name: Unlike that of any other kernel.
        first: Type of the first row.
        second: Type of the second row.
    """

    def decorate(function: Kernel) -> Kernel:
        if not IS_COMPILED:
            return function
        inside = specialise(_by_address, name, inside=kernel(function))
        taken = tuple(numba.types.CPointer(numba.from_dtype(dtype)) for dtype in (first, second))  # type: ignore[no-untyped-call]
        place = _Place(name, lambda: _loaded_once(inside, taken, name))

        def call(context: Any, one: Any, other: Any) -> Any:
            return numba.int64(one, other), _caller(name, place)

        return cast(Kernel, intrinsic(call))

    return decorate


inside: Any = None
"""Bound anew for each kernel that is compiled by itself."""


def _by_address(first: Any, second: Any) -> Any:
    return np.int64(inside(carray(first, 1)[0], carray(second, 1)[0]))


def _loaded_once(entry: Any, taken: tuple[Any, ...], name: str) -> int:
    """Load or compile a kernel; of several processes that lack it one compiles it, unless there is nowhere to write."""
    from filelock import FileLock  # only now, for once loaded it has work to do whenever this process forks

    with ExitStack() as alone:
        with suppress(OSError):
            cache_folder().mkdir(parents=True, exist_ok=True)
            alone.enter_context(FileLock(cache_folder() / f"{name}.lock"))
        compiled = _compiled(entry, taken)
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name))


@contextmanager
def load_beside(calls: Mapping[str, Callable[[], None]]) -> Iterator[None]:
    """Make calls that load kernels of `apart`, by name, in processes of their own, to have those on disk at the end.

    Only those that are not there yet, so mostly it does nothing. This process must have one thread.
    """
    here = Path(__file__).stem
    lacking = [name for name in calls if not any(cache_folder().glob(f"*/{here}.{name}-*.nbi"))]
    started: list[int] = []
    try:
        with suppress(OSError):  # then this process loads them, one after the other
            if IS_COMPILED and hasattr(os, "fork"):
                started += map(_forked, (calls[name] for name in lacking))
        yield
    finally:
        for pid in started:
            os.waitpid(pid, 0)


def _forked(call: Callable[[], None]) -> int:
    """A forked process that makes a call; if it fails, whoever makes it again will see why."""
    pid = os.fork()
    if not pid:
        with suppress(BaseException):
            call()
        os._exit(0)
    return pid


def _caller(symbol: str, place: _Place) -> Callable[..., Any]:
    """Code that calls what lies at a place, which lives as long as the code."""

    def call(context: Any, builder: Any, signature: Any, rows: Any) -> Any:
        pointer = IntType(8).as_pointer()
        called = FunctionType(IntType(64), [pointer, pointer]).as_pointer()
        found = builder.load(context.get_c_value(builder, called, symbol))
        return builder.call(found, [builder.bitcast(row, pointer) for row in rows])

    return call


def _compiled(entry: Any, taken: tuple[Any, ...]) -> Any:
    entry.compile(taken)
    return entry.overloads[taken]


def address_of(entry: Callable[..., Any], taken: tuple[Any, ...]) -> int:
    """Compile a kernel for arguments of some types, as `numba.typeof` tells them, and answer where its code lies."""
    compiled = _compiled(entry, taken)
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def _ask(code: Any, view: Any, action: Any, seed: Any, options: Any) -> None:
    code(view, action, seed, options)


def _ask_at(context: Any, code: Any, view: Any, action: Any, seed: Any, options: Any) -> Any:
    taken = (view, action, seed, numba.types.voidptr)

    def call(target: Any, builder: Any, signature: Any, values: Any) -> Any:
        convention = target.call_conv
        function = convention.get_function_type(numba.void, taken).as_pointer()
        lies_at, *given, options_at = values
        given.append(builder.inttoptr(options_at, IntType(8).as_pointer()))
        called = builder.inttoptr(lies_at, function)
        status, _ = convention.call_function(builder, called, numba.void, taken, given)
        with cgutils.if_unlikely(builder, status.is_error):  # type: ignore[no-untyped-call]
            convention.return_status_propagate(builder, status)
        return target.get_dummy_value()

    return numba.void(code, view, action, seed, options), call


ask: Callable[..., None] = intrinsic(_ask_at) if IS_COMPILED else _ask
"""Let the bot's function at an address answer a decision; what it raises is raised.

Its options are an address as well. Uncompiled, both are the objects themselves.
"""

"""Inside a locked-down process: let a bot play, and see which clocks and generators it touches that no league repeats.

Python tells a profiler of every call of a built-in function; the nearest frame of the bot's own code is to blame. Where
that only calls a kernel, which numba compiles meanwhile with an eye on the clock, nobody is.
"""

from __future__ import annotations

import json
import os
import pickle
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any, TypeAlias

import numba
import numpy as np

from league.games.find import game_with
from league.kernels import KeptCode
from league.play import Batch, Limits
from league.play.batch import BatchHost
from league.play.in_process import InProcessHost
from league.play.inside import Job, be_repeatable, bot_of
from league.play.table import play_batch

Touched: TypeAlias = tuple[str, int, str]
"""File in the bundle, line, and the full name of what was called."""

_CLOCKS = frozenset(
    f"{clock}{unit}"
    for clock in ("time", "perf_counter", "monotonic", "process_time", "thread_time")
    for unit in ("", "_ns")
) | {"localtime", "gmtime", "ctime"}
_COMPILER = str(Path(numba.__file__).parent) + os.sep
_GENERATOR: Any = getattr(random, "_inst")  # noqa: B009 - what the functions of `random` draw from


def _name_of(function: Any) -> str:
    """The full name of a built-in function, if it is a clock or a source of randomness that is everybody's."""
    owner, name = function.__self__, function.__name__
    if owner is _GENERATOR:
        return f"random.{name}"
    if isinstance(owner, type) and owner.__module__ == "datetime" and name in ("now", "utcnow", "today"):
        return f"datetime.{owner.__name__}.{name}"
    module = function.__module__
    if module == "time" and name in _CLOCKS:
        return f"time.{name}"
    return "os.urandom" if module == "posix" and name == "urandom" else ""


class _Watcher:
    """A profiler that keeps what it is looking for."""

    def __init__(self, home: str) -> None:
        self._home = home + os.sep
        self.touched: set[Touched] = set()

    def __call__(self, frame: FrameType, event: str, function: Any) -> None:
        if event != "c_call":
            return
        name = _name_of(function)
        place = self._place(frame) if name else None
        if place is not None:
            self.touched.add((*place, name))

    def _place(self, frame: FrameType | None) -> tuple[str, int] | None:
        """Where the bot's own code stands; nowhere if the compiler stands in between."""
        while frame is not None:
            file = frame.f_code.co_filename
            if file.startswith(_COMPILER):
                return None
            if file.startswith(self._home):
                return file.removeprefix(self._home), frame.f_lineno
            frame = frame.f_back
        return None


def report(argument: bytes, handles: Sequence[int]) -> None:
    """Play a batch with the bot in every seat, and tell what it touched as JSON."""
    job, batch, limits, seed = pickle.loads(argument)
    KeptCode(job.code)
    be_repeatable(job)
    touched = _watched(job, batch, limits, seed)
    with os.fdopen(handles[0], "wb") as pipe:
        pipe.write(json.dumps(sorted(touched)).encode(errors="replace"))


def _watched(job: Job, batch: Batch, limits: Limits, seed: int) -> set[Touched]:
    game, watcher = game_with(*job.game), _Watcher(str(job.home))
    before = repr(np.random.get_state())
    sys.setprofile(watcher)
    try:
        bot: Any = bot_of(job)
        host = (BatchHost if job.kind == "batch" else InProcessHost)(game, bot, job.options)
        play_batch(game, batch, [host], limits, seed)
    finally:
        sys.setprofile(None)
    drew = {("", 0, "numpy.random")} if repr(np.random.get_state()) != before else set()
    return watcher.touched | drew

"""Start locked-down processes, watch them from outside, and end them."""

from __future__ import annotations

import json
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import psutil

from league.errors import LeagueError
from league.sandbox import Allowance
from league.sandbox.unnamed import unnamed_file
from league.sandbox.weight import most_bytes
from league.sandbox.zygote import LENGTH, End, Errand, Start

_PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "XDG_CACHE_HOME", "LD_LIBRARY_PATH")
_ONE_THREAD = (
    "OPENBLAS_NUM_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "MALLOC_ARENA_MAX",
)

_CLOCK_OF_PROCESS = 2

_AT_REST = (
    psutil.STATUS_SLEEPING,
    psutil.STATUS_STOPPED,
    psutil.STATUS_IDLE,
    psutil.STATUS_ZOMBIE,
    psutil.STATUS_DEAD,
)

_AHEAD = 16
"""Requests that may wait for an answer, for each holds handles open."""


class Child:
    """A locked-down process, seen from outside.

    Args:
        zygote: What starts it.
        request: The number of the request to start it.
        pipe: The reading end of a pipe that the child alone can write to; it closes when the child ends.
    """

    def __init__(self, zygote: _Zygote, request: int, pipe: int) -> None:
        self._zygote = zygote
        self._request = request
        self._pipe = pipe
        self._poll = select.poll()
        self._poll.register(pipe, select.POLLIN)

    @cached_property
    def pid(self) -> int:
        """The process; whoever asks first waits until it is started.

        Raises:
            ZygoteError: It cannot be started.
        """
        return int(self._zygote.answer(self._request)["pid"])

    def has_written(self, timeout_ms: int) -> bool:
        """Wait until the child wrote something or ended; answer whether it did before the time was up."""
        return bool(self._poll.poll(timeout_ms))

    def read(self, most: int) -> bytes:
        """What the child wrote; empty when it ended or closed its side."""
        return os.read(self._pipe, most)

    def cpu_ns(self) -> int:
        """CPU time of the process so far, all its threads together."""
        if sys.platform == "linux":
            return int(time.clock_gettime_ns((~self.pid << 3) | _CLOCK_OF_PROCESS))
        times = psutil.Process(self.pid).cpu_times()
        return int((times.user + times.system) * 1e9)

    def is_asleep(self) -> bool:
        """Whether it waits for something of its own will; false while it computes, or waits for a processor or disk.

        One whose first thread has ended looks dead, whatever its other threads do.
        """
        try:
            status = psutil.Process(self.pid).status()
        except psutil.Error:
            return False
        return status in _AT_REST

    def threads(self) -> int:
        """How many threads it has."""
        try:
            return psutil.Process(self.pid).num_threads()
        except psutil.Error:
            return 0

    def end(self, grace_s: float = 0.0) -> str:
        """End it, for certain, and say how it ended; empty if it had to be killed.

        Args:
            grace_s: How long it may take to end by itself, for one whose pipe closed.
        """
        os.close(self._pipe)
        answer = self._zygote.answer(self._zygote.request(End(self.pid, grace_s)))
        return "" if answer["killed"] else describe_end(answer["status"])


def describe_end(status: int) -> str:
    """How a process ended, in words, from what `waitpid` tells."""
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return f"left with status {code}"
    name = signal.strsignal(-code) or "unknown"
    return f"was ended by signal {-code} ({name.lower()})"


class ZygoteError(RuntimeError):
    """The process that starts others failed: nobody's bot is to blame."""


@contextmanager
def _spoken_to() -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        raise ZygoteError(f"the process that starts bots does not answer: {error}") from None


class _Zygote:
    """The asking side; one for each process that plays.

    Args:
        hash_seed: Decides in what order sets of text are gone through in all that it starts.
    """

    def __init__(self, hash_seed: int = 0) -> None:
        here, there = socket.socketpair()
        self._door = here
        self._answering = here.makefile("rb")
        self._lock = threading.Lock()
        self._made = self._met = 0
        self._answers: dict[int, dict[str, Any]] = {}
        with there:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "league.sandbox", str(there.fileno())],
                pass_fds=[there.fileno()],
                env=_clean_environment(hash_seed),
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def request(self, request: Start | End, handles: Sequence[int] = ()) -> int:
        """Make a request, which may be answered later; answer its number.

        Raises:
            ZygoteError: It cannot be made.
        """
        body = pickle.dumps(request)
        with self._lock, _spoken_to():
            if self._made - self._met == _AHEAD:
                self._hear()
            socket.send_fds(self._door, [LENGTH.pack(len(body))], handles)
            self._door.sendall(body)
            self._made += 1
            return self._made

    def answer(self, number: int) -> dict[str, Any]:
        """Wait for the answer to a request.

        Raises:
            LeagueError: What it asks to prepare is not to be had.
            ZygoteError: It cannot be met.
        """
        with self._lock, _spoken_to():
            while number > self._met:
                self._hear()
        answer = self._answers[number]
        if "mistake" in answer:
            raise LeagueError(answer["mistake"])
        if "error" in answer:
            raise ZygoteError(f"the process that starts bots failed: {answer['error']}")
        return self._answers.pop(number)

    def _hear(self) -> None:
        """Take the next answer; they come in the order of the requests."""
        line = self._answering.readline()
        if not line:
            raise OSError("it has ended")
        self._met += 1
        self._answers[self._met] = json.loads(line)

    def close(self) -> None:
        self._answering.close()
        self._door.close()
        self._process.wait()


def _clean_environment(hash_seed: int) -> dict[str, str]:
    """What a stranger's code may know of the surroundings, and one order of sets for all."""
    kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    kept |= {name: value for name, value in os.environ.items() if name.startswith("NUMBA_")}
    kept |= dict.fromkeys(_ONE_THREAD, "1")
    paths = [os.path.abspath(path) for path in sys.path]  # noqa: PTH100 - the empty path means the current folder
    return kept | {
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": os.pathsep.join(paths),
    }


_zygotes: dict[int, _Zygote] = {}


def zygote() -> _Zygote:
    """This process's zygote, started when first needed; a forked process starts its own."""
    found = _zygotes.get(os.getpid())
    if found is not None and not found.is_alive():
        close_zygote()
        found = None
    if found is None:
        found = _zygotes[os.getpid()] = _Zygote()
    return found


def close_zygote() -> None:
    """End this process's zygote, if it has one, and all that it started."""
    found = _zygotes.pop(os.getpid(), None)
    if found is not None:
        found.close()


@contextmanager
def spawned_afresh() -> Iterator[None]:
    """For what is started meanwhile, another interpreter, in which sets of text are in another order."""
    before, _zygotes[os.getpid()] = zygote(), _Zygote(hash_seed=1)
    try:
        yield
    finally:
        close_zygote()
        _zygotes[os.getpid()] = before


def spawn(
    target: str,
    argument: object,
    handles: Sequence[int],
    pipe: int,
    printing: int,
    allowance: Allowance,
    prepare: tuple[str, tuple[object, ...]],
) -> Child:
    """Ask for a locked-down process, without waiting for it; several that are asked for start at the same time.

    Args:
        target: `"module:function"`, called inside with the pickled argument and the handles' new numbers.
        argument: For the target; pickled.
        handles: Open files to give it; the caller's own stay open.
        pipe: The reading end of a pipe whose writing end is among `handles`.
        printing: An open file for what it prints.
        allowance: What it may use.
        prepare: `"module:function"` and its arguments, run once beforehand, outside the lock-down and apart from here.

    Raises:
        ZygoteError: Nobody is there to start it.
    """
    starter = zygote()
    errand = unnamed_file(pickle.dumps(Errand(target, pickle.dumps(argument), allowance)))
    try:
        start = Start(prepare[0], pickle.dumps(prepare[1]), most_bytes(allowance.memory_mb))
        return Child(starter, starter.request(start, [errand, *handles, printing]), pipe)
    finally:
        os.close(errand)

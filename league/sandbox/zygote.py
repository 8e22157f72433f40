"""The process that starts locked-down processes by forking itself, so that each starts within milliseconds.

It runs as a program of its own (`python -m league.sandbox HANDLE`), begun with a clean memory and environment:
it holds the interpreter, the package and what `prepare` loaded, and nothing of whoever started it or of other bots. It
answers one request at a time on a socket and ends, with all it started, when that socket closes or its starter dies.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pickle
import select
import signal
import socket
import struct
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from league.errors import LeagueError
from league.sandbox import Allowance
from league.sandbox.lockdown import die_with, let_others_go_first, lock_down
from league.sandbox.syscalls import LIBC
from league.sandbox.unnamed import content_of
from league.sandbox.weight import held_bytes

LENGTH = struct.Struct("=I")
MOST_HANDLES = 8
_LOOK_AROUND_S = 1.0
_WEIGH_S = 0.05
"""How often processes are weighed, also those that are asked nothing."""
_GRACE_STEP_S = 0.002


@dataclass(frozen=True)
class Start:
    """A request for a locked-down process.

    What it is for stands in a file, the first of the handles that come along, as an `Errand` that is read inside only:
    this process keeps nothing of it that those forked later could find.

    Attributes:
        prepare: `"module:function"`, called beforehand in the zygote itself, with `prepared`, once for each value.
        prepared: Values for `prepare`.
        most_bytes: What the process may hold beyond what it starts with; it is ended when it holds more.
    """

    prepare: str
    prepared: bytes
    most_bytes: int


@dataclass(frozen=True)
class Errand:
    """What a locked-down process is for.

    Attributes:
        target: `"module:function"`, called inside with `argument` and the other handles.
        argument: For the target.
        allowance: What it may use.
    """

    target: str
    argument: bytes
    allowance: Allowance


@dataclass(frozen=True)
class End:
    """A request to end a process and to tell how it ended.

    Attributes:
        pid: The process.
        grace_s: How long it is given to end by itself, for one that seems to be at its end.
    """

    pid: int
    grace_s: float = 0.0


def find(target: str) -> Callable[..., Any]:
    """The function that `"module:function"` names."""
    module, _, function = target.partition(":")
    return getattr(importlib.import_module(module), function)  # type: ignore[no-any-return]


def _give_back_memory() -> None:
    """Return to the system what is free again, for a fork takes the longer the more memory there is."""
    if hasattr(LIBC, "malloc_trim"):  # glibc has it
        LIBC.malloc_trim(0)


class Zygote:
    """The answering side."""

    def __init__(self, door: socket.socket) -> None:
        self._door = door
        self._starter = os.getppid()
        self._children: dict[int, int] = {}
        """What each may hold, in bytes."""
        self._ready: set[tuple[str, bytes]] = set()

    def run(self) -> None:
        """Answer requests until nobody is left to make them, be it in the middle of one."""
        try:
            with suppress(EOFError, ConnectionError):
                while self._is_wanted():
                    self._answer_one()
        finally:
            for pid in list(self._children):
                self._end(End(pid))

    def _answer_one(self) -> None:
        head, handles, _, _ = socket.recv_fds(self._door, LENGTH.size, MOST_HANDLES)
        if not head:
            raise EOFError
        request = pickle.loads(self._read(LENGTH.unpack(head)[0]))
        self._door.sendall(json.dumps(self._answer(request, handles)).encode() + b"\n")

    def _is_wanted(self) -> bool:
        """Wait for a request; answer whether there may be one."""
        while not select.select([self._door], [], [], _WEIGH_S if self._children else _LOOK_AROUND_S)[0]:
            if os.getppid() != self._starter:
                return False
            self._weigh()
        return True

    def _weigh(self) -> None:
        """End who holds too much; whoever waits for it is told as when the system does that."""
        for pid, most in self._children.items():
            if held_bytes(pid) > most:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)

    def _read(self, length: int) -> bytes:
        data = b""
        while len(data) < length:
            part = self._door.recv(length - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def _answer(self, request: Start | End, handles: Sequence[int]) -> dict[str, Any]:
        try:
            if isinstance(request, End):
                return self._end(request)
            return {"pid": self._start(request, handles)}
        except LeagueError as error:
            return {"mistake": str(error)}
        except Exception as error:
            return {"error": f"{type(error).__name__}: {error}"}
        finally:
            for handle in handles:
                os.close(handle)

    def _start(self, request: Start, handles: Sequence[int]) -> int:
        prepared = (request.prepare, request.prepared)
        if prepared not in self._ready:
            find(request.prepare)(*pickle.loads(request.prepared))
            self._ready.add(prepared)
            gc.collect()
            gc.freeze()
            _give_back_memory()
        zygote = os.getpid()
        pid = os.fork()
        if not pid:
            self._become(list(handles), zygote)
        with suppress(
            PermissionError, ProcessLookupError
        ):  # it was quicker, and is another program or gone already
            os.setpgid(pid, pid)
        self._children[pid] = held_bytes(zygote) + request.most_bytes
        return pid

    def _become(self, handles: list[int], zygote: int) -> None:
        """Inside the new process: lock the door behind, then do what is asked; the last handle is for printing."""
        try:
            die_with(zygote)
            os.setpgid(0, 0)
            let_others_go_first()
            self._door.close()
            for stream in (1, 2):
                os.dup2(handles[-1], stream)
            os.close(handles.pop())
            errand: Errand = pickle.loads(content_of(handles[0]))
            os.close(handles.pop(0))
            target = find(errand.target)
            lock_down(errand.allowance)
            target(errand.argument, handles)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)

    def _end(self, request: End) -> dict[str, Any]:
        """Kill a process and whatever is in its group; answer its status as `waitpid` tells it."""
        pid = request.pid
        if pid not in self._children:
            raise ValueError(f"process {pid} was not started here")
        del self._children[pid]
        found, status = os.waitpid(pid, os.WNOHANG)
        for _ in range(int(request.grace_s / _GRACE_STEP_S)):
            if found:
                break
            time.sleep(_GRACE_STEP_S)
            found, status = os.waitpid(pid, os.WNOHANG)
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        return {"status": status if found else os.waitpid(pid, 0)[1], "killed": not found}

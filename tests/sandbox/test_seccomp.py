"""The filter of system calls judges each call once."""

from __future__ import annotations

from itertools import chain

import pytest

from league.sandbox import syscalls
from league.sandbox.syscalls import MACHINES, Numbers

JUDGED = (
    "MMAP",
    "OPEN",
    "OPENAT",
    "FCNTL",
    "IOCTL",
    "PRCTL",
    "PRLIMIT64",
    "KILL",
    "TGKILL",
    "CLONE",
    "EXECVE",
)


@pytest.mark.parametrize("machine", MACHINES)
def test_no_call_is_let_through_before_it_is_judged(machine: str) -> None:
    judged: list[Numbers] = [getattr(syscalls, name) for name in JUDGED]
    column = MACHINES.index(machine)
    numbers = [each[column] for each in chain(syscalls.ALWAYS.values(), syscalls.UNKNOWN.values(), judged)]
    there = [number for number in numbers if number is not None]
    assert len(set(there)) == len(there)

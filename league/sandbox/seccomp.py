"""The filter of system calls: a short program for the kernel, written here instruction by instruction.

Calls that are not listed in `syscalls` fail with "operation not permitted"; a process cannot take a filter off again.
Source: Linux `Documentation/userspace-api/seccomp_filter.rst` and `Documentation/networking/filter.rst`.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Iterable, Sequence

from league.sandbox import syscalls
from league.sandbox.syscalls import Numbers

_LOAD, _AND, _JUMP_EQUAL, _JUMP_GREATER_EQUAL, _JUMP_ANY_BIT, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL = 0x7FFF0000, 0x80000000
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16
_X32 = 0x40000000

_PR_SET_SECCOMP, _MODE_FILTER = 22, 2
_GET_ACTION_AVAIL = 2

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_FCNTL = (0, 1, 2, 3, 4, 1030, 1032, 1034)
"""Duplicate, flags, pipe size, seals: nothing that locks a file or sends signals."""
_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""Whether it is a terminal and how large, bytes waiting, blocking, closing on exec."""
_PRCTL = (3, 15, 16, 21, 23, 39, 0x53564D41)
"""Names and questions; the signal on the parent's death must stay."""
_CLONE_THREAD = 0x00010000
_MAP_SHARED_ANONYMOUS, _MAP_GROWS_DOWN, _MAP_HUGE = 0x21, 0x0100, 0x40000
"""Memory that the limit on private memory does not count, or that is not seen from outside."""


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _fail(number: int) -> bytes:
    return _instruction(_RETURN, 0x00050000 | number)


def _when(number: int | None, then: Sequence[bytes]) -> list[bytes]:
    """Do `then`, which returns, for one system call; go on with the accumulator as it was for the others."""
    if number is None:
        return []
    return [_instruction(_JUMP_EQUAL, number, 0, len(then)), *then]


def _argument(place: int) -> bytes:
    """Load the low half of an argument."""
    return _instruction(_LOAD, _ARGUMENTS + 8 * place)


def _one_of(place: int, values: Iterable[int]) -> list[bytes]:
    """Allow if an argument is one of some values."""
    tests = [
        part
        for value in values
        for part in (_instruction(_JUMP_EQUAL, value, 0, 1), _instruction(_RETURN, _ALLOW))
    ]
    return [_argument(place), *tests, _fail(errno.EPERM)]


def _bits(place: int, bits: int, if_any: bytes, if_none: bytes) -> list[bytes]:
    """Decide by whether an argument has any of some bits."""
    return [_argument(place), _instruction(_JUMP_ANY_BIT, bits, 0, 1), if_any, if_none]


def _uncounted_memory(forbid: bytes) -> list[bytes]:
    """Forbid the kinds of memory that escape the limit."""
    return [
        _argument(3),
        _instruction(_JUMP_ANY_BIT, _MAP_GROWS_DOWN | _MAP_HUGE, 0, 1),
        forbid,
        _instruction(_AND, _MAP_SHARED_ANONYMOUS),
        _instruction(_JUMP_EQUAL, _MAP_SHARED_ANONYMOUS, 0, 1),
        forbid,
        _instruction(_RETURN, _ALLOW),
    ]


def program(machine: str, pid: int, threads: bool, runs: bool) -> bytes:
    """The filter for a process.

    Args:
        machine: One of `syscalls.MACHINES`.
        pid: The process, which may send signals to itself only.
        threads: Whether it may have threads.
        runs: Whether it may turn into another program; which one is Landlock's to say.
    """
    column = syscalls.MACHINES.index(machine)
    allow, forbid = _instruction(_RETURN, _ALLOW), _fail(errno.EPERM)
    rules: list[tuple[Numbers, Sequence[bytes]]] = [
        (numbers, [allow]) for numbers in syscalls.ALWAYS.values()
    ]
    rules += [(numbers, [_fail(errno.ENOSYS)]) for numbers in syscalls.UNKNOWN.values()]
    rules += [
        (syscalls.MMAP, _uncounted_memory(forbid)),
        (syscalls.OPEN, _bits(1, _WRITING, _fail(errno.EACCES), allow)),
        (syscalls.OPENAT, _bits(2, _WRITING, _fail(errno.EACCES), allow)),
        (syscalls.FCNTL, _one_of(1, _FCNTL)),
        (syscalls.IOCTL, _one_of(1, _IOCTL)),
        (syscalls.PRCTL, _one_of(0, _PRCTL)),
        (syscalls.PRLIMIT64, _one_of(0, (0, pid))),
        (syscalls.KILL, _one_of(0, (pid,))),
        (syscalls.TGKILL, _one_of(0, (pid,))),
        (syscalls.CLONE, _bits(0, _CLONE_THREAD, allow if threads else forbid, forbid)),
        (syscalls.EXECVE, [allow if runs else forbid]),
    ]
    body = [part for numbers, then in rules for part in _when(numbers[column], then)]
    return b"".join(
        [
            _instruction(_LOAD, _ARCH),
            _instruction(_JUMP_EQUAL, syscalls.AUDIT_ARCH[column], 1, 0),
            _instruction(_RETURN, _KILL),
            _instruction(_LOAD, _NUMBER),
            _instruction(_JUMP_GREATER_EQUAL, _X32, 0, 1),
            forbid,
            *body,
            forbid,
        ]
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def is_available() -> bool:
    """Whether this kernel filters system calls on this machine."""
    if platform.machine() not in syscalls.MACHINES:
        return False
    number = syscalls.SECCOMP[syscalls.MACHINES.index(platform.machine())]
    action = ctypes.c_uint32(0x00050000)
    return syscalls.LIBC.syscall(number, _GET_ACTION_AVAIL, 0, ctypes.byref(action)) == 0  # type: ignore[no-any-return]


def restrict(threads: bool, runs: bool) -> None:
    """Put the filter on this process, which must have one thread and `no_new_privs`.

    Raises:
        OSError: The kernel does not take it.
    """
    code = program(platform.machine(), os.getpid(), threads, runs)
    filter_ = _Program(len(code) // 8, code)
    if syscalls.LIBC.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(filter_), 0, 0):
        raise OSError(ctypes.get_errno(), "the system call filter was refused")

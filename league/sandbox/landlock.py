"""Landlock: which files a process may still open, and that it reaches nobody else.

Source: Linux `Documentation/userspace-api/landlock.rst`.
"""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

from league.sandbox import syscalls

_EXECUTE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 2, 1 << 3
_RULE_PATH_BENEATH = 1
_CREATE_VERSION = 1

SCOPES_SIGNALS = 6
"""The first version that keeps signals and abstract sockets inside; 4 is the first that knows of TCP."""


def version() -> int:
    """The version of Landlock in this kernel; 0 where there is none."""
    return max(0, _call(syscalls.LANDLOCK_CREATE_RULESET, None, 0, _CREATE_VERSION))


def _call(number: int, *arguments: object) -> int:
    return int(syscalls.LIBC.syscall(number, *arguments))


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), "Landlock refused")
    return result


def _handled(abi: int) -> bytes:
    """All rights that this version knows, for what is handled and not granted is denied."""
    files = 13 + (abi >= 2) + (abi >= 3) + (abi >= 5)
    words = [(1 << files) - 1] + [0b11] * (abi >= 4) + [0b11] * (abi >= SCOPES_SIGNALS)
    return struct.pack(f"={len(words)}Q", *words)


def restrict(readable: Iterable[str], runnable: Iterable[str]) -> None:
    """Let this process and what it turns into open only these files, and only to read or run them.

    Args:
        readable: Files and folders; those that do not exist are passed by.
        runnable: Programs.

    Raises:
        OSError: The kernel has no Landlock, or refuses.
    """
    rights = _handled(version())
    ruleset = _checked(_call(syscalls.LANDLOCK_CREATE_RULESET, rights, len(rights), 0))
    for path in readable:
        _grant(ruleset, path, _READ_FILE | _READ_DIR)
    for path in runnable:
        _grant(ruleset, path, _READ_FILE | _EXECUTE)
    _checked(_call(syscalls.LANDLOCK_RESTRICT_SELF, ruleset, 0))
    os.close(ruleset)


def _grant(ruleset: int, path: str, rights: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    if not stat.S_ISDIR(os.fstat(handle).st_mode):
        rights &= ~_READ_DIR
    rule = struct.pack("=Qi", rights, handle)
    _checked(_call(syscalls.LANDLOCK_ADD_RULE, ruleset, _RULE_PATH_BENEATH, rule, 0))
    os.close(handle)

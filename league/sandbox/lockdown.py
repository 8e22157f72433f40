"""The lock-down of the calling process, without root, and what of it this system lacks."""

from __future__ import annotations

import os
import resource
import signal
import struct
import sys
import sysconfig
from contextlib import suppress
from functools import cache
from pathlib import Path

from league.sandbox import Allowance, landlock, seccomp, syscalls

_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS = 1, 38
_CAPABILITY_VERSION = 0x20080522

OPEN_FILES = 128
"""Files that a locked-down process may have open."""

PRINTED = 64 * 1024
"""Bytes that a locked-down process may print, and the size of any file it could write."""

STACK = 8 << 20
"""Bytes that the stack of a locked-down process may grow to, which its limit of memory does not count."""


@cache
def missing() -> tuple[str, ...]:
    """What this system lacks of the lock-down, for people; empty when it is whole."""
    if sys.platform != "linux":
        return ("file rules (Landlock) and system call filters (seccomp), which are Linux only",)
    lacking = []
    version = landlock.version()
    if not version:
        lacking.append("file rules (Landlock; Linux 5.13, switched on in the kernel)")
    elif version < landlock.SCOPES_SIGNALS:
        lacking.append(f"signals kept inside (Landlock 6, Linux 6.12; this kernel has Landlock {version})")
    if not seccomp.is_available():
        lacking.append("system call filters (seccomp, on x86_64 or aarch64)")
    return tuple(lacking)


@cache
def interpreter_paths() -> tuple[str, ...]:
    """What Python needs to read: the interpreter, installed packages, this package, the system's libraries."""
    system = ["/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/dev/null", "/dev/urandom"]
    system += ["/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu"]
    scheme = sysconfig.get_paths()
    libraries = [scheme[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    installed = [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
    package = str(Path(__file__).parent.parent)
    found = dict.fromkeys([*system, sys.prefix, sys.base_prefix, *libraries, *installed, package])
    return tuple(path for path in found if path != "/")


def die_with(parent: int) -> None:
    """Let the kernel end this process when `parent` ends, which must have started it."""
    if sys.platform == "linux":
        syscalls.LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)


def let_others_go_first() -> None:
    """When this process is woken, do not take the processor from whoever wakes it and has others to wake yet."""
    if sys.platform == "linux":
        with suppress(OSError):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def lock_down(allowance: Allowance) -> None:
    """Give up, for good, all that the allowance does not name, as far as this system can.

    The process must have one thread. Afterwards it can write no file, open no socket, start no process and reach none;
    what it holds open already stays.
    """
    _limit(allowance.memory_mb)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    if sys.platform != "linux":
        return
    syscalls.LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    _drop_capabilities()
    if landlock.version():
        landlock.restrict(allowance.readable, allowance.runnable)
    if seccomp.is_available():
        seccomp.restrict(allowance.threads, bool(allowance.runnable))


def _limit(memory_mb: int) -> None:
    """Set the limits that every Unix has; memory counts from what the process holds now."""
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, PRINTED)
    _lower(resource.RLIMIT_NOFILE, OPEN_FILES)
    _lower(resource.RLIMIT_STACK, STACK)
    if sys.platform == "linux":
        held = int(Path("/proc/self/statm").read_bytes().split()[5]) * resource.getpagesize()
        _lower(resource.RLIMIT_DATA, held + (memory_mb << 20))
        Path("/proc/self/oom_score_adj").write_bytes(b"1000")


def _lower(what: int, value: int) -> None:
    hard = resource.getrlimit(what)[1]
    bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(what, (bound, bound))


def _drop_capabilities() -> None:
    """Lose root's powers, if there are any."""
    column = syscalls.MACHINES.index(os.uname().machine) if os.uname().machine in syscalls.MACHINES else None
    if column is not None:
        header, none = struct.pack("=Ii", _CAPABILITY_VERSION, 0), bytes(24)
        syscalls.LIBC.syscall(syscalls.CAPSET[column], header, none)

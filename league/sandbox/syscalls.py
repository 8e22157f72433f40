"""The system calls that a locked-down process may make, with their numbers.

Source: `arch/x86/entry/syscalls/syscall_64.tbl` and `include/uapi/asm-generic/unistd.h` of Linux 6.1.
"""

from __future__ import annotations

import ctypes
from typing import Final

LIBC: Final = ctypes.CDLL(None, use_errno=True)
"""The C library, opened before processes are forked, of which each would take a millisecond to do so."""

MACHINES: Final = ("x86_64", "aarch64")
"""The order of the numbers below; `None` where a machine has no such call."""

AUDIT_ARCH: Final = (0xC000003E, 0xC00000B7)
"""How seccomp names these machines (`include/uapi/linux/audit.h`)."""

Numbers = tuple[int | None, int | None]

ALWAYS: Final[dict[str, Numbers]] = {
    # files already open, and reading; what may be read is Landlock's to say
    "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66), "pread64": (17, 67),
    "pwrite64": (18, 68), "preadv": (295, 69), "pwritev": (296, 70), "lseek": (8, 62), "close": (3, 57),
    "close_range": (436, 436), "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24), "stat": (4, None),
    "lstat": (6, None), "fstat": (5, 80), "newfstatat": (262, 79), "statx": (332, 291), "access": (21, None),
    "faccessat": (269, 48), "faccessat2": (439, 439), "readlink": (89, None), "readlinkat": (267, 78),
    "getcwd": (79, 17), "chdir": (80, 49), "getdents64": (217, 61), "statfs": (137, 43), "fstatfs": (138, 44),

    # memory
    "munmap": (11, 215), "mprotect": (10, 226), "mremap": (25, 216), "madvise": (28, 233),
    "brk": (12, 214), "membarrier": (324, 283),
    # waiting
    "poll": (7, None), "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72), "epoll_create": (213, None),
    "epoll_create1": (291, 20), "epoll_ctl": (233, 21), "epoll_wait": (232, None), "epoll_pwait": (281, 22),
    "epoll_pwait2": (441, 441), "eventfd2": (290, 19), "timerfd_create": (283, 85), "timerfd_settime": (286, 86),
    "timerfd_gettime": (287, 87), "pipe": (22, None), "pipe2": (293, 59), "futex": (202, 98),
    "futex_waitv": (449, 449), "set_robust_list": (273, 99), "get_robust_list": (274, 100), "rseq": (334, 293),
    "nanosleep": (35, 101), "clock_nanosleep": (230, 115), "pause": (34, None), "restart_syscall": (219, 128),
    # asking about itself and the machine
    "set_tid_address": (218, 96), "gettid": (186, 178), "getpid": (39, 172), "getppid": (110, 173),
    "getuid": (102, 174), "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177),
    "getgroups": (115, 158), "getresuid": (118, 148), "getresgid": (120, 150), "getpgrp": (111, None),
    "getpgid": (121, 155), "getsid": (124, 156), "capget": (125, 90), "clock_gettime": (228, 113),
    "clock_getres": (229, 114), "gettimeofday": (96, 169), "time": (201, None), "times": (100, 153),
    "getrusage": (98, 165), "sysinfo": (99, 179), "uname": (63, 160), "getrandom": (318, 278),
    "getcpu": (309, 168), "getpriority": (140, 141), "getrlimit": (97, 163), "arch_prctl": (158, None),
    "sched_yield": (24, 124), "sched_getaffinity": (204, 123), "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120), "sched_get_priority_max": (146, 125), "sched_get_priority_min": (147, 126),
    # signals to itself, and the end
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133), "sigaltstack": (131, 132), "alarm": (37, None),
    "setitimer": (38, 103), "getitimer": (36, 102), "exit": (60, 93), "exit_group": (231, 94), "wait4": (61, 260),
    "waitid": (247, 95),
}  # fmt: skip

MMAP: Final[Numbers] = (9, 222)
OPEN: Final[Numbers] = (2, None)
OPENAT: Final[Numbers] = (257, 56)
FCNTL: Final[Numbers] = (72, 25)
IOCTL: Final[Numbers] = (16, 29)
PRCTL: Final[Numbers] = (157, 167)
PRLIMIT64: Final[Numbers] = (302, 261)
KILL: Final[Numbers] = (62, 129)
TGKILL: Final[Numbers] = (234, 131)
CLONE: Final[Numbers] = (56, 220)
EXECVE: Final[Numbers] = (59, 221)

UNKNOWN: Final[dict[str, Numbers]] = {
    "clone3": (435, 435),
    "openat2": (437, 437),
    "io_uring_setup": (425, 425),
}
"""Calls answered as if the kernel were older, so that libraries fall back to ones whose arguments can be judged."""

LANDLOCK_CREATE_RULESET: Final = 444
LANDLOCK_ADD_RULE: Final = 445
LANDLOCK_RESTRICT_SELF: Final = 446
SECCOMP: Final[Numbers] = (317, 277)
CAPSET: Final[Numbers] = (126, 91)

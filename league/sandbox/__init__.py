"""Processes in which a stranger's code may run: started cheaply, locked down, ended for certain.

What happens inside is told as `"module:function"`, so nothing here knows of games or bots. Linux gives the whole
lock-down, without root; elsewhere a process of its own and the limits that the system has remain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Allowance:
    """What a locked-down process may use.

    Attributes:
        readable: Files and folders it may read.
        memory_mb: Memory it may take for itself, in MiB.
        runnable: Programs it may turn into; nothing lets it start another process.
        threads: Whether it may have threads.
    """

    readable: Sequence[str]
    memory_mb: int
    runnable: Sequence[str] = ()
    threads: bool = False

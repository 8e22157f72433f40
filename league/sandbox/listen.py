"""Ask a locked-down process one thing, and hear its answer as bytes."""

from __future__ import annotations

import os

from league.sandbox import Allowance
from league.sandbox.spawn import Child, spawn
from league.sandbox.watch import Watch, tick_ms

MOST = 1 << 20
"""Bytes of an answer that are heard."""


def answer_of(
    target: str, argument: object, allowance: Allowance, prepare: tuple[str, tuple[object, ...]], seconds: int
) -> tuple[bytes, str]:
    """Start a process that writes an answer to the one handle it gets; answer that, and if nothing, how it ended.

    Args:
        target: `"module:function"`, called inside with the pickled argument and the handle.
        argument: For the target.
        allowance: What it may use.
        prepare: As for `spawn`.
        seconds: How long it may take.
    """
    ours, theirs = os.pipe()
    silent = os.open(os.devnull, os.O_WRONLY)
    try:
        child = spawn(target, argument, [theirs], ours, silent, allowance, prepare)
    except BaseException:
        os.close(ours)
        raise
    finally:
        os.close(theirs)
        os.close(silent)
    return _listen(child, seconds)


def _listen(child: Child, seconds: int) -> tuple[bytes, str]:
    watch, told = Watch(child), b""
    watch.begin(0)
    while len(told) < MOST:
        if child.has_written(tick_ms(1000)):
            part = child.read(MOST)
            if not part:
                break
            told += part
        if watch.look(0, 0) > seconds * 1_000_000_000:
            child.end()
            return b"", f"took more than {seconds} s to load"
    ending = child.end(grace_s=0.5)
    return told, f"its process {ending or 'told too much'} while it was loaded"

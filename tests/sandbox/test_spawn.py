"""Processes are asked for without waiting; what cannot be started fails at whoever needs it, and nothing else does."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from league.sandbox import Allowance
from league.sandbox.listen import answer_of
from league.sandbox.lockdown import interpreter_paths
from league.sandbox.spawn import Child, ZygoteError, close_zygote, spawn, zygote
from league.sandbox.zygote import LENGTH
from tests.sandbox import inmates

MANY = 40
"""More than may wait for an answer."""


@pytest.fixture(autouse=True)
def _own_zygote() -> Iterator[None]:
    close_zygote()
    yield
    close_zygote()


def start(argument: object, prepare: str = "prepare") -> Child:
    """A process that says its argument."""
    ours, theirs = os.pipe()
    silent = os.open(os.devnull, os.O_WRONLY)
    try:
        where = inmates.__name__
        allowance = Allowance(interpreter_paths(), 100)
        return spawn(f"{where}:say", argument, [theirs], ours, silent, allowance, (f"{where}:{prepare}", ()))
    finally:
        os.close(theirs)
        os.close(silent)


def said(child: Child) -> bytes:
    return child.read(100) if child.has_written(5000) else b""


def test_many_that_are_asked_for_at_once_start_and_are_told_apart() -> None:
    children = [start(number) for number in range(MANY)]
    assert [said(child) for child in children] == [str(number).encode() for number in range(MANY)]
    assert len({child.pid for child in children}) == MANY
    assert {child.end(grace_s=5) for child in reversed(children)} == {"left with status 0"}


def test_what_cannot_be_started_is_told_whenever_it_is_asked_for_and_spoils_no_other() -> None:
    before, broken, after = start("before"), start("broken", "fail"), start("after")
    assert (said(before), said(broken), said(after)) == (b"before", b"", b"after")
    for _ in range(2):
        with pytest.raises(ZygoteError, match="RuntimeError: no such game"):
            _ = broken.pid
    with pytest.raises(ZygoteError, match="no such game"):
        broken.end()
    assert {child.end(grace_s=5) for child in (before, after)} == {"left with status 0"}


def test_a_zygote_that_is_gone_is_told() -> None:
    child = start("soon")
    assert said(child) == b"soon"
    gone = zygote()
    gone.close()
    with pytest.raises(ZygoteError, match="does not answer"):
        child.end()
    assert zygote() is not gone


def test_a_zygote_that_died_is_replaced_and_leaves_nothing_open() -> None:
    handles = Path("/proc/self/fd")
    zygote()
    before = len(list(handles.iterdir()))
    for _ in range(3):
        dead = zygote()
        dead._process.kill()
        dead._process.wait()
        assert zygote() is not dead
    assert len(list(handles.iterdir())) == before


def test_a_zygote_ends_when_its_starter_does_in_the_middle_of_a_request() -> None:
    left = zygote()
    left._door.sendall(LENGTH.pack(100) + b"the beginning")
    left._answering.close()
    left._door.close()
    assert left._process.wait(timeout=20) == 0


def test_a_process_that_says_a_little_now_and_then_has_no_more_time_than_others() -> None:
    where = inmates.__name__
    target, prepare = f"{where}:dribble", (f"{where}:prepare", ())
    told = answer_of(target, 20, Allowance(interpreter_paths(), 100), prepare, seconds=1)
    assert told == (b"", "took more than 1 s to load")

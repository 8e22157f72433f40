"""What runs in the processes of these tests."""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Sequence


def prepare() -> None:
    """Nothing is needed."""


def fail() -> None:
    raise RuntimeError("no such game")


def say(argument: bytes, handles: Sequence[int]) -> None:
    os.write(handles[0], str(pickle.loads(argument)).encode())


def dribble(argument: bytes, handles: Sequence[int]) -> None:
    """Say a letter every few milliseconds, for so many seconds."""
    for _ in range(100 * pickle.loads(argument)):
        os.write(handles[0], b".")
        time.sleep(0.01)

"""What runs in the processes of these tests."""

from __future__ import annotations

import os
import pickle
from collections.abc import Sequence


def prepare() -> None:
    """Nothing is needed."""


def fail() -> None:
    raise RuntimeError("no such game")


def say(argument: bytes, handles: Sequence[int]) -> None:
    os.write(handles[0], str(pickle.loads(argument)).encode())

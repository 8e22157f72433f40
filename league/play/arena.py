"""The memory that a table and the process of a bot share: what is asked, what is answered, and what is in hand.

Nothing in it is ever interpreted beyond rows of fixed layout, for the other side may write anything at any time.
"""

from __future__ import annotations

import mmap
import os
import sys
from collections.abc import Sequence
from typing import Any, Final, get_args

import numpy as np

from league.games import Game
from league.kernels import Rows, rows
from league.play import Failure, FaultKind
from league.play.table import SLOTS
from league.sandbox.unnamed import unnamed_file

NOTES, ASKED, SINGLY, PHASE, PLACE, SPAN, ROUND, ANSWERED, FAILED, CODE, COMPILING = range(11)
WORDS = 16
"""The words of the head: how many notes and decisions; whether to have one decision in hand at a time; what is in hand,
where, and how much; which round is asked, which answered; how many decisions have no answer; bytes of code; how many
functions are being compiled."""

LOADING, HEARING, DECIDING, WAITING = range(4)
"""What may be in hand."""

_KINDS: Final[Sequence[FaultKind]] = get_args(FaultKind)
_MESSAGE_BYTES = 400

CODE_BYTES = 8 << 20
"""Compiled code of a bot up to this size is handed on to the bot's later processes."""

_SEAL, _SEALS = 1033, 0x0001 | 0x0002 | 0x0004


def note_dtype(seats: int) -> np.dtype[Any]:
    """A row for a match that a chair sat down to, or that ended."""
    return np.dtype(
        [
            ("begins", "i1"),
            ("seat", "i1"),
            ("chair", "i4"),
            ("match", "i8"),
            ("seed", "u8"),
            ("scores", "i4", (seats,)),
            ("ranks", "i1", (seats,)),
        ]
    )


_FAILURE = np.dtype([("place", "i4"), ("kind", "i1"), ("message", f"S{_MESSAGE_BYTES}")])


class Arena:
    """Shared memory for one bot's process, as arrays.

    Args:
        game: What is played.
        handle: The shared file; a new one unless given.
    """

    def __init__(self, game: Game, handle: int | None = None) -> None:
        view, action = rows(0, game.view_dtype).dtype, rows(0, game.action_dtype).dtype
        layout: list[tuple[np.dtype[Any], int]] = [
            (np.dtype("i8"), WORDS),
            (note_dtype(game.seats), 2 * SLOTS * game.seats),
            (view, SLOTS),
            (np.dtype("i4"), SLOTS),
            (np.dtype("u8"), SLOTS),
            (action, SLOTS),
            (_FAILURE, SLOTS),
            (np.dtype("u1"), CODE_BYTES),
        ]
        size = sum(_rounded(dtype.itemsize * count) for dtype, count in layout)
        self.handle = _new_file(size) if handle is None else handle
        memory = mmap.mmap(self.handle, size)
        arrays, at = [], 0
        for dtype, count in layout:
            arrays.append(np.frombuffer(memory, dtype, count, at))
            at += _rounded(dtype.itemsize * count)
        self.head, self.notes, self.views, self.chairs, self.seeds, self.actions, self.failures = arrays[:-1]
        self._code = arrays[-1]
        self.words = memoryview(memory)[: 8 * WORDS].cast("q")

    def write_code(self, code: bytes) -> None:
        """Leave compiled code for the bot's later processes, if it is not too much."""
        if len(code) <= CODE_BYTES:
            self._code[: len(code)] = np.frombuffer(code, np.uint8)
            self.head[CODE] = len(code)

    def read_code(self) -> bytes:
        """The compiled code, of which nothing is understood here."""
        return self._code[: max(0, min(self.words[CODE], CODE_BYTES))].tobytes()

    def write_failures(self, failures: Sequence[Failure]) -> None:
        """Write down which decisions have no answer."""
        self.words[FAILED] = len(failures)
        for row, failure in zip(self.failures, failures, strict=False) if failures else ():
            row["place"], row["kind"] = failure.place, _KINDS.index(failure.kind)
            row["message"] = failure.message.encode(errors="replace")[:_MESSAGE_BYTES]

    def read_failures(self, count: int) -> list[Failure]:
        """What the other side wrote, as far as it makes sense for `count` decisions."""
        failed = max(0, min(self.words[FAILED], count))
        found: dict[int, Failure] = {}
        for row in self.failures[:failed].copy() if failed else ():
            place, kind = int(row["place"]), int(row["kind"])
            if 0 <= place < count:
                told = _KINDS[kind] if 0 <= kind < len(_KINDS) else "exception"
                if told == "forfeit":  # which is the table's to say
                    told = "exception"
                found[place] = Failure(place, told, one_line(bytes(row["message"]).decode(errors="replace")))
        return list(found.values())


def put(source: Rows, target: Rows) -> None:
    """Copy rows into the first of others of their kind; as bytes, for NumPy copies a row field by field."""
    if len(source):
        np.frombuffer(target, np.uint8, source.nbytes)[:] = np.frombuffer(source, np.uint8)


def copy_of(source: Rows) -> Rows:
    """A copy of rows, not to be written."""
    return np.ndarray(len(source), source.dtype, source.tobytes())


def one_line(text: str) -> str:
    """Text from a stranger as one printable line."""
    return "".join(letter if letter.isprintable() else " " for letter in text).strip()


def _rounded(size: int) -> int:
    return -(-size // 64) * 64


def _new_file(size: int) -> int:
    """A file without a name, which the other side cannot shrink under our feet."""
    handle = unnamed_file()
    os.ftruncate(handle, size)
    if sys.platform == "linux":
        import fcntl

        fcntl.fcntl(handle, _SEAL, _SEALS)
    return handle

"""Pack the boards of a replay: neighbouring ones are nearly the same, so each is told as edits of the one before.

A board's SVG is cut into words at its tags. Every different word is kept once, and a board is a list of words. An edit
is three numbers and what follows: where it starts in the board before, how many words go, how many come, and those.
Edits of one board are in ascending order, and places count in the board before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

_CUT = re.compile(r"(?<=>)(?=.)|(?<=.)(?=<)|(?=M[-\d])", re.DOTALL)


class Boards:
    """Drawings of one match with a common stock of words."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._places: dict[str, int] = {}

    def pack(self, drawings: Iterable[str]) -> list[list[int]]:
        """A sequence of drawings as edits, the first one's from nothing."""
        before: Sequence[int] = []
        packed = []
        for drawing in drawings:
            now = [self._place(word) for word in _CUT.split(drawing)]
            packed.append(edits(before, now))
            before = now
        return packed

    def _place(self, word: str) -> int:
        place = self._places.setdefault(word, len(self.words))
        if place == len(self.words):
            self.words.append(word)
        return place

    def unpack(self, packed: Sequence[Sequence[int]]) -> list[str]:
        """The drawings again."""
        board: list[int] = []
        drawings = []
        for edit in packed:
            board = apply(board, edit)
            drawings.append("".join(self.words[place] for place in board))
        return drawings


def edits(before: Sequence[int], now: Sequence[int]) -> list[int]:
    """What makes one list of words of another."""
    first = 0
    while first < min(len(before), len(now)) and before[first] == now[first]:
        first += 1
    last = 0
    while last < min(len(before), len(now)) - first and before[-1 - last] == now[-1 - last]:
        last += 1
    middle = before[first : len(before) - last], now[first : len(now) - last]
    flat: list[int] = []
    for kind, start, end, new, new_end in SequenceMatcher(None, *middle, autojunk=False).get_opcodes():
        if kind != "equal":
            flat += [first + start, end - start, new_end - new, *middle[1][new:new_end]]
    return flat


def apply(before: Sequence[int], edit: Sequence[int]) -> list[int]:
    """The list that edits make."""
    now: list[int] = []
    read = place = 0
    while place < len(edit):
        start, gone, come = edit[place : place + 3]
        now += [*before[read:start], *edit[place + 3 : place + 3 + come]]
        read = start + gone
        place += 3 + come
    return [*now, *before[read:]]

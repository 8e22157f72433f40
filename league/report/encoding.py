"""Pack the boards of a replay: neighbouring ones are nearly the same, so each is told as a change of the one before.

A board's SVG is cut into words where tags and parts of paths begin. Every different word is kept once, and a board is a
list of words. A change is how many words stay at the beginning, how many at the end, and the words between.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_WORD = re.compile(r"[<M][^<M]*|[^<M]+")


class Boards:
    """Drawings of one match with a common stock of words."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._places: dict[str, int] = {}

    def pack(self, drawings: Iterable[str]) -> list[list[int]]:
        """A sequence of drawings as changes, the first one's from nothing."""
        before: Sequence[int] = []
        packed = []
        for drawing in drawings:
            now = [self._place(word) for word in _WORD.findall(drawing)]
            packed.append(change(before, now))
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
        for told in packed:
            board = changed(board, told)
            drawings.append("".join(self.words[place] for place in board))
        return drawings


def change(before: Sequence[int], now: Sequence[int]) -> list[int]:
    """What makes one list of words of another."""
    shorter = min(len(before), len(now))
    first = 0
    while first < shorter and before[first] == now[first]:
        first += 1
    last = 0
    while last < shorter - first and before[-1 - last] == now[-1 - last]:
        last += 1
    return [first, last, *now[first : len(now) - last]]


def changed(before: Sequence[int], told: Sequence[int]) -> list[int]:
    """The list that a change makes."""
    first, last, *between = told
    return [*before[:first], *between, *before[len(before) - last :]]

"""Pack the boards of a replay: neighbouring ones are nearly the same, so each is told as a change of the one before.

A board's SVG is cut into words where tags and parts of paths begin. Every different word is kept once, and a board is a
list of words. A change is how many words stay at the beginning, how many at the end, and the words between.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_CUT = "\0"
"""No XML holds it."""


def words_of(drawing: str) -> list[str]:
    """A drawing cut where tags and parts of paths begin.

    >>> words_of('<path d="M1 2M3 4"/>')
    ['', '<path d="', 'M1 2', 'M3 4"/>']
    """
    return drawing.replace("<", _CUT + "<").replace("M", _CUT + "M").split(_CUT)


class _Places(dict[str, int]):
    """Where each word stands in the stock; one not seen before comes last."""

    def __missing__(self, word: str) -> int:
        place = self[word] = len(self)
        return place


class Boards:
    """Drawings of one match with a common stock of words."""

    def __init__(self) -> None:
        self._places = _Places()

    @property
    def words(self) -> list[str]:
        """The stock."""
        return list(self._places)

    def pack(self, drawings: Iterable[str]) -> list[list[int]]:
        """A sequence of drawings as changes, the first one's from nothing."""
        before: Sequence[int] = []
        packed = []
        for drawing in drawings:
            now = list(map(self._places.__getitem__, words_of(drawing)))
            packed.append(change(before, now))
            before = now
        return packed

    def unpack(self, packed: Sequence[Sequence[int]]) -> list[str]:
        """The drawings again."""
        words, board = self.words, list[int]()
        drawings = []
        for told in packed:
            board = changed(board, told)
            drawings.append("".join(words[place] for place in board))
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

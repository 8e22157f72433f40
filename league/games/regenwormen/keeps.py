"""The legal keeps of many views at once."""

from __future__ import annotations

from functools import cache
from itertools import chain, count
from typing import Any, TypeAlias

import numpy as np

from league.games.regenwormen.rows import COUNT_SHIFT, FACES
from league.games.regenwormen.view import THEN, Keep
from league.kernels import kernel, mix

Keeps: TypeAlias = tuple[Keep, ...]

_HALF = FACES // 2
_HALF_BITS = 8 * _HALF
_LOW_HALF = (1 << _HALF_BITS) - 1
"""Half of the faces, in bits of a word."""
_FIRST_ROOM = 1 << 10
"""Words for which there is room at first, a power of two."""


@cache
def _keep(face: int, then: int, kept: int) -> Keep:
    """One object for each of the few keeps there are, so that views share them."""
    return Keep(face, THEN[then], 0, kept)


@cache
def _keeps_of_face(face: int, bits: int) -> Keeps:
    return tuple(_keep(face, then, bits >> COUNT_SHIFT) for then in range(len(THEN)) if bits >> then & 1)


class _HalfKeeps(dict[int, Keeps]):
    """The keeps of three faces from `first` on, by their bytes of `legal` as one number."""

    def __init__(self, first: int) -> None:
        self._first = first

    def __missing__(self, bits: int) -> Keeps:
        of_faces = map(_keeps_of_face, count(self._first), bits.to_bytes(_HALF, "little"))
        keeps = self[bits] = tuple(chain.from_iterable(of_faces))
        return keeps


class KeepsByWord:
    """Finds legal keeps by a *word*, the bytes of `view.legal` as one number.

    Most words come again, and their halves still more. A dictionary of words would take twice the time, for each word
    would be waited for before the next is looked for. Words are numbered as they first come, so that the common ones
    lie together, in few lines of memory.
    """

    def __init__(self) -> None:
        self._halves = _HalfKeeps(1), _HalfKeeps(1 + _HALF)
        self._count = 0
        self._words = np.zeros(_FIRST_ROOM, np.uint64)
        self._keeps = np.empty(_FIRST_ROOM, object)
        self._table = np.zeros(2 * _FIRST_ROOM, np.int32)

    def _make_room(self) -> None:
        """Room for twice the words, half of the table's places being free, for only then it is quick."""
        known, room = self._words[: self._count], 2 * len(self._words)
        self._words, self._table = np.zeros(room, np.uint64), np.zeros(2 * room, np.int32)
        self._keeps = np.concatenate([self._keeps, np.empty_like(self._keeps)])
        _number(known, self._table, self._words, 0, np.empty(len(known), np.int64))

    def of(self, words: Any) -> list[Keeps]:
        """The legal keeps of each of `uint64[N]`."""
        while self._count + len(words) > len(self._words):
            self._make_room()
        numbers, known = np.empty(len(words), np.int64), self._count
        self._count = _number(words, self._table, self._words, known, numbers)
        if self._count > known:
            self._learn(known)
        return self._keeps[numbers].tolist()  # type: ignore[no-any-return]

    def _learn(self, known: int) -> None:
        """Put the keeps of words beyond the first so many beside them."""
        low, high = self._halves
        for number, word in enumerate(self._words[known : self._count].tolist(), known):
            self._keeps[number] = low[word & _LOW_HALF] + high[word >> _HALF_BITS]


KEEPS = KeepsByWord()


@kernel
def _number(words: Any, table: Any, known: Any, count: Any, numbers: Any) -> Any:
    """Number words by a hash table, those it lacks in the order in which they come.

    Args:
        words: `uint64[N]`.
        table: `int32[T]`, by hash: 1 more than the number of a word, 0 where free; a power of two of places.
        known: `uint64[K]`, by number: the word; with room for those to come.
        count: How many words are known.
        numbers: `int64[N]`, written: the number of each word.

    Returns:
        How many words are known now.
    """
    last = len(table) - 1
    for index in range(len(words)):
        word = words[index]
        place = np.int64(mix(word, 0)) & last
        while table[place] != 0 and known[table[place] - 1] != word:
            place = (place + 1) & last
        if table[place] == 0:
            known[count] = word
            count += 1
            table[place] = count
        numbers[index] = table[place] - 1
    return count

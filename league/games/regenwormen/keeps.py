"""The legal keeps of many views at once."""

from __future__ import annotations

from functools import cache
from itertools import chain, count
from operator import add
from typing import Any, TypeAlias

import numpy as np

from league.games.regenwormen.rows import COUNT_SHIFT, FACES
from league.games.regenwormen.view import THEN, Keep
from league.kernels import kernel, mix

Keeps: TypeAlias = tuple[Keep, ...]

_HALF = FACES // 2
_HALF_BITS = 8 * _HALF
_LOW_HALF = np.uint64((1 << _HALF_BITS) - 1)
"""Half of the faces, in bits of a word."""
_FIRST_ROOM = 1 << 10
"""Places of a new table, a power of two."""


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
    """Finds legal keeps by a *word*, the bytes of `view.legal` as one number, which is never 0.

    Most words come again, and their halves still more. A dictionary of words would take twice the time: there are
    thousands, spread over more memory than the nearest caches hold, and one would be waited for before the next is
    looked for.
    """

    def __init__(self) -> None:
        self._halves = _HalfKeeps(1), _HalfKeeps(1 + _HALF)
        self._count = 0
        self._words = np.zeros(_FIRST_ROOM, np.uint64)
        self._keeps = np.empty(_FIRST_ROOM, object)

    def of(self, words: Any) -> list[Keeps]:
        """The legal keeps of each of `uint64[N]`."""
        while 2 * (self._count + len(words)) > len(self._words):
            self._make_room()
        places, new = np.empty(len(words), np.int64), np.empty(len(words), np.int64)
        added = _enter(words, self._words, places, new)
        if added:
            self._learn(new[:added])
        return self._keeps[places].tolist()  # type: ignore[no-any-return]

    def _learn(self, new: Any) -> None:
        """Put the keeps of the words at new places beside them."""
        words, (low, high) = self._words[new], self._halves
        lows = map(low.__getitem__, (words & _LOW_HALF).tolist())
        highs = map(high.__getitem__, (words >> np.uint64(_HALF_BITS)).tolist())
        self._keeps[new] = np.fromiter(map(add, lows, highs), object, len(new))
        self._count += len(new)

    def _make_room(self) -> None:
        """Twice the places, for a table is quick only while half of it is free."""
        taken = self._words > 0
        words, keeps, places = self._words[taken], self._keeps[taken], np.empty(self._count, np.int64)
        self._words = np.zeros(2 * len(self._words), np.uint64)
        self._keeps = np.empty(len(self._words), object)
        _enter(words, self._words, places, np.empty_like(places))
        self._keeps[places] = keeps


KEEPS = KeepsByWord()


@kernel
def _enter(words: Any, table: Any, places: Any, new: Any) -> Any:
    """Find the words in a hash table, adding those it lacks.

    Args:
        words: `uint64[N]`, none 0.
        table: `uint64[T]`, 0 where free; a power of two of places, more than it will have words.
        places: `int64[N]`, written: the place of each word.
        new: `int64[N]`, written as far as needed: places that were free before.

    Returns:
        How many places are new.
    """
    added, last = 0, len(table) - 1
    for index in range(len(words)):
        word = words[index]
        place = np.int64(mix(word, 0)) & last
        while table[place] != word and table[place] != 0:
            place = (place + 1) & last
        if table[place] == 0:
            table[place] = word
            new[added] = place
            added += 1
        places[index] = place
    return added

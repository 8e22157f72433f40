"""What one colour's sets are made of in the maths variant: the smallest runs and sequences, with jokers and without."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from league.games.rummikub.rows import NUMBERS
from league.games.rummikub.sequences import SEQUENCES

Tiles = tuple[int, ...]


def _is_made_of(tiles: Tiles, parts: list[Tiles]) -> bool:
    """Whether tiles, counted by number, are smaller sets."""
    if not any(tiles):
        return True
    first = next(at for at in range(NUMBERS) if tiles[at])
    return any(
        part[first]
        and all(a >= b for a, b in zip(tiles, part, strict=True))
        and _is_made_of(_less(tiles, part), parts)
        for part in parts
        if sum(part) <= sum(tiles)
    )


def _less(tiles: Tiles, part: Tiles) -> Tiles:
    return tuple(a - b for a, b in zip(tiles, part, strict=True))


def _count(numbers: Tiles | range) -> Tiles:
    return tuple(sum(number == n for number in numbers) for n in range(1, NUMBERS + 1))


def _unsplittable() -> list[Tiles]:
    """The tiles of runs and sequences that are not made of smaller ones, by number."""
    runs = [_count(range(first, first + length)) for length in (3, 4, 5) for first in range(1, 15 - length)]
    found: list[Tiles] = []
    for tiles in sorted({*runs, *map(_count, SEQUENCES)}, key=lambda tiles: (sum(tiles), tiles)):
        if not _is_made_of(tiles, found):
            found.append(tiles)
    return found


def _pieces() -> list[tuple[int, int, int, int]]:
    """What sets can be of real tiles and up to two jokers: smallest number (from 0), tiles, jokers, joker numbers.

    Tiles are packed, four bits a number; of pieces with the same tiles and jokers all joker numbers are kept.
    """
    found = set()
    for tiles in _unsplittable():
        numbers = [at for at in range(NUMBERS) for _ in range(tiles[at])]
        for jokers in range(3):
            for places in combinations(range(len(numbers)), jokers):
                real = [number for at, number in enumerate(numbers) if at not in places]
                packed = sum(1 << 4 * number for number in real)
                first, second = [0, 0, *(numbers[at] + 1 for at in places)][-2:]
                found.add((real[0], packed, jokers, first << 4 | second))
    return sorted(found)


PIECES = np.array(_pieces(), np.int64)
"""`[piece, 4]`."""

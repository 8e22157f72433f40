"""The sequences of the maths variant: which rows of numbers count as a set beside groups and runs."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

MIN_LENGTH = 3
JOKERS = 2
COPIES = 2
HIGHEST = 13

_LISTED = (1, 2, 3, 5, 7, 11, 13)
_DIGITS = ("3141592653589793", "2718281828", "1618")
"""Digits of pi, e and the golden ratio, as far as tiles reach; phi stops before its first 0."""


def _prefixes(numbers: list[int]) -> set[tuple[int, ...]]:
    """All beginnings of at least three numbers."""
    return {tuple(numbers[:length]) for length in range(MIN_LENGTH, len(numbers) + 1)}


def _arithmetic() -> set[tuple[int, ...]]:
    found = set()
    for step in range(2, HIGHEST):
        for first in range(1, HIGHEST + 1):
            found |= _prefixes(list(range(first, HIGHEST + 1, step)))
    return found


def _doubling() -> set[tuple[int, ...]]:
    return {
        part
        for first in (1, 2, 3)
        for part in _prefixes([first * 2**k for k in range(4) if first * 2**k < 14])
    }


def _additive() -> set[tuple[int, ...]]:
    """Each number the sum of the two before it, the first smaller than the second."""
    found = set()
    for first in range(1, HIGHEST):
        for second in range(first + 1, HIGHEST + 1):
            numbers = [first, second]
            while numbers[-1] + numbers[-2] <= HIGHEST:
                numbers.append(numbers[-1] + numbers[-2])
            found |= _prefixes(numbers)
    return found


def _listed() -> set[tuple[int, ...]]:
    count = len(_LISTED)
    return {_LISTED[i:j] for i in range(count) for j in range(i + MIN_LENGTH, count + 1)}


def _digits() -> set[tuple[int, ...]]:
    """Beginnings that two copies of each tile and two jokers can show."""
    found = {part for digits in _DIGITS for part in _prefixes([int(digit) for digit in digits])}
    return {part for part in found if sum(max(0, part.count(n) - COPIES) for n in set(part)) <= JOKERS}


def _is_run(numbers: tuple[int, ...]) -> bool:
    return all(b - a == 1 for a, b in pairwise(numbers))


def _all_sequences() -> tuple[tuple[int, ...], ...]:
    found = _arithmetic() | _doubling() | _additive() | {(1, 4, 9)} | _listed() | _digits()
    return tuple(sorted((part for part in found if not _is_run(part)), key=lambda part: (min(part), part)))


SEQUENCES: tuple[tuple[int, ...], ...] = _all_sequences()
"""All sequences that are no runs, by smallest number; a sequence's place here is its index in a set code."""

LONGEST = max(map(len, SEQUENCES))

SEQUENCE_NUMBERS = np.zeros((len(SEQUENCES), LONGEST), np.int8)
"""`[sequence, place]`: the numbers, padded with 0."""
for _index, _numbers in enumerate(SEQUENCES):
    SEQUENCE_NUMBERS[_index, : len(_numbers)] = _numbers

LENGTHS = np.array([len(part) for part in SEQUENCES], np.int8)

FIRST_OF = np.array([sum(min(part) < n for part in SEQUENCES) for n in range(15)], np.int16)
"""`[n]`: the first sequence whose smallest number is n or more."""

CLAIMS = np.array([sum(1 << (4 * (n - 1)) for n in part) for part in SEQUENCES], np.int64)
"""How many tiles of each number a sequence takes: four bits a number, 1 in the lowest."""

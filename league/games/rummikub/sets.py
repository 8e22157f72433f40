"""Sets as numbers: every valid set with declared jokers is one `int32`, its *code*, and 0 is no set.

| bits of a run | meaning | bits of a sequence | meaning | bits of a group | meaning |
|---|---|---|---|---|---|
| 0-1 | 2 | 0-1 | 3 | 0-1 | 1 |
| 2-3 | colour | 2-3 | colour | 2-5 | number |
| 4-7 | first number | 4-11 | index in `SEQUENCES` | 6-9 | colours of the real tiles |
| 8-11 | length | | | 10 | 1 for a group of four |
| 12-24 | places of the jokers | 12-26 | places of the jokers | | |

Tiles are counted in arrays of 53: colour times 13 plus number minus 1, the joker last.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.rummikub.rows import GROUP, JOKER, RUN, SEQUENCE
from league.games.rummikub.sequences import LENGTHS, SEQUENCE_NUMBERS, SEQUENCES
from league.kernels import kernel

_SEQUENCE_COUNT = len(SEQUENCES)


@kernel
def ones(bits: Any) -> Any:
    """Count the bits that are set."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


@kernel
def group_code(number: Any, colours: Any, size: Any) -> Any:
    """The group of `size` tiles whose real tiles have the colours in the mask; the others are jokers."""
    return GROUP | number << 2 | colours << 6 | (size - 3) << 10


@kernel
def run_code(colour: Any, first: Any, length: Any, jokers: Any) -> Any:
    """The run from number `first`; bit i of `jokers` makes place i a joker."""
    return RUN | colour << 2 | first << 4 | length << 8 | jokers << 12


@kernel
def sequence_code(colour: Any, index: Any, jokers: Any) -> Any:
    """The maths sequence of that index in one colour."""
    return SEQUENCE | colour << 2 | index << 4 | jokers << 12


@kernel
def kind_of(code: Any) -> Any:
    """GROUP, RUN or SEQUENCE."""
    return code & 3


@kernel
def number_of(code: Any) -> Any:
    """The number of a group."""
    return code >> 2 & 15


@kernel
def colours_of(code: Any) -> Any:
    """The colours of a group's real tiles, as a mask."""
    return code >> 6 & 15


@kernel
def colour_of(code: Any) -> Any:
    """The colour of a run or sequence."""
    return code >> 2 & 3


@kernel
def first_of(code: Any) -> Any:
    """The first number of a run."""
    return code >> 4 & 15


@kernel
def index_of(code: Any) -> Any:
    """The index of a sequence."""
    return code >> 4 & 255


@kernel
def jokers_of(code: Any) -> Any:
    """The places of the jokers in a run or sequence, as a mask."""
    return code >> 12


@kernel
def size_of(code: Any) -> Any:
    """How many tiles the set has."""
    kind = code & 3
    if kind == GROUP:
        return 3 + (code >> 10 & 1)
    if kind == RUN:
        return code >> 8 & 15
    return np.int64(LENGTHS[code >> 4 & 255])


@kernel
def number_at(code: Any, place: Any) -> Any:
    """The number that stands at a place of a run or sequence."""
    if code & 3 == RUN:
        return (code >> 4 & 15) + place
    return np.int64(SEQUENCE_NUMBERS[code >> 4 & 255, place])


@kernel
def joker_count(code: Any) -> Any:
    """How many jokers the set has."""
    if code & 3 == GROUP:
        return size_of(code) - ones(code >> 6 & 15)
    return ones(code >> 12)


@kernel
def value_of(code: Any) -> Any:
    """The sum of the numbers, a joker counting as what it stands for."""
    size = size_of(code)
    if code & 3 == GROUP:
        return size * (code >> 2 & 15)
    total = 0
    for place in range(size):
        total += number_at(code, place)
    return total


@kernel
def add_tiles(code: Any, counts: Any, sign: Any) -> None:
    """Add the tiles of a set to `counts[53]`, `sign` times."""
    jokers = joker_count(code)
    counts[JOKER] += sign * jokers
    if code & 3 == GROUP:
        for colour in range(4):
            if code >> 6 >> colour & 1:
                counts[colour * 13 + (code >> 2 & 15) - 1] += sign
        return
    base = (code >> 2 & 3) * 13 - 1
    for place in range(size_of(code)):
        if not code >> 12 >> place & 1:
            counts[base + number_at(code, place)] += sign


@kernel
def is_group(code: Any) -> Any:
    """Whether the bits are a valid group."""
    jokers = joker_count(code)
    number = code >> 2 & 15
    return code >> 11 == 0 and 1 <= number <= 13 and 0 <= jokers <= 2


@kernel
def is_run(code: Any) -> Any:
    """Whether the bits are a valid run."""
    first, length, jokers = code >> 4 & 15, code >> 8 & 15, code >> 12
    return first >= 1 and length >= 3 and first + length <= 14 and jokers >> length == 0 and ones(jokers) <= 2


@kernel
def is_sequence(code: Any) -> Any:
    """Whether the bits are a valid sequence of the maths variant."""
    index, jokers = code >> 4 & 255, code >> 12
    return index < _SEQUENCE_COUNT and jokers >> size_of(code) == 0 and ones(jokers) <= 2


@kernel
def is_set(code: Any, maths: Any) -> Any:
    """Whether a code, of any bits whatever, is a valid set."""
    if code <= 0:
        return False
    kind = code & 3
    if kind == GROUP:
        return is_group(code)
    if kind == RUN:
        return is_run(code)
    return kind == SEQUENCE and maths != 0 and (code >> 4 & 255) < _SEQUENCE_COUNT and is_sequence(code)


@kernel
def joker_at(code: Any, which: Any) -> Any:
    """What joker number `which` of a set stands for: its number, times 16, plus a mask of colours.

    In a group a joker stands for every missing colour.
    """
    if code & 3 == GROUP:
        return (code >> 2 & 15) << 4 | (15 & ~(code >> 6 & 15))
    jokers = code >> 12
    for _ in range(which):
        jokers &= jokers - 1
    place = 0
    while not jokers >> place & 1:
        place += 1
    return number_at(code, place) << 4 | 1 << (code >> 2 & 3)

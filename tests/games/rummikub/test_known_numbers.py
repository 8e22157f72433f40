"""Numbers that were known before: how many sets there are, and how often a dealt rack holds some."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from fractions import Fraction

import pytest

from league.games.rummikub import solve
from league.games.rummikub.notation import TILE_NAMES, count_tiles, set_tiles
from league.games.rummikub.sequences import SEQUENCES
from league.games.rummikub.sets import group_code, is_set, run_code
from tests.games.rummikub.brute import catalogue

Bag = tuple[int, ...]


def codes() -> list[int]:
    """All codes of groups and runs that are sets."""
    groups = (group_code(n, real, size) for n in range(16) for real in range(16) for size in (3, 4))
    places = [
        sum(1 << at for at in held) for count in range(4) for held in itertools.combinations(range(14), count)
    ]
    runs = (
        run_code(colour, first, length, held)
        for colour in range(4)
        for first in range(16)
        for length in range(16)
        for held in places
        if held >> length == 0
    )
    return [code for code in itertools.chain(groups, runs) if is_set(code, 0)]


def bag(code: int) -> Bag:
    return tuple(count_tiles(set_tiles(code)))


def test_sets() -> None:
    """65 groups and 264 runs without jokers; with jokers the same as by the other list of sets."""
    found = codes()
    plain = [code for code in found if bag(code)[-1] == 0]
    assert Counter(code & 3 for code in plain) == {1: 65, 2: 264}
    assert len(set(found)) == len(found) == len(catalogue(False))


def test_unsplittable_sets() -> None:
    """185 / 494 / 494 multisets with 0 / 1 / 2 jokers cannot be made of smaller sets."""
    bags = {bag(code) for code in codes()}
    three, four = ({one for one in bags if sum(one) == size} for size in (3, 4))
    small = three | four
    whole = [one for one in bags if not any(_less(one, part) in bags for part in small if _holds(one, part))]
    assert [sum(one[-1] == jokers for one in whole) for jokers in range(3)] == [185, 494, 494]


def _holds(one: Bag, part: Bag) -> bool:
    return all(a >= b for a, b in zip(one, part, strict=True))


def _less(one: Bag, part: Bag) -> Bag:
    return tuple(a - b for a, b in zip(one, part, strict=True))


def barren_racks(jokers: int, tiles: int) -> int:
    """Ways to choose so many real tiles that make no set with 0 or 1 jokers, number by number."""
    shown = [mask for mask in range(16) if mask.bit_count() <= (2 if jokers == 0 else 1)]
    ways: dict[tuple[int, int, int], int] = {(0, 0, 0): 1}
    for _ in range(13):
        after: dict[tuple[int, int, int], int] = Counter()
        for (two_back, one_back, held), count in ways.items():
            for mask in shown:
                if mask & one_back & two_back or (jokers and mask & (one_back | two_back)):
                    continue
                for doubles in range(mask.bit_count() + 1):
                    choices = math.comb(mask.bit_count(), doubles) * 2 ** (mask.bit_count() - doubles)
                    after[one_back, mask, held + mask.bit_count() + doubles] += count * choices
        ways = after
    return sum(count for (_, _, held), count in ways.items() if held == tiles)


NO_SET = Fraction(barren_racks(0, 14) + 2 * barren_racks(1, 13), math.comb(106, 14))


def test_no_set_in_a_dealt_rack() -> None:
    assert Fraction(1895264672497559, 8809196971348550) == NO_SET


@pytest.mark.parametrize(("minimum", "chance"), [(1, 1 - float(NO_SET)), (30, 0.49783)])
def test_dealt_racks(minimum: int, chance: float) -> None:
    """Sampled racks hold a set, or a meld of 30, as often as known."""
    rng, count = random.Random(minimum), 1500
    box = [name for name in TILE_NAMES for _ in range(2)]
    melds = sum(solve(rng.sample(box, 14), minimum=minimum) is not None for _ in range(count))
    assert abs(melds / count - chance) < 4 * math.sqrt(chance * (1 - chance) / count)


def test_sequences() -> None:
    assert len(SEQUENCES) == len(set(SEQUENCES)) == 131
    assert max(map(len, SEQUENCES)) == 15

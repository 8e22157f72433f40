"""All plays of a small position, by trying every partition of the tiles; written from the rules page alone."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

COLOURS = "krby"
JOKER = "j"


@dataclass(frozen=True)
class AnySet:
    """A set: its kind, its tiles with bare jokers, what each joker may stand for, its numbers in order."""

    kind: str
    tiles: tuple[str, ...]
    jokers: tuple[frozenset[str], ...]
    numbers: tuple[int, ...]
    colour: str

    @property
    def value(self) -> int:
        return sum(self.numbers)


def _patterns(length: int) -> Iterator[tuple[int, ...]]:
    for count in range(3):
        yield from itertools.combinations(range(length), count)


def _row(kind: str, colour: str, numbers: tuple[int, ...]) -> Iterator[AnySet]:
    names = [f"{colour}{n}" for n in numbers]
    for places in _patterns(len(numbers)):
        tiles = tuple(JOKER if at in places else name for at, name in enumerate(names))
        yield AnySet(kind, tiles, tuple(frozenset([names[at]]) for at in places), numbers, colour)


def _groups() -> Iterator[AnySet]:
    for number, size, count in itertools.product(range(1, 14), (3, 4), range(3)):
        for real in itertools.combinations(COLOURS, size - count):
            missing = frozenset(f"{colour}{number}" for colour in COLOURS if colour not in real)
            tiles = (*(f"{colour}{number}" for colour in real), *[JOKER] * count)
            yield AnySet("group", tiles, (missing,) * count, (number,) * size, "")


def _sequences() -> set[tuple[int, ...]]:
    """The sequences of the maths variant, up to 16 numbers long."""
    found: set[tuple[int, ...]] = set()

    def add(numbers: list[int]) -> None:
        for end in range(3, len(numbers) + 1):
            found.add(tuple(numbers[:end]))

    for first in range(1, 14):
        for step in range(2, 7):
            add(list(range(first, 14, step)))
        add([number for number in (first, 2 * first, 4 * first, 8 * first) if number <= 13])
        for second in range(first + 1, 14):
            row = [first, second]
            while sum(row[-2:]) <= 13:
                row.append(sum(row[-2:]))
            add(row)
    add([1, 4, 9])
    for start in range(5):
        add([1, 2, 3, 5, 7, 11, 13][start:])
    for digits in ("3141592653589793", "2718281828", "1618"):
        add([int(digit) for digit in digits])
    runs = {tuple(range(a, b)) for a in range(1, 14) for b in range(a + 3, 15)}
    return found - runs


@cache
def catalogue(maths: bool) -> tuple[AnySet, ...]:
    """Every set with up to two jokers that two copies of each tile can make."""
    found = list(_groups())
    for colour in COLOURS:
        for first in range(1, 12):
            for last in range(first + 2, 14):
                found += _row("run", colour, tuple(range(first, last + 1)))
        for numbers in _sequences() if maths else ():
            found += _row("sequence", colour, numbers)
    return tuple(part for part in found if max(Counter(part.tiles).values()) <= 2)


ByTile = dict[str, list[tuple[AnySet, Counter[str]]]]


@cache
def _counted(maths: bool) -> list[tuple[AnySet, Counter[str]]]:
    return [(part, Counter(part.tiles)) for part in catalogue(maths)]


def _by_tile(tiles: Counter[str], maths: bool) -> ByTile:
    """The sets that these tiles could make, by each of their real tiles."""
    found: ByTile = {}
    for part, counts in _counted(maths):
        if all(tiles[tile] >= count for tile, count in counts.items()):
            for tile in set(part.tiles) - {JOKER}:
                found.setdefault(tile, []).append((part, counts))
    return found


def partitions(tiles: Counter[str], sets: ByTile) -> Iterator[tuple[AnySet, ...]]:
    """All ways to make sets of exactly these tiles."""
    real = [tile for tile in tiles if tile != JOKER]
    if not real:
        if not tiles:
            yield ()
        return
    for part, counts in sets.get(min(real), ()):
        if counts <= tiles:
            for rest in partitions(tiles - counts, sets):
                yield (part, *rest)


def read_set(tiles: tuple[str, ...], maths: bool = False) -> AnySet:
    """The set that text tiles with declared jokers show."""
    bare = tuple(JOKER if tile.startswith("j") else tile for tile in tiles)
    declared = [tile[2:] for tile in tiles if tile.startswith("j")]
    numbers = tuple(int(tile.removeprefix("j:")[1:]) for tile in tiles)
    for part in catalogue(maths):
        fits = Counter(part.tiles) == Counter(bare) and sorted(part.numbers) == sorted(numbers)
        fits = fits and all(name in stands for name, stands in zip(declared, part.jokers, strict=True))
        in_row = part.numbers == numbers and part.colour == tiles[0].removeprefix("j:")[0]
        if fits and (part.kind == "group" or in_row):
            return part
    raise ValueError(tiles)


def jokers_allowed(
    old: list[frozenset[str]],
    new: list[frozenset[str]],
    lying: Counter[str],
    played: Counter[str],
    policy: str,
) -> bool:
    """RK-12, read off the page: each old joker keeps an identity or has a real tile of its own."""
    if policy == "free":
        return True
    source = played if policy == "rack_only" else lying
    seats: list[tuple[str, object]] = [("new", at) for at in range(len(new))]
    seats += [(tile, copy) for tile, count in source.items() if tile != JOKER for copy in range(count)]

    def suits(joker: frozenset[str], seat: tuple[str, object]) -> bool:
        return bool(joker & new[int(str(seat[1]))]) if seat[0] == "new" else seat[0] in joker

    return any(
        all(suits(joker, seat) for joker, seat in zip(old, chosen, strict=True))
        for chosen in itertools.permutations([s for s in seats if any(suits(j, s) for j in old)], len(old))
    )


def _contains(new: AnySet, old: AnySet) -> bool:
    """Whether an old set lies untouched in a new one of its kind."""
    if new.kind != old.kind or new.colour != old.colour:
        return False
    if old.kind == "group":
        same = new.numbers[0] == old.numbers[0] and Counter(old.tiles) <= Counter(new.tiles)
        return same and all(any(one & other for other in new.jokers) for one in old.jokers)
    size = len(old.tiles)
    return any(
        new.tiles[at : at + size] == old.tiles and new.numbers[at : at + size] == old.numbers
        for at in range(len(new.tiles) - size + 1)
    )


def opens(
    old: tuple[AnySet, ...], new: tuple[AnySet, ...], played: Counter[str], minimum: int, after: str
) -> bool:
    """Whether a new table is an opening (RK-7)."""
    if after == "full":
        pure = [part for part in new if Counter(part.tiles) <= played]
        chosen = (c for n in range(len(pure) + 1) for c in itertools.combinations(pure, n))
        return any(
            sum(part.value for part in c) >= minimum
            and sum((Counter(part.tiles) for part in c), Counter[str]()) <= played
            for c in chosen
        )
    for images in itertools.permutations(range(len(new)), len(old)):
        pairs = [(part, new[at]) for part, at in zip(old, images, strict=True)]
        untouched = all(one == other if after == "none" else _contains(other, one) for one, other in pairs)
        if untouched and sum(part.value for at, part in enumerate(new) if at not in images) >= minimum:
            return True
    return False


def _sub_racks(rack: tuple[str, ...]) -> Iterator[Counter[str]]:
    seen = set()
    for count in range(1, len(rack) + 1):
        for tiles in itertools.combinations(sorted(rack), count):
            if tiles not in seen:
                seen.add(tiles)
                yield Counter(tiles)


def all_plays(
    rack: tuple[str, ...],
    table: tuple[tuple[str, ...], ...],
    policy: str = "substitute",
    minimum: int = 0,
    after: str = "attach",
    maths: bool = False,
) -> Iterator[tuple[Counter[str], int]]:
    """Every play: its rack tiles, and the sum laid, of several jokers the highest being the rack's."""
    old = tuple(read_set(tiles, maths) for tiles in table)
    before = sum((Counter(part.tiles) for part in old), Counter[str]())
    old_jokers = [stands for part in old for stands in part.jokers]
    sets = _by_tile(before + Counter(rack), maths)
    for played in _sub_racks(rack):
        for new in partitions(before + played, sets):
            if minimum and not opens(old, new, played, minimum, after):
                continue
            jokers = [stands for part in new for stands in part.jokers]
            untouched = minimum and after != "full"
            if not untouched and not jokers_allowed(old_jokers, jokers, before + played, played, policy):
                continue
            if untouched:
                yield played, sum(part.value for part in new) - sum(part.value for part in old)
            else:
                numbers = sorted(int(min(stands)[1:]) for stands in jokers)
                value = sum(int(tile[1:]) * count for tile, count in played.items() if tile != JOKER)
                yield played, value + sum(numbers[len(numbers) - played[JOKER] :])

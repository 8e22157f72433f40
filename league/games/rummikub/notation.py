"""Tiles and sets as text, and sets as codes.

A tile is colour and number, `r7`; a joker on a rack is `j`, on the table `j:r7` with what it stands for. What a set's
code means is said in `sets.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from league.errors import NotationError
from league.games.rummikub.rows import GROUP, JOKER, RUN, SEQUENCE, TILE_KINDS
from league.games.rummikub.sequences import SEQUENCES

COLOURS = "krby"
TILE_NAMES: tuple[str, ...] = (*(f"{colour}{n}" for colour in COLOURS for n in range(1, 14)), "j")
KIND_OF_TILE = {name: kind for kind, name in enumerate(TILE_NAMES)}
SEQUENCE_INDEX = {numbers: index for index, numbers in enumerate(SEQUENCES)}

TileSet = tuple[str, ...]
"""The tiles of one set, in order, jokers with what they stand for."""

FAULTS = (
    "",
    "has fewer than three tiles",
    "names a tile that does not exist",
    "has a joker that does not say what it stands for, as in j:r7",
    "has more than the two jokers there are",
    "is a group of more than four tiles",
    "is a group with one colour twice",
    "is neither a group nor of one colour",
    "is of one colour, but its numbers do not follow each other",
)
"""What can be wrong with a set; the code of a set that is none is minus the place here."""
_SHORT, _UNKNOWN, _BARE, _JOKERS, _LARGE, _TWICE, _MIXED, _GAP = range(1, len(FAULTS))


def tiles_of(counts: Iterable[int]) -> tuple[str, ...]:
    """Tile names from counts by kind: black, red, blue, yellow, each ascending, jokers last."""
    return tuple(TILE_NAMES[kind] for kind, count in enumerate(counts) for _ in range(count))


def count_tiles(tiles: Iterable[str]) -> list[int]:
    """Counts by kind; a joker counts as a joker whatever it stands for.

    Raises:
        NotationError: A text is no tile.
    """
    counts = [0] * TILE_KINDS
    for tile in tiles:
        counts[kind_of_tile(tile)] += 1
    return counts


def kind_of_tile(tile: str) -> int:
    """The kind of a tile, with any joker a joker.

    Raises:
        NotationError: The text is no tile.
    """
    if tile.startswith("j:") and KIND_OF_TILE.get(tile[2:], JOKER) != JOKER:
        return JOKER
    if tile not in KIND_OF_TILE:
        raise NotationError(f"'{tile}' is no tile: write colour (k, r, b, y) and number, 'j' or 'j:r7'")
    return KIND_OF_TILE[tile]


@lru_cache(maxsize=1 << 16)
def set_tiles(code: int) -> TileSet:
    """The tiles of a set code, in order.

    Raises:
        ValueError: It is the code of something that is no set.
    """
    if code <= 0:
        raise ValueError(f"{code} is the code of no set")
    if code & 3 == GROUP:
        return _group_tiles(code >> 2 & 15, code >> 6 & 15, 3 + (code >> 10 & 1))
    colour, jokers = COLOURS[code >> 2 & 3], code >> 12
    if code & 3 == RUN:
        first, length = code >> 4 & 15, code >> 8 & 15
        numbers: Sequence[int] = range(first, first + length)
    else:
        numbers = SEQUENCES[code >> 4 & 255]
    return tuple(f"{'j:' * (jokers >> place & 1)}{colour}{n}" for place, n in enumerate(numbers))


def _group_tiles(number: int, real: int, size: int) -> TileSet:
    """A joker in a group of three is written as the first of the missing colours."""
    stood_for = [colour for colour in range(4) if not real >> colour & 1][: size - real.bit_count()]
    return tuple(
        f"{'j:' * (colour in stood_for)}{COLOURS[colour]}{number}"
        for colour in range(4)
        if real >> colour & 1 or colour in stood_for
    )


@lru_cache(maxsize=1 << 16)
def set_code(tiles: TileSet) -> int:
    """The code of a set, or minus the place in `FAULTS` of what is wrong with it.

    A run may be written in any order, a sequence only in its own.
    """
    names = [tile.removeprefix("j:") for tile in tiles]
    if len(tiles) < 3:
        return -_SHORT
    if any(KIND_OF_TILE.get(name, JOKER) == JOKER for name in names):
        return -_BARE if all(name in KIND_OF_TILE for name in names) else -_UNKNOWN
    jokers = [tile.startswith("j:") for tile in tiles]
    if sum(jokers) > 2:
        return -_JOKERS
    if len({name[1:] for name in names}) == 1:
        return _group(names, jokers)
    return _row(names, jokers) if len({name[0] for name in names}) == 1 else -_MIXED


def _group(names: list[str], jokers: list[bool]) -> int:
    if len(names) > 4:
        return -_LARGE
    if len(set(names)) < len(names):
        return -_TWICE
    real = sum(1 << COLOURS.index(name[0]) for name, joker in zip(names, jokers, strict=True) if not joker)
    return GROUP | int(names[0][1:]) << 2 | real << 6 | (len(names) - 3) << 10


def _row(names: list[str], jokers: list[bool]) -> int:
    """A run or a sequence."""
    colour = COLOURS.index(names[0][0])
    in_order = sorted(zip((int(name[1:]) for name in names), jokers, strict=True))
    if all(after == before + 1 for (before, _), (after, _) in pairwise(in_order)):
        places = sum(1 << place for place, (_, joker) in enumerate(in_order) if joker)
        return RUN | colour << 2 | in_order[0][0] << 4 | len(names) << 8 | places << 12
    index = SEQUENCE_INDEX.get(tuple(int(name[1:]) for name in names))
    if index is None:
        return -_GAP
    places = sum(1 << place for place, joker in enumerate(jokers) if joker)
    return SEQUENCE | colour << 2 | index << 4 | places << 12


def split_sets(text: str) -> tuple[TileSet, ...]:
    """Read sets: tiles apart by spaces, sets by ` / `.

    Raises:
        NotationError: A word is no tile.
    """
    table = tuple(tuple(part.split()) for part in text.split("/"))
    for tiles in table:
        for tile in tiles:
            kind_of_tile(tile)
    return table


def join_sets(table: Iterable[TileSet]) -> str:
    """The text form of a table."""
    return " / ".join(" ".join(tiles) for tiles in table)

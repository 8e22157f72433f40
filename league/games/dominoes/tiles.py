"""Tiles and where they go: the values that views, actions and events are made of.

A tile has a number that does not depend on the set: `high * (high + 1) / 2 + low`. So 0-0 is 0, 6-6 is 27,
12-12 is 90, and ascending numbers are ascending tiles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from league.errors import NotationError

MAX_PIPS = 12
"""The highest pip of the largest set."""
SIDES = 4
"""Sides of the spinner, each of which may start an arm."""
SPINNER = -1
"""Stands for an arm where the tile is the spinner itself."""
DRAWN = -2
"""Stands for an arm where the tile was drawn."""


def tile_count(pips: int) -> int:
    """How many tiles the set with `pips` as its highest pip has."""
    return (pips + 1) * (pips + 2) // 2


class Tile(NamedTuple):
    """A domino, its higher half first."""

    high: int
    low: int

    @property
    def pips(self) -> int:
        """What it counts in a hand."""
        return self.high + self.low

    @property
    def is_double(self) -> bool:
        """Whether both halves are equal."""
        return self.high == self.low

    @property
    def number(self) -> int:
        """Its place among all tiles in ascending order."""
        return self.high * (self.high + 1) // 2 + self.low

    def __str__(self) -> str:
        return f"{self.high}-{self.low}"


class Place(NamedTuple):
    """The action: put `tile` on `arm`; the number after the last arm opens a free side of the spinner."""

    tile: Tile
    arm: int

    def __str__(self) -> str:
        return f"{self.tile}@{self.arm}"


class Move(NamedTuple):
    """One thing that a seat did in the hand, as everybody saw it.

    Attributes:
        seat: Who did it.
        kind: `play`, `draw` or `pass`.
        tile: The tile played, or drawn by the seat that looks; None where nothing was shown.
        arm: The arm played on; None for the spinner itself and for draws and passes.
        open_pips: The pips that could be played on then, ascending. Who drew or passed had none of them.
    """

    seat: int
    kind: str
    tile: Tile | None
    arm: int | None
    open_pips: tuple[int, ...]


TILES = tuple(Tile(high, low) for high in range(MAX_PIPS + 1) for low in range(high + 1))
"""All tiles by number; every tile that a view shows is one of these."""
PLACES = {tile.number | arm << 8: Place(tile, arm) for tile in TILES for arm in range(SIDES)}
"""All actions by the two bytes of their row."""
PACKED = {place: code.to_bytes(2, "little") for code, place in PLACES.items()}
"""By action: the bytes of its row."""


def _words(tiles: Iterable[Tile]) -> list[int]:
    """A set of tiles."""
    bits = sum(1 << tile.number for tile in tiles)
    return [bits % 2**64, bits >> 64]


HIGH = np.array([tile.high for tile in TILES])
LOW = np.array([tile.low for tile in TILES])
PIP_BIT = 1 << np.arange(MAX_PIPS + 1)
"""By pip: the bit that stands for it in a set of pips."""
SUITS = PIP_BIT[HIGH] | PIP_BIT[LOW]
"""By tile: its pips as a set."""
DOUBLES = np.flatnonzero(HIGH == LOW)
"""By pip: its double."""
DOUBLE_BIT = PIP_BIT << (MAX_PIPS + 1)
"""By pip: the bit that stands for its double, beside the pips, in a set of what a place cannot hold."""
TRAITS = SUITS | np.where(HIGH == LOW, DOUBLE_BIT[HIGH], 0)
"""By tile: its pips, and its double if it is one."""
TILE_BIT = np.array([1 << tile.number % 64 for tile in TILES], np.uint64)
"""By tile: its bit in its word."""
WITH_PIP = np.array([_words(tile for tile in TILES if pip in tile) for pip in range(MAX_PIPS + 1)], np.uint64)
"""By pip and word: the tiles with that pip."""


def tiles_of(hand: Any) -> list[int]:
    """The tiles in a hand of a state row, `uint64[W]`, ascending."""
    bits = int.from_bytes(hand.tobytes(), "little")
    return [tile.number for tile in TILES if bits >> tile.number & 1]


def parse_tile(text: str) -> Tile:
    """Read a tile, its halves in either order.

    Raises:
        NotationError: There is no such tile.
    """
    halves = re.fullmatch(r"(\d{1,2})-(\d{1,2})", text.strip())
    pips = sorted(int(half) for half in halves.groups()) if halves else [MAX_PIPS + 1]
    if pips[-1] > MAX_PIPS:
        raise NotationError(f"'{text}' is no tile: write two numbers of pips up to {MAX_PIPS}, such as 6-4")
    return Tile(pips[1], pips[0])


def parse_place(text: str) -> Place:
    """Read an action's text form.

    Raises:
        NotationError: The text is no action.
    """
    tile, _, arm = text.strip().partition("@")
    if arm not in {str(number) for number in range(SIDES)}:
        raise NotationError(f"'{text}' is no placement: write a tile and an arm from 0 to 3, such as 6-4@1")
    return Place(parse_tile(tile), int(arm))

"""Faces and tiles: what they are worth, and sets of tiles as bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.regenwormen.rows import FIRST_TILE, TILES
from league.kernels import kernel


@kernel
def value(face: Any) -> Any:
    """What one die of a face counts."""
    return min(face, 5)


@kernel
def worms(tile: Any) -> Any:
    """The worms on a tile."""
    return 1 + ((tile - FIRST_TILE) >> 2)


@kernel
def has_tile(tiles: Any, tile: Any) -> Any:
    """Whether a set of tiles holds a tile."""
    return (np.int64(tiles) >> (tile - FIRST_TILE)) & 1 == 1


@kernel
def bit_of(tile: Any) -> Any:
    """The set of one tile, or of none for 0."""
    return (1 << tile) >> FIRST_TILE


@kernel
def up_to(tiles: Any, limit: Any) -> Any:
    """The tiles of a set that are not above `limit`, a total of dice or a tile."""
    return np.int64(tiles) & (((2 << limit) - 1) >> FIRST_TILE)


@kernel
def highest(tiles: Any, limit: Any) -> Any:
    """The highest tile of a set that is not above `limit`, or 0."""
    rest = up_to(tiles, limit)
    if rest == 0:
        return 0
    tile = FIRST_TILE
    for half in (8, 4, 2, 1):
        upper = rest >> half
        tile += half if upper else 0
        rest = upper if upper else rest
    return tile


@kernel
def lowest(tiles: Any) -> Any:
    """The lowest tile of a set, or one above all others where there is none."""
    rest = np.int64(tiles) | 1 << TILES
    tile = FIRST_TILE
    for half in (16, 8, 4, 2, 1):
        is_above = rest & ((1 << half) - 1) == 0
        tile += half * is_above
        rest >>= half * is_above
    return tile

"""Hands: the tiles that each seat holds, and which of them fit, as compiled functions over state rows.

A hand is a set of bits: tile `t` is bit `t % 64` of word `t // 64`. The double-six set takes one such word, the
double-twelve set two. `state.fitting` is the set of all tiles that fit the layout, so a hand is looked through at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.dominoes.layout import fits, open_arms
from league.games.dominoes.tiles import HIGH, LOW, TILE_BIT
from league.kernels import Row, kernel

POWERS = 67
"""A prime that leaves another remainder for each power of two from 0 to 65."""
BIT_NUMBER = np.zeros(POWERS, np.int64)
"""By remainder of a power of two: which power it is."""
BIT_NUMBER[[2**power % POWERS for power in range(64)]] = np.arange(64)


@kernel
def lowest(bits: Any) -> Any:
    """The number of the lowest bit, `uint64` that is not 0."""
    return BIT_NUMBER[(bits & (~bits + np.uint64(1))) % np.uint64(POWERS)]


@kernel
def insert(state: Row, seat: Any, tile: Any) -> None:
    """Put a tile into a hand."""
    state.hands[seat, tile >> 6] |= TILE_BIT[tile]
    state.hand_sizes[seat] += 1


@kernel
def drop_tile(state: Row, seat: Any, tile: Any) -> None:
    """Take a tile out of a hand."""
    state.hands[seat, tile >> 6] ^= TILE_BIT[tile]
    state.hand_sizes[seat] -= 1


@kernel
def holds(state: Row, seat: Any, tile: Any) -> Any:
    """Whether a tile is in a hand."""
    return (state.hands[seat, tile >> 6] & TILE_BIT[tile]) != np.uint64(0)


@kernel
def empty_hands(state: Row) -> None:
    """Take all tiles away."""
    for seat in range(len(state.hands)):
        state.hand_sizes[seat] = 0
        for word in range(len(state.fitting)):
            state.hands[seat, word] = 0


@kernel
def first_match(state: Row) -> Any:
    """The lowest tile of the seat to move that fits, or -1, and whether another one fits too."""
    first = np.int64(-1)
    has_other: Any = False
    for word in range(len(state.fitting)):
        tiles = state.hands[state.to_move, word] & state.fitting[word]
        if tiles:
            has_other = first >= 0 or (tiles & (tiles - np.uint64(1))) != np.uint64(0)
            if first < 0:
                first = 64 * word + lowest(tiles)
    return first, has_other


@kernel
def has_match(state: Row) -> Any:
    """Whether anybody holds a tile that fits."""
    for word in range(len(state.fitting)):
        held = np.uint64(0)
        for seat in range(state.seats):
            held |= state.hands[seat, word]
        if held & state.fitting[word]:
            return True
    return False


@kernel
def list_hand(state: Row, seat: Any, tiles: Any) -> None:
    """Write the tiles of a hand, ascending."""
    found = 0
    for word in range(len(state.fitting)):
        left = state.hands[seat, word]
        while left:
            tiles[found] = 64 * word + lowest(left)
            left &= left - np.uint64(1)
            found += 1


@kernel
def list_places(state: Row, seat: Any, places: Any) -> Any:
    """Write every placement of a hand, `(tile, arm)`, by tile, then arm; tell how many there are."""
    found = 0
    for word in range(len(state.fitting)):
        left = state.hands[seat, word] & state.fitting[word]
        while left:
            tile = 64 * word + lowest(left)
            left &= left - np.uint64(1)
            for arm in range(open_arms(state)):
                if fits(state, tile, arm):
                    places[found, 0] = tile
                    places[found, 1] = arm
                    found += 1
    return found


@kernel
def hand_pips(state: Row, seat: Any) -> Any:
    """The pips in a hand."""
    total = np.int64(0)
    for word in range(len(state.fitting)):
        left = state.hands[seat, word]
        while left:
            tile = 64 * word + lowest(left)
            left &= left - np.uint64(1)
            total += HIGH[tile] + LOW[tile]
    return total

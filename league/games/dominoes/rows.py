"""The rows of the game: the state of a match, what one seat sees of it, and an action.

Sizes follow the set: `T` tiles, `S` seats at most. Fields that state and view share have the same name, so
that a kernel which looks at the table reads either.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from league.games.dominoes.tiles import SIDES, tile_count

Fields: TypeAlias = list[tuple[Any, ...]]

MOST_SEATS = {6: 4, 12: 10}
"""By highest pip: seats for which the set has tiles enough."""

ACTION = np.dtype([("tile", "i1"), ("arm", "i1")])
"""A tile's number and the arm it goes to."""


def most_legal(pips: int) -> int:
    """The most placements at a time: one tile of each open pip is on the table, `pips` may be in the hand."""
    return SIDES * pips


def _table(pips: int) -> Fields:
    """What lies open: options, scores, the layout and all that happened in this hand.

    `arm_end[arms]` is the spinner's pip while it has a free side, so that a new arm is joined like any other.
    The moves `move_*[:move_count]` are placements and draws; a seat skipped between two of them passed.
    """
    seats, moves = MOST_SEATS[pips], 2 * tile_count(pips)
    options = ["set", "hand_size", "boneyard_reserve", "bonus_unit", "bonus_rounding", "win_check"]
    return [
        ("target", "i4"),
        ("max_hands", "i4"),
        ("turn", "i4"),
        ("hand_number", "i4"),
        ("scores", "i4", (seats,)),
        ("move_count", "i2"),
        ("seats", "i1"),
        *((name, "i1") for name in options),
        ("spinner", "i1"),
        ("arms", "i1"),
        ("arm_end", "i1", (SIDES,)),
        ("arm_double", "i1", (SIDES,)),
        ("hand_sizes", "i1", (seats,)),
        ("move_seat", "i1", (moves,)),
        ("move_tile", "i1", (moves,)),
        ("move_arm", "i1", (moves,)),
    ]


def state_dtype(pips: int) -> np.dtype[Any]:
    """A match: the open table, every hand, the tiles that fit it, and all tiles in the order of drawing.

    Hands and the tiles that fit are sets of bits, as `hands.py` tells. `deck[drawn:]` is the boneyard; the hands were
    dealt from the deck's front, seat by seat.
    """
    tiles = tile_count(pips)
    words = -(-tiles // 64)
    hands: Fields = [("fitting", "u8", (words,)), ("hands", "u8", (MOST_SEATS[pips], words))]
    own: Fields = [
        ("to_move", "i1"),
        ("truncated", "i1"),
        ("phase", "i1"),
        ("drawn", "i1"),
        ("deck", "i1", (tiles,)),
    ]
    return np.dtype([("deal", "u8"), *hands, *_table(pips), *own], align=True)


def view_dtype(pips: int) -> np.dtype[Any]:
    """One seat's view: the open table, its own hand, and its legal placements, which stand first."""
    legal: Fields = [("legal_count", "i1"), ("seat", "i1"), ("legal", "i1", (most_legal(pips), 2))]
    own: Fields = [("boneyard_size", "i1"), ("hand", "i1", (tile_count(pips),))]
    return np.dtype([*legal, *_table(pips), *own], align=True)

"""How a match of Regenwormen, a view of it and an action lie in memory."""

from __future__ import annotations

import numpy as np

MAX_SEATS = 7
DICE = 8
FACES = 6
WORM = 6
FIRST_TILE = 21
TILES = 16
LAST_TILE = FIRST_TILE + TILES - 1
ALL_TILES = (1 << TILES) - 1

ROLL, TAKE, STEAL, STOP = 0, 1, 2, 3
"""What follows a keep, as a number."""
COUNT_SHIFT = 4
"""`legal[face - 1]` has the bits `1 << then` for all that may follow, and above them the number of dice kept."""

_OPTIONS = [
    ("flip_without_tile", "i1"),
    ("fast_variant", "i1"),
    ("any_below", "i1"),
    ("forced_steal", "i1"),
    ("stop_can_fail", "i1"),
    ("soft_landing", "i1"),
    ("max_turns", "i4"),
]
_TABLE = [
    ("dice", "i1", (FACES,)),
    ("kept", "i1", (FACES,)),
    ("total", "i1"),
    ("dice_left", "i1"),
    ("faces_kept", "i1"),
    ("seats", "i1"),
    ("open_tiles", "u2"),
    ("closed_tiles", "u2"),
    ("tops", "i1", (MAX_SEATS,)),
    ("below", "i1", (TILES,)),
    ("turn", "i4"),
    *_OPTIONS,
]
"""What states and views share beside `legal`."""
_LEGAL = ("legal", "u1", (FACES,))
STATE = np.dtype([("deal", "u8"), ("to_move", "i1"), ("truncated", "i1"), _LEGAL, *_TABLE], align=True)
_REST = (field for field in _TABLE if field[0] != "any_below")
VIEW = np.dtype([("seat", "i1"), ("any_below", "i1"), _LEGAL, *_REST], align=True)
"""The first eight bytes end with `legal`, for views are told it as one number."""
ACTION = np.dtype([("face", "i1"), ("then", "i1"), ("tile", "i1")])
"""`tile` names the tile to take where more than the highest below may be taken, else it is 0."""

"""The rows of Rummikub: states, views and actions, and the numbers that stand for words in them."""

from __future__ import annotations

import numpy as np

MAX_SEATS = 4
TILES = 106
NUMBERS = 13
TILE_KINDS = 53
"""Colour (black, red, blue, yellow) times 13 plus number minus 1, the joker last."""
JOKER = 52
HAND = 14
MOST_SETS = 35
"""106 tiles hold no more sets of three."""
MELD = 30

NO_SET, GROUP, RUN, SEQUENCE = 0, 1, 2, 3
"""Kinds of sets."""

DRAW, PASS, PLAY, PENALTY, TIME_LIMIT = 0, 1, 2, 3, 4
"""Kinds of actions; the last two are the penalties of RK-15 and RK-14."""

SUBSTITUTE, FREE, RACK_ONLY = 0, 1, 2
"""`joker_policy`."""

LATER, ATTACH, NONE, FULL = 0, 1, 2, 3
"""A turn after the opening, or an opening turn with what may follow in it: `after_opening`."""

MOST_CANDIDATES = 24
"""The most plays that are listed as candidates."""

REDRAW, ROTATE, WINNER = 0, 1, 2
"""`next_start`."""

OPTIONS = [
    ("next_start", "i1"),
    ("after_opening", "i1"),
    ("draw_count", "i1"),
    ("joker_policy", "i1"),
    ("time_limited", "i1"),
    ("penalty_tiles", "i1"),
    ("illegal_draws", "i1"),
    ("blocked_full", "i1"),
    ("joker_penalty", "i1"),
    ("rounds", "i2"),
    ("by_rounds_won", "i1"),
    ("maths", "i1"),
    ("max_turns", "i4"),
]
"""The options as fields of states and views."""

SHARED = [
    ("seats", "i1"),
    ("set_count", "i1"),
    ("sets", "i4", (MOST_SETS,)),
    ("rack_sizes", "u1", (MAX_SEATS,)),
    ("pool_size", "i1"),
    ("opened", "i1", (MAX_SEATS,)),
    ("stood_in", "i1", (MAX_SEATS,)),
    ("passes", "i1"),
    ("first", "i1"),
    ("rounds_over", "i2"),
    ("turn", "i4"),
    ("totals", "i4", (MAX_SEATS,)),
    ("won", "i2", (MAX_SEATS,)),
    *OPTIONS,
]
"""What all seats see: the table's set codes, rack and pool sizes, who has opened, who has had its penalty of RK-15,
passes in a row, the round's first seat, rounds and turns finished, points and rounds won."""

STATE = np.dtype(
    [
        ("deal", "u8"),
        ("to_move", "i1"),
        ("truncated", "i1"),
        ("racks", "i1", (MAX_SEATS, TILE_KINDS)),
        ("pool", "i1", (TILES,)),
        *SHARED,
    ],
    align=True,
)
"""`pool[: pool_size]` are the tiles still to draw, the next one last."""

VIEW = np.dtype([("seat", "i1"), ("rack", "i1", (TILE_KINDS,)), *SHARED], align=True)

ACTION = np.dtype(
    [("kind", "i1"), ("unplaced", "i1"), ("count", "i1"), ("sets", "i4", (MOST_SETS,))], align=True
)
"""A play is the whole new table as set codes; a code below 0 tells what is wrong with a set that is none. `unplaced`
are the tiles of the game that do not lie on it, so that larger plays come first in ascending order."""

"""What is still to be shown of a play: the tiles of its path, and the sets made of them so far."""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.rummikub.rows import MOST_SETS, NUMBERS
from league.games.rummikub.scratch import row_maker
from league.kernels import kernel

MIXED, PURE = np.int64(0), np.int64(1)
"""Layers of sets; no literals, for which numba would compile every kernel anew."""

PATH = np.dtype(
    [
        ("runs", "i8", (2, 4, 13)),
        ("groups", "i8", (2, 4, 13)),
        ("tiles", "i8", (2, 4, 13)),
        ("jokers", "i8", (2, 4, 13)),
        ("claims", "i8", (4,)),
        ("free", "i8", (2, 4)),
        ("counted", "i8", (2, 4)),
        ("sets", "i4", (MOST_SETS + 1,)),
        ("count", "i8"),
    ]
)
"""What is still to be shown, mixed and pure apart: tiles in runs (and sequences) and in groups, real tiles and jokers
of each kind, the claims of attachments, free jokers of words and which of them count, and the sets made so far."""

make_paths = row_maker("make_paths", PATH)


@kernel
def clear_path(path: Any) -> None:
    """Empty a path."""
    for layer in range(2):
        for place in range(52):
            colour, level = place // 13, place % 13
            path.runs[layer, colour, level] = path.groups[layer, colour, level] = 0
            path.tiles[layer, colour, level] = path.jokers[layer, colour, level] = 0
    for colour in range(4):
        path.claims[colour] = 0
        for layer in range(2):
            path.free[layer, colour] = path.counted[layer, colour] = 0
    path.count = 0


@kernel
def read_choice(problem: Any, machine: Any, path: Any, colour: Any, level: Any, at: Any) -> None:
    """Add what a colour does at a number to the path."""
    choice = machine.choices[at]
    path.runs[MIXED, colour, level], path.runs[PURE, colour, level] = choice.mixed_runs, choice.pure_runs
    path.groups[MIXED, colour, level], path.groups[PURE, colour, level] = (
        choice.mixed_group,
        choice.pure_group,
    )
    path.jokers[MIXED, colour, level] = choice.mixed_jokers + choice.tag // 3
    path.jokers[PURE, colour, level] = choice.pure_jokers
    path.tiles[MIXED, colour, level] = problem.table[colour, level] + choice.played - choice.pure_real
    path.tiles[PURE, colour, level] = choice.pure_real


@kernel
def read_steps(problem: Any, machine: Any, step: Any, root: Any, path: Any) -> None:
    """Fill a path with the choices `step[4, 13]` from the first states `root[4]` on."""
    clear_path(path)
    for colour in range(4):
        path.claims[colour] = machine.states[root[colour]].claims
        for level in range(NUMBERS):
            read_choice(problem, machine, path, colour, level, step[colour, level])


@kernel
def put(path: Any, code: Any) -> None:
    """Add a set to the new table."""
    path.sets[path.count] = code
    path.count += 1


@kernel
def draw_tile(path: Any, layer: Any, colour: Any, level: Any) -> Any:
    """Take a tile of a kind, a real one if there is one left; returns 1 for a joker."""
    if path.tiles[layer, colour, level] > 0:
        path.tiles[layer, colour, level] -= 1
        return 0
    path.jokers[layer, colour, level] -= 1
    return 1

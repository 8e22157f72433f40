"""States and choices of the four colours, and the automaton of runs that the states come from."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from league.games.rummikub.scratch import row_maker
from league.games.rummikub.words import Words
from league.kernels import kernel

MOST_OPEN = 4
"""Two copies and two jokers can stand for the same tile, so up to four runs of a colour run side by side."""

_OPEN = [
    (short, middle, total - short - middle)
    for total in range(MOST_OPEN + 1)
    for short in range(total + 1)
    for middle in range(total - short + 1)
]
"""Open runs of one tile, of two, of three or more; index 0 is none."""

NEEDS = np.array([short + middle for short, middle, _ in _OPEN], np.int64)
"""Tiles that the next number must bring."""
FRESH = np.array([short for short, _, _ in _OPEN], np.int64)
"""Tiles that the number after the next must bring."""
OPEN = np.array([sum(state) for state in _OPEN], np.int64)


def _after(state: tuple[int, int, int], tiles: int) -> int:
    """The state after `tiles` of a number went into runs, or -1.

    Short runs must go on; long ones go on rather than that a new run begins, which loses nothing.
    """
    short, middle, long = state
    spare = tiles - short - middle
    if spare < 0:
        return -1
    return _OPEN.index((max(0, spare - long), short, middle + min(long, spare)))


NEXT_OPEN = np.array([[_after(state, tiles) for tiles in range(MOST_OPEN + 1)] for state in _OPEN], np.int64)

DEAD = -(1 << 56)
MOST_STATES = 8192

STATE = np.dtype(
    [
        ("claims", "i8"),
        ("bound", "i8", (3,)),
        ("first", "i4"),
        ("last", "i4"),
        ("quota_hope", "i4"),
        ("pure_runs", "i4"),
        ("mixed_runs", "i4"),
        ("most_pure", "i1"),
        ("most_mixed", "i1"),
    ],
    align=True,
)
"""A state of a colour: tiles claimed by attachments, the most it can still gain with 0, 1 or 2 free jokers (`DEAD`: no
way on), the range of its choices, the most it can still add to the quota, indices of its open runs (in the maths
variant: nodes of its words), and the most tiles that a choice puts into pure and into mixed groups."""

CHOICE = np.dtype(
    [
        ("gain", "i8"),
        ("price", "i8"),
        ("to", "i4"),
        ("tag", "i1"),
        ("played", "i1"),
        ("pure_group", "i1"),
        ("mixed_group", "i1"),
        ("pure_real", "i1"),
        ("pure_jokers", "i1"),
        ("mixed_jokers", "i1"),
        ("pure_runs", "i1"),
        ("mixed_runs", "i1"),
        ("quota", "i4"),
    ],
    align=True,
)
"""What one colour does at one number: its worth, what it pays (see `prices.py`), the next state, old jokers kept (3 x)
and released, rack tiles played, tiles into groups, real tiles in pure sets, free jokers, tiles into runs and
sequences, and what it adds to the quota. In the maths variant only the free jokers in groups and attachments are
told."""

make_states, make_choices = row_maker("make_states", STATE), row_maker("make_choices", CHOICE)


class Machine(NamedTuple):
    """States and choices of all colours.

    Attributes:
        states: `[S]` states, those of a colour before a number together.
        choices: `[C]` choices, those of a state together.
        level: `[4, 15]` where the states of each colour before each number begin.
        joker: `[1]` the price of a free joker; see `prices.py`.
        slots: Hash slots of the states.
        words: What stands for open runs in the maths variant.
    """

    states: Any
    choices: Any
    level: Any
    joker: Any
    slots: Any
    words: Words


@kernel
def make_machine(states: Any, words: Any) -> Any:
    """An empty machine; `states` must be a power of two."""
    return Machine(
        make_states(states),
        make_choices(states * 4),
        np.zeros((4, 15), np.int64),
        np.zeros(1, np.int64),
        np.full(states * 2, -1, np.int32),
        words,
    )


@kernel
def intern(
    machine: Any, most: Any, begin: Any, end: Any, pure_runs: Any, mixed_runs: Any, claims: Any
) -> Any:
    """Find or add a state in the level from `begin`; returns it and the end of the states, which is -1 when full."""
    mask = machine.slots.size - 1
    folded = (claims ^ claims >> 24) & 0xFFFFFF
    key = pure_runs * 0x9E3779B1 + mixed_runs * 0x85EBCA77 + folded * 0xC2B2AE3D + begin * 0x27D4EB2F
    slot = (key >> 7 ^ key >> 29) & mask
    while machine.slots[slot] >= 0:
        state = np.int64(machine.slots[slot])
        if state >= begin:
            found = machine.states[state]
            same_runs = found.pure_runs == pure_runs and found.mixed_runs == mixed_runs
            if same_runs and found.claims == claims:
                return state, end
        slot = slot + 1 & mask
    if end == machine.states.size or end - begin == most:
        return np.int64(0), np.int64(-1)
    machine.slots[slot] = end
    added = machine.states[end]
    added.pure_runs, added.mixed_runs, added.claims = pure_runs, mixed_runs, claims
    return end, end + 1

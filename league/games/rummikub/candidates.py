"""The candidate plays of a seat: the best play, and what is left of it when tiles are held back.

A rack of many tiles has more plays than anybody could list. The candidates grow from the play that lays the most tiles,
by taking back one part after another that the table can do without: a whole set, an end of a run, a tile of a group of
four.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.rummikub.judging import is_legal
from league.games.rummikub.kernels import imagine
from league.games.rummikub.problem import make_problems
from league.games.rummikub.rows import (
    DRAW,
    GROUP,
    JOKER,
    MOST_CANDIDATES,
    MOST_SETS,
    PASS,
    RUN,
    STATE,
    TILE_KINDS,
)
from league.games.rummikub.scratch import row_maker
from league.games.rummikub.sets import (
    add_tiles,
    colour_of,
    colours_of,
    first_of,
    group_code,
    is_set,
    jokers_of,
    kind_of,
    number_of,
    run_code,
    size_of,
)
from league.games.rummikub.solver import pose_turn, write_best
from league.kernels import Row, kernel, mix

make_states = row_maker("make_rummikub_states", STATE)

_WHOLE, _FIRST, _LAST, _COLOURS = 0, 1, 2, 3
_PARTS = 7
"""Ways to take something back from a set: all, its first tile, its last, or a colour of a group of four."""


@kernel
def comes_before(one: Row, other: Row) -> Any:
    """Whether an action comes before another: larger plays first, then by their sets."""
    if one.unplaced != other.unplaced:
        return one.unplaced < other.unplaced
    if one.count != other.count:
        return one.count < other.count
    for place in range(MOST_SETS):
        if one.sets[place] != other.sets[place]:
            return one.sets[place] < other.sets[place]
    return False


@kernel
def copy_play(source: Row, target: Row) -> None:
    """Copy a play."""
    target.kind, target.unplaced, target.count = source.kind, source.unplaced, source.count
    for place in range(MOST_SETS):
        target.sets[place] = source.sets[place]


@kernel
def sort_plays(actions: Any, count: Any) -> None:
    """Sort actions 1 to `count`, in place; the row after them is room to work in."""
    spare = actions[actions.size - 1]
    for last in range(2, count + 1):
        copy_play(actions[last], spare)
        place = last
        while place > 1 and comes_before(spare, actions[place - 1]):
            copy_play(actions[place - 1], actions[place])
            place -= 1
        copy_play(spare, actions[place])


@kernel
def without(code: Any, part: Any) -> Any:
    """The set that is left without a part, 0 when none is; -1 when the part cannot be taken."""
    if part == _WHOLE:
        return np.int64(0)
    rest = np.int64(-1)
    if kind_of(code) == RUN and part < _COLOURS:
        first, size, jokers = first_of(code) + (part == _FIRST), size_of(code) - 1, jokers_of(code)
        jokers = jokers >> 1 if part == _FIRST else jokers & ~(1 << size)
        rest = run_code(colour_of(code), first, size, jokers)
    if kind_of(code) == GROUP and part >= _COLOURS and size_of(code) == 4:
        rest = group_code(number_of(code), colours_of(code) & ~(1 << part - _COLOURS), 3)
        if rest & 0x3FF == code & 0x3FF:
            return np.int64(-1)
    return rest if is_set(rest, 0) else np.int64(-1)


@kernel
def tiles_played(state: Row, action: Row, played: Any) -> None:
    """Count the rack tiles that a play lays, `played[53]`."""
    for kind in range(TILE_KINDS):
        played[kind] = 0
    for place in range(state.set_count):
        add_tiles(np.int64(state.sets[place]), played, -1)
    for place in range(action.count):
        add_tiles(np.int64(action.sets[place]), played, 1)


@kernel
def are_own(code: Any, rest: Any, played: Any, back: Any) -> Any:
    """Whether what is taken from a set can all be rack tiles; `back[53]` is filled with it."""
    for kind in range(TILE_KINDS):
        back[kind] = 0
    add_tiles(code, back, 1)
    if rest > 0:
        add_tiles(rest, back, -1)
    for kind in range(TILE_KINDS):
        if back[kind] > played[kind]:
            return False
    return True


@kernel
def mark_of(tiles: Any) -> Any:
    """A hash of a multiset of tiles."""
    mark = np.uint64(0)
    for kind in range(TILE_KINDS):
        mark += np.uint64(tiles[kind]) * mix(np.uint64(JOKER), np.uint64(kind))
    return mark


@kernel
def take_back(source: Row, place: Any, rest: Any, back: Any, target: Row) -> None:
    """Write a play without some of its tiles."""
    copy_play(source, target)
    for kind in range(TILE_KINDS):
        target.unplaced += back[kind]
    target.sets[place] = rest
    if rest == 0:
        target.count -= 1
        for at in range(place, target.count):
            target.sets[at] = target.sets[at + 1]
        target.sets[target.count] = 0


@kernel
def is_new(marks: Any, count: Any, mark: Any) -> Any:
    """Whether no play with these tiles is listed."""
    for other in range(1, count):
        if marks[other] == mark:
            return False
    return True


@kernel
def hold_back(state: Row, actions: Any, marks: Any, which: Any, count: Any) -> Any:
    """List what is left of a candidate when one part is taken back; returns the new count."""
    played, back = np.zeros(TILE_KINDS, np.int64), np.zeros(TILE_KINDS, np.int64)
    source, spare = actions[which], actions[actions.size - 1]
    tiles_played(state, source, played)
    for place in range(source.count):
        code = np.int64(source.sets[place])
        for part in range(_PARTS):
            rest = without(code, part)
            if rest < 0 or count > MOST_CANDIDATES or not are_own(code, rest, played, back):
                continue
            mark = marks[which] - mark_of(back)
            if is_new(marks, count, mark):
                take_back(source, place, rest, back, spare)
                if is_legal(state, spare):
                    copy_play(spare, actions[count])
                    marks[count] = mark
                    count += 1
    return count


@kernel
def list_candidates(state: Row, actions: Any) -> Any:
    """List the candidates that grow from action 1; returns the count of all actions."""
    played, marks = np.zeros(TILE_KINDS, np.int64), np.zeros(MOST_CANDIDATES + 1, np.uint64)
    tiles_played(state, actions[1], played)
    marks[1], count, which = mark_of(played), np.int64(2), 1
    while which < count:
        count = hold_back(state, actions, marks, which, count)
        which += 1
    return count


@kernel
def legal(view: Row, actions: Any) -> Any:
    """Draw or pass, then the candidate plays, larger ones first.

    Candidates differ in the rack tiles they lay, each with one table that shows it; at most `MOST_CANDIDATES` are
    listed.
    """
    plain, states, problems = actions[0], make_states(1), make_problems(1)
    plain.kind, plain.unplaced, plain.count = PASS if view.pool_size == 0 else DRAW, 0, 0
    for place in range(MOST_SETS):
        plain.sets[place] = 0
    pose_turn(view, np.ones(TILE_KINDS, np.int64), np.int64(0), problems[0])
    if not write_best(problems, actions[1]):
        return 1
    imagine(view, np.uint64(0), states[0])
    count = list_candidates(states[0], actions)
    sort_plays(actions, count - 1)
    return count if states.size > 0 else 1  # asked for the sake of its row alone, which it must outlive

"""From a path through the search back to sets on the table.

A path only says how many tiles of each kind go into groups, and into runs and sequences. Of the tables that show it,
one is made that keeps as many old sets as it can, in their old order; the other sets follow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.rummikub.extending import attach_all
from league.games.rummikub.machine import NEEDS, NEXT_OPEN
from league.games.rummikub.paths import MIXED, PURE, draw_tile, put
from league.games.rummikub.rows import ATTACH, GROUP, NONE
from league.games.rummikub.sets import (
    colour_of,
    colours_of,
    group_code,
    joker_count,
    jokers_of,
    kind_of,
    number_at,
    number_of,
    run_code,
    size_of,
)
from league.games.rummikub.spelling import show_word, word_value
from league.kernels import kernel


@kernel
def runs_hold(path: Any, layer: Any, colour: Any) -> Any:
    """Whether the tiles still meant for runs of a colour make runs."""
    state = 0
    for level in range(13):
        if path.runs[layer, colour, level] < NEEDS[state]:
            return False
        state = NEXT_OPEN[state, path.runs[layer, colour, level]]
    return NEEDS[state] == 0


@kernel
def groups_hold(path: Any, layer: Any, level: Any) -> Any:
    """Whether the tiles still meant for groups of a number make groups."""
    tiles, most = 0, 0
    for colour in range(4):
        tiles += path.groups[layer, colour, level]
        most = max(most, path.groups[layer, colour, level])
    return 3 * most <= tiles


@kernel
def move_row(path: Any, code: Any, sign: Any) -> Any:
    """Take the tiles of an old run or sequence out of the path, or with sign -1 put them back.

    Returns:
        Whether all were there.
    """
    colour, whole = colour_of(code), True
    for place in range(size_of(code)):
        level = number_at(code, place) - 1
        path.runs[MIXED, colour, level] -= sign
        pool = path.jokers if jokers_of(code) >> place & 1 else path.tiles
        pool[MIXED, colour, level] -= sign
        whole = whole and path.runs[MIXED, colour, level] >= 0 and pool[MIXED, colour, level] >= 0
    return whole


@kernel
def keep_row(problem: Any, machine: Any, path: Any, code: Any) -> Any:
    """Keep an old run or sequence if what is left can still be shown."""
    colour = colour_of(code)
    worth = word_value(problem, machine, path, MIXED, colour) if problem.maths else 0
    if move_row(path, code, np.int64(1)):
        if problem.maths and word_value(problem, machine, path, MIXED, colour) == worth:
            return True
        if not problem.maths and runs_hold(path, MIXED, colour):
            return True
    move_row(path, code, np.int64(-1))
    return False


@kernel
def group_places(path: Any, code: Any) -> Any:
    """The colours an old group would take now, each joker one that a joker stands for; 0 when it cannot."""
    level, taken, jokers = number_of(code) - 1, colours_of(code), joker_count(code)
    for colour in range(4):
        lacks = path.tiles[MIXED, colour, level] < 1 or path.groups[MIXED, colour, level] < 1
        if taken >> colour & 1 and lacks:
            return 0
    for colour in range(4):
        has = path.jokers[MIXED, colour, level] > 0 and path.groups[MIXED, colour, level] > 0
        if jokers > 0 and has and not taken >> colour & 1:
            taken |= 1 << colour
            jokers -= 1
    return taken if jokers == 0 else 0


@kernel
def move_group(path: Any, code: Any, places: Any, sign: Any) -> None:
    """Take the tiles of an old group out of the path, or with sign -1 put them back."""
    level = number_of(code) - 1
    for colour in range(4):
        if places >> colour & 1:
            path.groups[MIXED, colour, level] -= sign
            if colours_of(code) >> colour & 1:
                path.tiles[MIXED, colour, level] -= sign
            else:
                path.jokers[MIXED, colour, level] -= sign


@kernel
def keep_group(path: Any, code: Any) -> Any:
    """Keep an old group if what is left can still be shown."""
    places = group_places(path, code)
    if places == 0:
        return False
    move_group(path, code, places, np.int64(1))
    if groups_hold(path, MIXED, number_of(code) - 1):
        return True
    move_group(path, code, places, np.int64(-1))
    return False


@kernel
def keep_old_sets(problem: Any, machine: Any, path: Any) -> None:
    """Put every old set on the new table that can stay as it is."""
    for which in range(problem.set_count):
        code = np.int64(problem.sets[which])
        kept = keep_group(path, code) if kind_of(code) == GROUP else keep_row(problem, machine, path, code)
        if kept:
            put(path, code)


@kernel
def show_groups(path: Any, layer: Any, level: Any) -> None:
    """Put the groups of a number on the table, as few as hold its tiles; each lacks at most one colour."""
    count = 0
    for colour in range(4):
        count = max(count, path.groups[layer, colour, level])
    lacking = np.full(4, -1, np.int64)
    group = 0
    for colour in range(4):
        for _ in range(count - path.groups[layer, colour, level]):
            lacking[group] = colour
            group += 1
    for which in range(count):
        real = 0
        for colour in range(4):
            if lacking[which] != colour and draw_tile(path, layer, colour, level) == 0:
                real |= 1 << colour
        put(path, group_code(level + 1, real, 4 if lacking[which] < 0 else 3))


@kernel
def show_run(path: Any, layer: Any, colour: Any, first: Any, length: Any) -> None:
    """Put one run on the table."""
    jokers = 0
    for place in range(length):
        jokers |= draw_tile(path, layer, colour, first + place) << place
    put(path, run_code(colour, first + 1, length, jokers))


@kernel
def show_runs(path: Any, layer: Any, colour: Any) -> None:
    """Put the runs of a colour on the table: short ones go on first, then the earliest, then new ones begin."""
    first, length, opened = np.zeros(8, np.int64), np.zeros(8, np.int64), 0
    for level in range(14):
        tiles = path.runs[layer, colour, level] if level < 13 else 0
        still = 0
        for short in range(1, -1, -1):
            for which in range(opened):
                if (
                    length[which] > 0
                    and (length[which] < 3) == (short == 1)
                    and first[which] + length[which] == level
                ):
                    if tiles > 0:
                        length[which] += 1
                        tiles -= 1
                    else:
                        show_run(path, layer, colour, first[which], length[which])
                        length[which] = 0
        for which in range(opened):
            if length[which] > 0:
                first[still], length[still] = first[which], length[which]
                still += 1
        opened = still
        for _ in range(tiles):
            first[opened], length[opened] = level, 1
            opened += 1


@kernel
def show_layer(problem: Any, machine: Any, path: Any, layer: Any) -> None:
    """Put all that is left of a layer on the table."""
    if problem.maths:
        for colour in range(4):
            show_word(problem, machine, path, layer, colour)
    for level in range(13):
        show_groups(path, layer, level)
    if not problem.maths:
        for colour in range(4):
            show_runs(path, layer, colour)


@kernel
def rebuild(problem: Any, machine: Any, path: Any) -> None:
    """Make the new table of a path: `path.sets[: path.count]`."""
    if problem.turn == ATTACH or problem.turn == NONE:
        attach_all(problem, path)
    else:
        keep_old_sets(problem, machine, path)
        show_layer(problem, machine, path, MIXED)
    show_layer(problem, machine, path, PURE)

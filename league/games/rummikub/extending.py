"""Old sets with attached tiles, shown from the tiles of a path."""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.rummikub.attaching import fold_attachments, make_fold
from league.games.rummikub.paths import MIXED, draw_tile, put
from league.games.rummikub.rows import GROUP, MOST_SETS, RUN
from league.games.rummikub.sequences import LENGTHS, SEQUENCE_NUMBERS
from league.games.rummikub.sets import (
    colour_of,
    colours_of,
    first_of,
    group_code,
    joker_count,
    jokers_of,
    kind_of,
    number_of,
    run_code,
    sequence_code,
    size_of,
)
from league.kernels import kernel


@kernel
def grow_run(path: Any, code: Any, front: Any, length: Any) -> Any:
    """An old run with attached tiles before and behind it."""
    colour, first, size = colour_of(code), first_of(code) - front, size_of(code)
    jokers = jokers_of(code) << front
    for place in range(length):
        if place < front or place >= front + size:
            jokers |= draw_tile(path, MIXED, colour, first - 1 + place) << place
    return run_code(colour, first, length, jokers)


@kernel
def grow_sequence(path: Any, code: Any, shift: Any, index: Any) -> Any:
    """An old sequence as part of a longer one."""
    jokers = jokers_of(code) << shift
    for place in range(LENGTHS[index]):
        if place < shift or place >= shift + size_of(code):
            jokers |= draw_tile(path, MIXED, colour_of(code), SEQUENCE_NUMBERS[index, place] - 1) << place
    return sequence_code(colour_of(code), index, jokers)


@kernel
def attach_colour(problem: Any, path: Any, colour: Any, grown: Any) -> None:
    """Find which old sets of a colour take the claimed tiles, by folding them again up to those claims."""
    if path.claims[colour] == 0:
        return
    fold = make_fold(np.int64(4096), problem.set_count)
    last = fold_attachments(problem, colour, path.claims[colour], fold)
    entry = fold.begin[problem.set_count]
    while entry < last and fold.claims[entry] != path.claims[colour]:
        entry += 1
    for which in range(problem.set_count - 1, -1, -1):
        code = np.int64(problem.sets[which])
        if fold.tail[entry]:
            ahead, rest = fold.tail[entry] & 15, fold.tail[entry] >> 4
            if kind_of(code) == RUN:
                grown[which] = grow_run(path, code, ahead, rest)
            else:
                grown[which] = grow_sequence(path, code, ahead, rest)
        entry = fold.parent[entry]


@kernel
def attach_fourth(problem: Any, path: Any, colour: Any, level: Any, grown: Any, plain: Any) -> Any:
    """Let an old group of three take a tile; `plain` asks for one without jokers. Returns whether one did."""
    for which in range(problem.set_count):
        code = np.int64(grown[which])
        here = kind_of(code) == GROUP and number_of(code) == level + 1 and size_of(code) == 3
        if here and not colours_of(code) >> colour & 1 and (joker_count(code) == 0) == plain:
            real = colours_of(code)
            if draw_tile(path, MIXED, colour, level) == 0:
                real |= 1 << colour
            grown[which] = group_code(level + 1, real, 4)
            return True
    return False


@kernel
def attach_groups(problem: Any, path: Any, level: Any, grown: Any) -> None:
    """Attach the fourth tiles of a number: to groups without jokers first, then to the groups with the least choice."""
    for colour in range(4):
        while path.groups[MIXED, colour, level] > 0 and attach_fourth(
            problem, path, colour, level, grown, True
        ):
            path.groups[MIXED, colour, level] -= 1
    attach_to_jokers(problem, path, level, grown)


@kernel
def attach_to_jokers(problem: Any, path: Any, level: Any, grown: Any) -> None:
    """Attach the tiles left to groups that hold jokers, so that the last one still finds its place."""
    for which in range(problem.set_count - 1, -1, -1):
        code = np.int64(grown[which])
        if (
            kind_of(code) != GROUP
            or number_of(code) != level + 1
            or size_of(code) != 3
            or joker_count(code) == 0
        ):
            continue
        for colour in range(4):
            fits = path.groups[MIXED, colour, level] > 0 and not colours_of(code) >> colour & 1
            if fits and others_fit(path, colour, level, grown, which):
                real = colours_of(code)
                if draw_tile(path, MIXED, colour, level) == 0:
                    real |= 1 << colour
                grown[which] = group_code(level + 1, real, 4)
                path.groups[MIXED, colour, level] -= 1
                break


@kernel
def others_fit(path: Any, taken: Any, level: Any, grown: Any, group: Any) -> Any:
    """Whether the tiles left beside one of colour `taken` can go to the joker groups before `group`."""
    for colour in range(4):
        left = path.groups[MIXED, colour, level] - (colour == taken)
        for which in range(group):
            code = np.int64(grown[which])
            here = kind_of(code) == GROUP and number_of(code) == level + 1 and size_of(code) == 3
            if here and joker_count(code) > 0 and not colours_of(code) >> colour & 1:
                left -= 1
        if left > 0:
            return False
    return True


@kernel
def attach_all(problem: Any, path: Any) -> None:
    """Put the old sets on the new table, some of them with attached tiles."""
    grown = np.empty(MOST_SETS, np.int64)
    for which in range(problem.set_count):
        grown[which] = problem.sets[which]
    for colour in range(4):
        attach_colour(problem, path, colour, grown)
    for level in range(13):
        attach_groups(problem, path, level, grown)
    for which in range(problem.set_count):
        put(path, grown[which])

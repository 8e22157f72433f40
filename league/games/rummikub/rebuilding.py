"""From a path through the search back to sets on the table.

A path only says how many tiles of each kind go into runs, groups and sequences. Of the tables that show it, one is made
that keeps as many old sets as it can, in their old order; the other sets follow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.rummikub.attaching import fold_attachments, make_fold
from league.games.rummikub.colours import NEEDS, NEXT_OPEN
from league.games.rummikub.rows import ATTACH, GROUP, MOST_SETS, NONE, RUN
from league.games.rummikub.scratch import row_maker
from league.games.rummikub.searching import unpack
from league.games.rummikub.sequences import LENGTHS, NUMBERS
from league.games.rummikub.sets import (
    colour_of,
    colours_of,
    first_of,
    group_code,
    index_of,
    joker_count,
    jokers_of,
    kind_of,
    number_at,
    number_of,
    run_code,
    sequence_code,
    size_of,
)
from league.kernels import kernel

MIXED, PURE = 0, 1
_MOST_BEGUN = 40

PATH = np.dtype(
    [
        ("runs", "i8", (2, 4, 13)),
        ("groups", "i8", (2, 4, 13)),
        ("tiles", "i8", (2, 4, 13)),
        ("jokers", "i8", (2, 4, 13)),
        ("claims", "i8", (4,)),
        ("begun", "i8", (_MOST_BEGUN, 3)),
        ("begun_count", "i8"),
        ("sets", "i4", (MOST_SETS + 1,)),
        ("count", "i8"),
    ]
)
"""What is still to be shown, mixed and pure apart: tiles in runs and in groups, real tiles and jokers of each kind, the
claims of attachments, sequences (layer, colour, index; layer -1 once shown), and the sets made so far."""

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
    path.begun_count = path.count = 0


@kernel
def begin_bundle(path: Any, layer: Any, colour: Any, packed: Any) -> None:
    """Note the sequences that begin."""
    while packed:
        begun = path.begun[path.begun_count]
        begun[0], begun[1], begun[2] = layer, colour, (packed & 255) - 1
        path.begun_count += 1
        packed >>= 8


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
    begin_bundle(path, MIXED, colour, np.int64(choice.mixed_bundle))
    begin_bundle(path, PURE, colour, np.int64(choice.pure_bundle))


@kernel
def root_claims(machine: Any, tree: Any, root: Any, colour: Any) -> Any:
    """The claims that a first node began with."""
    states = np.empty(4, np.int64)
    unpack(tree.nodes[root].key, states)
    return np.int64(machine.states[machine.level[colour, 0] + states[colour]].mixed)


@kernel
def read_path(problem: Any, machine: Any, tree: Any, goal: Any, path: Any) -> None:
    """Follow a goal back to the first number."""
    clear_path(path)
    node = np.int64(goal)
    for level in range(12, -1, -1):
        for colour in range(4):
            read_choice(problem, machine, path, colour, level, tree.nodes[node].step[colour])
            if level == 0:
                path.claims[colour] = root_claims(machine, tree, np.int64(tree.nodes[node].parent), colour)
        node = np.int64(tree.nodes[node].parent)


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
def move_run(path: Any, code: Any, sign: Any) -> Any:
    """Take the tiles of an old run out of the path, or with sign -1 put them back; returns whether all were there."""
    colour, whole = colour_of(code), True
    for place in range(size_of(code)):
        level = first_of(code) - 1 + place
        path.runs[MIXED, colour, level] -= sign
        pool = path.jokers if jokers_of(code) >> place & 1 else path.tiles
        pool[MIXED, colour, level] -= sign
        whole = whole and path.runs[MIXED, colour, level] >= 0 and pool[MIXED, colour, level] >= 0
    return whole


@kernel
def keep_run(path: Any, code: Any) -> Any:
    """Keep an old run if what is left can still be shown."""
    if move_run(path, code, 1) and runs_hold(path, MIXED, colour_of(code)):
        return True
    move_run(path, code, -1)
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
    move_group(path, code, places, 1)
    if groups_hold(path, MIXED, number_of(code) - 1):
        return True
    move_group(path, code, places, -1)
    return False


@kernel
def move_sequence(path: Any, code: Any, sign: Any) -> Any:
    """Take the tiles of an old sequence out of the path, or put them back; returns whether all were there."""
    whole = True
    for place in range(size_of(code)):
        level = number_at(code, place) - 1
        pool = path.jokers if jokers_of(code) >> place & 1 else path.tiles
        pool[MIXED, colour_of(code), level] -= sign
        whole = whole and pool[MIXED, colour_of(code), level] >= 0
    return whole


@kernel
def keep_sequence(path: Any, code: Any) -> Any:
    """Keep an old sequence if the path has it."""
    for which in range(path.begun_count):
        begun = path.begun[which]
        if begun[0] == MIXED and begun[1] == colour_of(code) and begun[2] == index_of(code):
            if move_sequence(path, code, 1):
                begun[0] = -1
                return True
            move_sequence(path, code, -1)
    return False


@kernel
def keep_old_sets(problem: Any, path: Any) -> None:
    """Put every old set on the new table that can stay as it is."""
    for which in range(problem.set_count):
        code = np.int64(problem.sets[which])
        if kind_of(code) == RUN:
            kept = keep_run(path, code)
        elif kind_of(code) == GROUP:
            kept = keep_group(path, code)
        else:
            kept = keep_sequence(path, code)
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
def show_sequences(path: Any, layer: Any) -> None:
    """Put the sequences that begin in a layer on the table."""
    for which in range(path.begun_count):
        begun = path.begun[which]
        if begun[0] == layer:
            jokers = 0
            for place in range(LENGTHS[begun[2]]):
                jokers |= draw_tile(path, layer, begun[1], NUMBERS[begun[2], place] - 1) << place
            put(path, sequence_code(begun[1], begun[2], jokers))


@kernel
def show_layer(path: Any, layer: Any) -> None:
    """Put all that is left of a layer on the table."""
    for level in range(13):
        show_groups(path, layer, level)
    for colour in range(4):
        show_runs(path, layer, colour)
    show_sequences(path, layer)


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
            jokers |= draw_tile(path, MIXED, colour_of(code), NUMBERS[index, place] - 1) << place
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
            if fits and others_fit(problem, path, colour, level, grown, which):
                real = colours_of(code)
                if draw_tile(path, MIXED, colour, level) == 0:
                    real |= 1 << colour
                grown[which] = group_code(level + 1, real, 4)
                path.groups[MIXED, colour, level] -= 1
                break


@kernel
def others_fit(problem: Any, path: Any, taken: Any, level: Any, grown: Any, group: Any) -> Any:
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


@kernel
def rebuild(problem: Any, machine: Any, tree: Any, goal: Any, path: Any) -> None:
    """Make the new table of a goal: `path.sets[: path.count]`."""
    read_path(problem, machine, tree, goal, path)
    if problem.turn == ATTACH or problem.turn == NONE:
        attach_all(problem, path)
    else:
        keep_old_sets(problem, path)
        show_layer(path, MIXED)
    show_layer(path, PURE)

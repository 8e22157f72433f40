"""What a solver is asked: the tiles that must lie, those that may, and how a play is judged."""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.rummikub.rows import (
    FREE,
    FULL,
    GROUP,
    JOKER,
    LATER,
    MOST_SETS,
    NONE,
    RUN,
    SUBSTITUTE,
    TILE_KINDS,
)
from league.games.rummikub.scratch import row_maker
from league.games.rummikub.sequences import LENGTHS, SEQUENCE_NUMBERS
from league.games.rummikub.sets import (
    add_tiles,
    colour_of,
    colours_of,
    first_of,
    index_of,
    joker_at,
    joker_count,
    kind_of,
    number_of,
    size_of,
)
from league.kernels import kernel

SHIFT = 12
"""A play is worth its objective times 2**SHIFT, plus how much of the table stays as it was."""

NOTHING = -(1 << 58)
"""Less than any play is worth."""


PROBLEM = np.dtype(
    [
        ("table", "i8", (4, 13)),
        ("rack", "i8", (4, 13)),
        ("links", "i8", (4, 13)),
        ("groups", "i8", (4, 13)),
        ("weights", "i8", (4, 13)),
        ("sets", "i4", (MOST_SETS,)),
        ("set_count", "i8"),
        ("old_number", "i8", (2,)),
        ("old_colours", "i8", (2,)),
        ("table_jokers", "i8"),
        ("rack_jokers", "i8"),
        ("free_jokers", "i8"),
        ("joker_weight", "i8"),
        ("by_number", "i8"),
        ("policy", "i8"),
        ("turn", "i8"),
        ("maths", "i8"),
        ("quota", "i8"),
        ("patience", "i8"),
    ]
)
"""A position to solve; colours and numbers are indices from 0.

| field | meaning |
|---|---|
| `table`, `rack` | real tiles that must lie on the new table, and those that may join them |
| `links` | old runs that hold both this number and the one before it |
| `groups` | old groups that hold this tile |
| `weights`, `joker_weight` | worth of a rack tile, and of a rack joker unless `by_number` |
| `sets`, `set_count` | codes of the old sets; none where only their tiles are known |
| `old_number`, `old_colours` | what each old joker that is not free stands for: number, mask of colours; -1 for none |
| `table_jokers`, `rack_jokers` | how many there are; none on the table in openings that leave it alone |
| `free_jokers` | the most jokers that can be somewhere new |
| `by_number` | 1 when a rack joker is worth the number it stands for |
| `policy`, `turn`, `maths` | the rules that hold |
| `quota` | what a play must reach: the value of its pure rack sets in an opening, else rack tiles played |
| `patience` | states of the colours that the search of the maths variant may go through, step by step |
"""

make_problems = row_maker("make_problems", PROBLEM)


@kernel
def note_set(code: Any, links: Any, groups: Any) -> None:
    """Add an old set to the links and groups of a problem."""
    if kind_of(code) == GROUP:
        missing = size_of(code)
        for colour in range(4):
            if colours_of(code) >> colour & 1:
                groups[colour, number_of(code) - 1] += 1
                missing -= 1
        for colour in range(4):
            if missing > 0 and not colours_of(code) >> colour & 1:
                groups[colour, number_of(code) - 1] += 1
                missing -= 1
    elif kind_of(code) == RUN:
        first = first_of(code) - 1
        for level in range(first + 1, first + size_of(code)):
            links[colour_of(code), level] += 1


@kernel
def note_jokers(sets: Any, old_number: Any, old_colours: Any) -> Any:
    """Write what the jokers in the sets stand for; returns how many there are."""
    count = 0
    for at in range(sets.size):
        code = np.int64(sets[at])
        for which in range(joker_count(code)):
            mark = joker_at(code, which)
            old_number[count] = (mark >> 4) - 1
            old_colours[count] = mark & 15
            count += 1
    return count


@kernel
def pose_tiles(problem: Any, counts: Any, rack: Any, weights: Any) -> None:
    """Write the tiles that lie and those on the rack, `[53]` each, and the worth of the latter."""
    for kind in range(JOKER):
        colour, level = kind // 13, kind % 13
        problem.table[colour, level] = counts[kind]
        problem.rack[colour, level] = rack[kind]
        problem.weights[colour, level] = weights[kind]
    problem.table_jokers, problem.rack_jokers = counts[JOKER], rack[JOKER]
    problem.joker_weight = 0 if problem.by_number else weights[JOKER]


@kernel
def pose(problem: Any, rack: Any, loose: Any, sets: Any, weights: Any) -> None:
    """Fill in a problem whose `by_number`, `policy`, `turn`, `maths` and `quota` are set.

    Args:
        problem: The row to fill.
        rack: Tiles on the rack, `[53]`.
        loose: Tiles on the table beside the sets, `[53]`; for tables known only by their tiles.
        sets: The table's sets, codes.
        weights: Worth of each tile kind, `[53]`, at most 2**40 either way.
    """
    counts = np.zeros(TILE_KINDS, np.int64)
    for place in range(52):
        problem.links[place // 13, place % 13] = problem.groups[place // 13, place % 13] = 0
    problem.old_number[0] = problem.old_number[1] = -1
    problem.set_count = sets.size
    for which in range(sets.size):
        problem.sets[which] = sets[which]
    if problem.turn == LATER or problem.turn == FULL:
        for kind in range(TILE_KINDS):
            counts[kind] = loose[kind]
        for code in sets:
            add_tiles(np.int64(code), counts, 1)
            note_set(np.int64(code), problem.links, problem.groups)
        if problem.policy != FREE:
            note_jokers(sets, problem.old_number, problem.old_colours)
    pose_tiles(problem, counts, rack, weights)
    if problem.turn == NONE and problem.maths == 0:
        drop_lone_tiles(problem)
    problem.free_jokers = most_free_jokers(problem)


@kernel
def is_pure(problem: Any) -> Any:
    """Whether sets of rack tiles alone are told apart from others."""
    return problem.turn != LATER


@kernel
def is_mixed(problem: Any) -> Any:
    """Whether sets of table and rack tiles can be made."""
    return problem.turn == LATER or problem.turn == FULL


@kernel
def pose_meld(problem: Any, meld: Any) -> None:
    """Fill in the problem of the pure rack sets alone that an opening needs, the larger their sum the better."""
    meld.by_number, meld.policy, meld.maths, meld.quota = 1, problem.policy, problem.maths, problem.quota
    meld.turn, meld.set_count, meld.joker_weight = NONE, 0, 0
    for colour in range(4):
        for level in range(13):
            meld.rack[colour, level] = problem.rack[colour, level]
            meld.table[colour, level], meld.weights[colour, level] = 0, level + 1
            meld.links[colour, level] = meld.groups[colour, level] = 0
    meld.old_number[0] = meld.old_number[1] = -1
    meld.table_jokers, meld.rack_jokers, meld.free_jokers = 0, problem.rack_jokers, problem.rack_jokers
    if problem.maths == 0:
        drop_lone_tiles(meld)


@kernel
def run_is_near(problem: Any, colour: Any, level: Any) -> Any:
    """Whether a rack tile has the two others of a run beside it, jokers counted in."""
    for first in range(max(0, level - 2), min(level, 10) + 1):
        have = problem.rack_jokers
        for place in range(first, first + 3):
            have += problem.rack[colour, place] > 0
        if have >= 3:
            return True
    return False


@kernel
def group_is_near(problem: Any, level: Any) -> Any:
    """Whether the rack holds a number in three colours, jokers counted in."""
    have = problem.rack_jokers
    for colour in range(4):
        have += problem.rack[colour, level] > 0
    return have >= 3


@kernel
def most_melded(problem: Any) -> Any:
    """What no runs and groups of rack tiles are worth more than: the sum of all tiles that any of them takes."""
    worth = 13 * problem.rack_jokers
    for level in range(13):
        group = group_is_near(problem, level)
        for colour in range(4):
            tiles = problem.rack[colour, level]
            if tiles > 0 and (group or run_is_near(problem, colour, level)):
                worth += tiles * (level + 1)
    return worth


@kernel
def drop_lone_tiles(problem: Any) -> None:
    """Forget the rack tiles that no run or group of rack tiles takes; without a table they only widen the search."""
    for level in range(13):
        group = group_is_near(problem, level)
        for colour in range(4):
            if not group and not run_is_near(problem, colour, level):
                problem.rack[colour, level] = 0


@kernel
def first_floor(problem: Any) -> Any:
    """What the worth of a play must exceed: where a quota says that there is one at all anything, else nothing laid."""
    if problem.quota > 0:
        return NOTHING
    return (1 << SHIFT) - 1


@kernel
def can_release(problem: Any, which: Any) -> Any:
    """Whether an old joker may be freed at all, because a real tile can take its place."""
    level = problem.old_number[which]
    if level < 0:
        return False
    for colour in range(4):
        if problem.old_colours[which] >> colour & 1:
            real = problem.rack[colour, level]
            if problem.policy == SUBSTITUTE:
                real += problem.table[colour, level]
            if real > 0:
                return True
    return False


@kernel
def most_free_jokers(problem: Any) -> Any:
    """How many jokers can be somewhere new."""
    count = problem.rack_jokers + freed_by_rule(problem)
    for which in range(2):
        if can_release(problem, which):
            count += 1
    return count


@kernel
def freed_by_rule(problem: Any) -> Any:
    """How many old jokers are free without a tile in their place."""
    return problem.table_jokers if problem.policy == FREE else 0


@kernel
def kept_here(problem: Any, colour: Any, level: Any) -> Any:
    """How many old jokers can stay at a place."""
    count = 0
    for which in range(2):
        if problem.old_number[which] == level and problem.old_colours[which] >> colour & 1:
            count += 1
    return count


@kernel
def room_of(problem: Any, colour: Any) -> Any:
    """The most tiles of each number that a colour can use, free jokers left out; four bits a number."""
    room = 0
    for level in range(13):
        most = problem.table[colour, level] + problem.rack[colour, level] + kept_here(problem, colour, level)
        room |= most << 4 * level
    return room


@kernel
def lacking(claims: Any, room: Any) -> Any:
    """How many claimed tiles there are not, so that jokers must stand for them."""
    count = 0
    for shift in range(0, 52, 4):
        count += max(0, (claims >> shift & 15) - (room >> shift & 15))
    return count


@kernel
def exact_triples(problem: Any, colour: Any, level: Any) -> Any:
    """How many old groups of three real tiles lack exactly this colour."""
    count = 0
    for code in problem.sets[: problem.set_count]:
        if code & 0x7FF == GROUP | (level + 1) << 2 | (15 & ~(1 << colour)) << 6:
            count += 1
    return count


@kernel
def joker_triples(problem: Any, level: Any, missing: Any) -> Any:
    """Write the missing colours of the old groups of three that hold jokers; returns how many there are."""
    count = 0
    for code in problem.sets[: problem.set_count]:
        if (
            kind_of(code) == GROUP
            and number_of(code) == level + 1
            and size_of(code) == 3
            and joker_count(code) > 0
        ):
            missing[count] = 15 & ~colours_of(code)
            count += 1
    return count


@kernel
def can_join_groups(problem: Any, level: Any, joining: Any) -> Any:
    """Whether `joining[4]` tiles by colour can each be the fourth of another old group of this number."""
    missing = np.zeros(2, np.int64)
    triples = joker_triples(problem, level, missing)
    left, first, second = 0, -1, -1
    for colour in range(4):
        for _ in range(joining[colour] - exact_triples(problem, colour, level)):
            left += 1
            second, first = first, colour
    if left > triples:
        return False
    if left == 0:
        return True
    if left == 1:
        return bool((missing[0] | missing[1]) >> first & 1)
    straight = missing[0] >> first & 1 and missing[1] >> second & 1
    crossed = missing[0] >> second & 1 and missing[1] >> first & 1
    return bool(straight or crossed)


@kernel
def claim_run(first: Any, length: Any) -> Any:
    """One tile of each number of a run, four bits a number; `first` is an index from 0."""
    claims = 0
    for level in range(first, first + length):
        claims |= 1 << 4 * level
    return claims


@kernel
def starts_within(code: Any, index: Any) -> Any:
    """Where the numbers of an old sequence begin within another sequence, or -1."""
    size = size_of(code)
    for shift in range(LENGTHS[index] - size + 1):
        same = True
        for place in range(size):
            same = same and SEQUENCE_NUMBERS[index, shift + place] == SEQUENCE_NUMBERS[index_of(code), place]
        if same:
            return shift
    return -1

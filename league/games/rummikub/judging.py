"""Whether an action is allowed, and if not, what is wrong with it.

A play is judged by the table it leaves: nothing gone, tiles from the rack only, every set valid, the jokers of the old
table accounted for, and in an opening turn the meld.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.rummikub.problem import note_jokers
from league.games.rummikub.rows import (
    ATTACH,
    DRAW,
    FREE,
    FULL,
    GROUP,
    JOKER,
    MELD,
    MOST_SETS,
    PASS,
    PENALTY,
    PLAY,
    RACK_ONLY,
    RUN,
    TILE_KINDS,
    TILES,
    TIME_LIMIT,
)
from league.games.rummikub.sequences import SEQUENCE_NUMBERS
from league.games.rummikub.sets import (
    add_tiles,
    colour_of,
    colours_of,
    first_of,
    index_of,
    is_set,
    joker_count,
    jokers_of,
    kind_of,
    number_of,
    size_of,
    value_of,
)
from league.kernels import Row, kernel

ALLOWED = 0
(
    MALFORMED,
    MUST_PASS,
    MUST_DRAW,
    NOT_DUE,
    NO_SET,
    MISSING,
    NOT_ON_RACK,
    NOTHING,
    FREED,
    TOUCHED,
    TOO_LITTLE,
) = range(1, 12)
"""What can be wrong with an action, each with a number that says where: the set or the tile kind, or the sum."""


@kernel
def is_bare(action: Row) -> Any:
    """Whether an action names no sets."""
    for place in range(MOST_SETS):
        if action.sets[place] != 0:
            return False
    return action.count == 0 and action.unplaced == 0


@kernel
def judge_plain(state: Row, action: Row) -> Any:
    """Judge an action that is no play; returns the fault and where it is."""
    if not is_bare(action):
        return MALFORMED, 0
    if action.kind == DRAW:
        return (ALLOWED if state.pool_size > 0 else MUST_PASS), 0
    if action.kind == PASS:
        return (ALLOWED if state.pool_size == 0 else MUST_DRAW), 0
    return (NOT_DUE if action.kind == PENALTY or action.kind == TIME_LIMIT else MALFORMED), 0


@kernel
def judge_sets(state: Row, action: Row) -> Any:
    """Judge each set by itself."""
    if action.count < 1 or action.count > MOST_SETS:
        return MALFORMED, 0
    tiles = 0
    for place in range(MOST_SETS):
        code = np.int64(action.sets[place])
        if place >= action.count:
            if code != 0:
                return MALFORMED, 0
        elif not is_set(code, state.maths):
            return NO_SET, place
        else:
            tiles += size_of(code)
    return (ALLOWED if tiles + action.unplaced == TILES else MALFORMED), 0


@kernel
def count_change(state: Row, action: Row, before: Any, played: Any) -> None:
    """Count the tiles on the old table, and what the new one has more of each kind; `[53]` each."""
    for place in range(state.set_count):
        add_tiles(np.int64(state.sets[place]), before, 1)
    for place in range(action.count):
        add_tiles(np.int64(action.sets[place]), played, 1)
    for kind in range(TILE_KINDS):
        played[kind] -= before[kind]


@kernel
def judge_tiles(state: Row, played: Any) -> Any:
    """Judge which tiles are gone from the table and which are new."""
    total = 0
    for kind in range(TILE_KINDS):
        if played[kind] < 0:
            return MISSING, kind
        if played[kind] > state.racks[state.to_move, kind]:
            return NOT_ON_RACK, kind
        total += played[kind]
    return (ALLOWED if total else NOTHING), 0


@kernel
def joker_fates(number: Any, colours: Any, new_number: Any, new_colours: Any, real: Any) -> Any:
    """What may have become of an old joker: bits 0 and 1 for staying as a new one, 2 to 5 for a tile of a colour."""
    fates = 0
    for fate in range(2):
        if new_number[fate] == number and new_colours[fate] & colours:
            fates |= 1 << fate
    for colour in range(4):
        if colours >> colour & 1 and real[colour * 13 + number] > 0:
            fates |= 4 << colour
    return fates


@kernel
def judge_jokers(state: Row, action: Row, before: Any, played: Any) -> Any:
    """Judge what became of the table's jokers: each stays as it was, or a real tile of its own lies for it (RK-12)."""
    old_number, old_colours = np.full(2, -1, np.int64), np.zeros(2, np.int64)
    new_number, new_colours = np.full(2, -1, np.int64), np.zeros(2, np.int64)
    count = note_jokers(state.sets[: state.set_count], old_number, old_colours)
    if count == 0 or state.joker_policy == FREE:
        return ALLOWED, 0
    note_jokers(action.sets[: action.count], new_number, new_colours)
    real = np.zeros(JOKER, np.int64)
    for kind in range(JOKER):
        real[kind] = played[kind] if state.joker_policy == RACK_ONLY else played[kind] + before[kind]
    first = joker_fates(old_number[0], old_colours[0], new_number, new_colours, real)
    if first == 0:
        return FREED, 0
    if count == 1:
        return ALLOWED, 0
    second = joker_fates(old_number[1], old_colours[1], new_number, new_colours, real)
    for one in range(6):
        for other in range(6):
            if first >> one & 1 and second >> other & 1:
                twice = (
                    one >= 2 and old_number[0] == old_number[1] and real[(one - 2) * 13 + old_number[0]] > 1
                )
                if one != other or twice or (one >= 2 and old_number[0] != old_number[1]):
                    return ALLOWED, 0
    return FREED, 1


@kernel
def group_holds(old: Any, new: Any) -> Any:
    """Whether a group is another with or without a fourth tile."""
    same = number_of(old) == number_of(new) and colours_of(old) & ~colours_of(new) == 0
    return same and size_of(old) <= size_of(new) and joker_count(old) <= joker_count(new)


@kernel
def run_holds(old: Any, new: Any) -> Any:
    """Whether a run is another with or without tiles before and after it."""
    shift = first_of(old) - first_of(new)
    if shift < 0 or shift + size_of(old) > size_of(new):
        return False
    return jokers_of(new) >> shift & ((1 << size_of(old)) - 1) == jokers_of(old)


@kernel
def sequence_holds(old: Any, new: Any) -> Any:
    """Whether a sequence is another with or without tiles before and after it."""
    size = size_of(old)
    for shift in range(size_of(new) - size + 1):
        same = jokers_of(new) >> shift & ((1 << size) - 1) == jokers_of(old)
        for place in range(size):
            same = (
                same
                and SEQUENCE_NUMBERS[index_of(new), shift + place] == SEQUENCE_NUMBERS[index_of(old), place]
            )
        if same:
            return True
    return False


@kernel
def holds(old: Any, new: Any, after_opening: Any) -> Any:
    """Whether an old set lies untouched in a new one, which in an opening may only have more tiles."""
    if old == new:
        return True
    if after_opening != ATTACH or kind_of(old) != kind_of(new):
        return False
    if kind_of(old) == GROUP:
        return group_holds(old, new)
    if colour_of(old) != colour_of(new):
        return False
    return run_holds(old, new) if kind_of(old) == RUN else sequence_holds(old, new)


@kernel
def cheapest(state: Row, action: Row, old: Any, after: Any, taken: Any) -> Any:
    """The next new set for an old one, by rising value and then place, after the given one; -1 when there is none."""
    best, best_key = -1, np.int64(1) << 40
    code = np.int64(state.sets[old])
    floor = -1
    if after >= 0:
        floor = value_of(np.int64(action.sets[after])) * 64 + after
    for new in range(action.count):
        here = np.int64(action.sets[new])
        key = value_of(here) * 64 + new
        if not taken[new] and floor < key < best_key and holds(code, here, state.after_opening):
            best, best_key = new, key
    return best


@kernel
def judge_untouched(state: Row, action: Row) -> Any:
    """Judge an opening that leaves the old sets alone: each must lie in a new one of its own, and the rest be worth 30.

    Which new set an old one lies in can be a choice between twins; the choices are tried, cheapest first.
    """
    taken, chosen = np.zeros(MOST_SETS, np.int64), np.full(MOST_SETS, -1, np.int64)
    best: Any = np.int64(-1)
    total, old, stuck = 0, 0, 0
    for new in range(action.count):
        total += value_of(np.int64(action.sets[new]))
    while old >= 0:
        if old == state.set_count:
            best = max(best, total)
            if total >= MELD:
                return ALLOWED, 0
            old -= 1
        else:
            before = chosen[old]
            if before >= 0:
                taken[before] = 0
                total += value_of(np.int64(action.sets[before]))
            new = cheapest(state, action, old, before, taken)
            chosen[old] = new
            if new < 0:
                old -= 1
            else:
                taken[new] = 1
                total -= value_of(np.int64(action.sets[new]))
                stuck = max(stuck, old + 1)
                old = old + 1 if total >= MELD or best < 0 else old
    return (TOUCHED, stuck) if best < 0 else (TOO_LITTLE, best)


@kernel
def fits(code: Any, left: Any) -> Any:
    """Whether a set can be made of the tiles left; they are taken."""
    add_tiles(code, left, -1)
    for kind in range(TILE_KINDS):
        if left[kind] < 0:
            add_tiles(code, left, 1)
            return False
    return True


@kernel
def judge_full(action: Row, played: Any) -> Any:
    """Judge an opening after which all is free: new sets of played tiles alone must be worth 30."""
    left, used = played.copy(), np.zeros(MOST_SETS, np.int64)
    total, best, place = 0, 0, 0
    while place >= 0:
        best = max(best, total)
        if best >= MELD:
            return ALLOWED, 0
        if place < action.count:
            code = np.int64(action.sets[place])
            used[place] = 1 if fits(code, left) else 2
            total += value_of(code) if used[place] == 1 else 0
            place += 1
            continue
        place -= 1
        while place >= 0 and used[place] != 1:
            place -= 1
        if place >= 0:
            code = np.int64(action.sets[place])
            add_tiles(code, left, 1)
            total -= value_of(code)
            used[place] = 2
            place += 1
    return TOO_LITTLE, best


@kernel
def judge_play(state: Row, action: Row) -> Any:
    """Judge a play; returns the fault and where it is."""
    verdict = judge_sets(state, action)
    if verdict[0] != ALLOWED:
        return verdict
    before, played = np.zeros(TILE_KINDS, np.int64), np.zeros(TILE_KINDS, np.int64)
    count_change(state, action, before, played)
    verdict = judge_tiles(state, played)
    if verdict[0] != ALLOWED:
        return verdict
    if state.opened[state.to_move]:
        return judge_jokers(state, action, before, played)
    if state.after_opening != FULL:
        return judge_untouched(state, action)
    verdict = judge_full(action, played)
    return judge_jokers(state, action, before, played) if verdict[0] == ALLOWED else verdict


@kernel
def judge(state: Row, action: Row) -> Any:
    """Judge any bytes as an action; returns the fault, `ALLOWED` if none, and where it is."""
    if action.kind != PLAY:
        return judge_plain(state, action)
    return judge_play(state, action)


@kernel
def is_legal(state: Row, action: Row) -> Any:
    """Whether the seat to move may do this; for any bytes in `action`."""
    return judge(state, action)[0] == ALLOWED


@kernel
def may_happen(state: Row, action: Row) -> Any:
    """Whether an action is legal, or a penalty that the rules may impose on the seat to move."""
    if action.kind == PENALTY:
        return is_bare(action) and not state.stood_in[state.to_move] and not state.illegal_draws
    if action.kind == TIME_LIMIT:
        return is_bare(action) and state.time_limited != 0
    return is_legal(state, action)

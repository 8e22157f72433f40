"""The first half of the solver: for each colour alone, all the ways its tiles can go through the numbers 1 to 13.

A colour's *state* between two numbers says which runs are open: how many of one tile, of two, and of three or more
(van Rijn, Takes and Vis, "The Complexity of Rummikub Problems", 2015). Runs of rack tiles alone (*pure*) are told apart
from the others (*mixed*) in opening turns. Beside them stand *claims*: tiles of higher numbers that maths sequences or
attachments have promised to use.

A *choice* leads from a state to one at the next number. Only the groups, the jokers and the quota tie the colours
together, so a choice carries those; what a colour could still gain if it were alone bounds the search from above.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from league.games.rummikub.attaching import fold_attachments, make_fold
from league.games.rummikub.problem import SHIFT, is_mixed, is_pure, kept_here, lacking, room_of
from league.games.rummikub.rows import ATTACH, GROUP, RACK_ONLY
from league.games.rummikub.scratch import row_maker
from league.games.rummikub.sequences import CLAIMS, FIRST_OF
from league.games.rummikub.sets import kind_of, number_of, size_of
from league.kernels import kernel

NUMBERS = 13
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

_ONE_EACH = 0x1111111111111
DEAD = -(1 << 56)
MOST_STATES = 8192

STATE = np.dtype(
    [
        ("pure", "i8"),
        ("mixed", "i8"),
        ("bound", "i8", (3,)),
        ("first", "i4"),
        ("last", "i4"),
        ("quota_hope", "i4"),
        ("pure_runs", "i1"),
        ("mixed_runs", "i1"),
        ("most_pure", "i1"),
        ("most_mixed", "i1"),
    ],
    align=True,
)
"""A state of a colour: claims, the most it can still gain with 0, 1 or 2 free jokers (`DEAD`: no way on), the range of
its choices, the most it can still add to the quota, indices of its open runs, and the most tiles that a choice puts
into pure and into mixed groups."""

CHOICE = np.dtype(
    [
        ("gain", "i8"),
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
        ("pure_bundle", "i4"),
        ("mixed_bundle", "i4"),
    ],
    align=True,
)
"""What one colour does at one number: its worth, the next state, old jokers kept (3 x) and released, rack tiles
played, tiles into groups, real tiles in pure sets, free jokers, tiles into runs, what it adds to the quota, and the
sequences that begin."""

make_states, make_choices = row_maker("make_states", STATE), row_maker("make_choices", CHOICE)


class Machine(NamedTuple):
    """States and choices of all colours.

    Attributes:
        states: `[S]` states, those of a colour before a number together.
        choices: `[C]` choices, those of a state together.
        level: `[4, 15]` where the states of each colour before each number begin.
        slots: Hash slots of the states.
        bundles: `[B, 3]` claims, tiles of the current number, indices plus 1 of up to four sequences.
    """

    states: Any
    choices: Any
    level: Any
    slots: Any
    bundles: Any


class Place(NamedTuple):
    """One number of one colour while its choices are listed."""

    colour: int
    level: int
    pure_groups: int
    """The most tiles of one kind that pure groups can take."""
    mixed_groups: int
    pure: bool
    mixed: bool
    bundles: int
    room: int
    """Tiles of each number, free jokers left out; four bits a number."""


class Use(NamedTuple):
    """How tiles of a kind are used: tag, rack tiles, tiles in pure and mixed sets, jokers among them, quota."""

    tag: int
    played: int
    pure: int
    mixed: int
    pure_jokers: int
    mixed_jokers: int
    quota: int


@kernel
def make_machine(states: Any) -> Any:
    """An empty machine; `states` must be a power of two."""
    return Machine(
        make_states(states),
        make_choices(states * 4),
        np.zeros((4, 15), np.int64),
        np.full(states * 2, -1, np.int32),
        np.zeros((states, 3), np.int64),
    )


@kernel
def most_groups(problem: Any, level: Any) -> Any:
    """The most groups of a number that all its tiles could form."""
    jokers = problem.free_jokers
    most = np.zeros(4, np.int64)
    for colour in range(4):
        most[colour] = problem.table[colour, level] + problem.rack[colour, level]
    for number in problem.old_number:
        jokers += number == level
    for count in range(4, 0, -1):
        tiles = jokers
        for colour in range(4):
            tiles += min(most[colour], count)
        if tiles >= 3 * count:
            return count
    return 0


@kernel
def most_joining(problem: Any, level: Any) -> Any:
    """How many old groups of three could take a fourth tile in an opening."""
    count = 0
    if problem.turn != ATTACH:
        return count
    for which in range(problem.set_count):
        code = np.int64(problem.sets[which])
        count += kind_of(code) == GROUP and number_of(code) == level + 1 and size_of(code) == 3
    return count


@kernel
def intern(machine: Any, begin: Any, end: Any, pure_runs: Any, mixed_runs: Any, pure: Any, mixed: Any) -> Any:
    """Find or add a state in the level from `begin`; returns it and the end of the states, which is -1 when full."""
    mask = machine.slots.size - 1
    runs = pure_runs << 6 | mixed_runs
    slot = (runs * 0x9E3779B1 + pure * 0x85EBCA77 + mixed * 0xC2B2AE3D + begin * 0x27D4EB2F) >> 7 & mask
    while machine.slots[slot] >= 0:
        state = np.int64(machine.slots[slot])
        if state >= begin:
            found = machine.states[state]
            same_runs = found.pure_runs == pure_runs and found.mixed_runs == mixed_runs
            if same_runs and found.pure == pure and found.mixed == mixed:
                return state, end
        slot = slot + 1 & mask
    if end == machine.states.size or end - begin == MOST_STATES:
        return np.int64(0), np.int64(-1)
    machine.slots[slot] = end
    added = machine.states[end]
    added.pure_runs, added.mixed_runs, added.pure, added.mixed = pure_runs, mixed_runs, pure, mixed
    return end, end + 1


@kernel
def can_go_on(place: Any, pure_runs: Any, mixed_runs: Any, claims: Any, jokers: Any) -> Any:
    """Whether the numbers to come have the tiles that open runs and claims ask for, with so many jokers to help."""
    if claims and lacking(claims, place.room) > jokers:
        return False
    if place.level == NUMBERS - 1:
        return NEEDS[pure_runs] + NEEDS[mixed_runs] == 0
    ahead = place.room >> 4 * (place.level + 1)
    here = NEEDS[pure_runs] + NEEDS[mixed_runs] + (claims >> 4 * (place.level + 1) & 15)
    fresh = FRESH[pure_runs] + FRESH[mixed_runs]
    return max(0, here - (ahead & 15)) + max(0, fresh - (ahead >> 4 & 15)) <= jokers


@kernel
def list_bundles(problem: Any, machine: Any, level: Any, room: Any) -> Any:
    """List the sequences, up to four together, whose smallest number is this one; none first.

    Returns:
        How many bundles there are, or -1 when they do not fit.
    """
    bundles = machine.bundles
    bundles[0, 0] = bundles[0, 1] = bundles[0, 2] = 0
    count, begin = 1, 0
    if problem.maths == 0:
        return count
    for _ in range(MOST_OPEN):
        end = count
        for bundle in range(begin, end):
            packed = bundles[bundle, 2]
            last = max(FIRST_OF[level + 1], (packed & 255) - 1)
            for index in range(last, FIRST_OF[level + 2]):
                claims = bundles[bundle, 0] + CLAIMS[index]
                if lacking(claims, room) <= problem.free_jokers:
                    if count == machine.bundles.shape[0]:
                        return -1
                    bundles[count, 0], bundles[count, 1] = claims, claims >> 4 * level & 15
                    bundles[count, 2] = packed << 8 | (index + 1)
                    count += 1
        begin = end
    return count


@kernel
def kept_whole(problem: Any, colour: Any, packed: Any) -> Any:
    """Tiles of old sequences that a bundle shows again."""
    tiles = 0
    while packed:
        index = (packed & 255) - 1
        for code in problem.sets[: problem.set_count]:
            if code & 0xFFF == 3 | colour << 2 | index << 4:
                for level in range(NUMBERS):
                    tiles += CLAIMS[index] >> 4 * level & 15
                break
        packed >>= 8
    return tiles


@kernel
def likeness(problem: Any, place: Any, runs: Any, choice: Any) -> Any:
    """How much of the old table a choice leaves together: links of runs, tiles in groups, whole sequences."""
    colour, level = place.colour, place.level
    same = min(problem.links[colour, level], min(choice.mixed_runs, OPEN[runs]))
    same += min(problem.groups[colour, level], choice.mixed_group)
    if choice.mixed_bundle:
        same += kept_whole(problem, colour, choice.mixed_bundle)
    return same


@kernel
def add_choice(problem: Any, machine: Any, place: Any, state: Any, use: Any, split: Any, ends: Any) -> Any:
    """Add one choice if it can lead on; returns the new ends of states and choices, -1 when full.

    `split` says how many tiles go into pure groups and runs, into mixed groups and runs, and the bundles of each.
    """
    state_end, choice_end = ends
    now, clear = machine.states[state], ~(15 << 4 * place.level)
    pure_group, pure_runs, mixed_group, mixed_runs, pure_bundle, mixed_bundle = split
    pure_next = NEXT_OPEN[now.pure_runs, pure_runs]
    mixed_next = NEXT_OPEN[now.mixed_runs, mixed_runs]
    pure = now.pure + machine.bundles[pure_bundle, 0] & clear
    mixed = now.mixed + machine.bundles[mixed_bundle, 0] & clear
    jokers = problem.free_jokers - use.pure_jokers - use.mixed_jokers
    if not can_go_on(place, pure_next, mixed_next, pure + mixed, jokers):
        return ends
    begin = machine.level[place.colour, place.level + 1]
    to, state_end = intern(machine, begin, state_end, pure_next, mixed_next, pure, mixed)
    if state_end < 0 or choice_end == machine.choices.size:
        return np.int64(-1), np.int64(-1)
    choice = machine.choices[choice_end]
    choice.to, choice.tag, choice.played, choice.quota = to, use.tag, use.played, use.quota
    choice.pure_jokers, choice.mixed_jokers = use.pure_jokers, use.mixed_jokers
    choice.pure_real = use.pure - use.pure_jokers
    choice.pure_group, choice.pure_runs = pure_group, pure_runs
    choice.mixed_group, choice.mixed_runs = mixed_group, mixed_runs
    choice.pure_bundle, choice.mixed_bundle = (
        machine.bundles[pure_bundle, 2],
        machine.bundles[mixed_bundle, 2],
    )
    worth = problem.weights[place.colour, place.level] * use.played
    worth += problem.joker_weight * (use.pure_jokers + use.mixed_jokers)
    choice.gain = (worth << SHIFT) + likeness(problem, place, now.mixed_runs, choice)
    return state_end, choice_end + 1


@kernel
def add_choices(problem: Any, machine: Any, place: Any, state: Any, use: Any, ends: Any) -> Any:
    """List a state's choices for one use of tiles; returns the new ends, -1 when full."""
    now, shift = machine.states[state], 4 * place.level
    for pure_bundle in range(place.bundles if place.pure else 1):
        pure = use.pure - (now.pure >> shift & 15) - machine.bundles[pure_bundle, 1]
        pure_least = pure - min(place.pure_groups, pure)
        for mixed_bundle in range(place.bundles if place.mixed else 1):
            mixed = use.mixed - (now.mixed >> shift & 15) - machine.bundles[mixed_bundle, 1]
            mixed_least = mixed - min(place.mixed_groups, mixed)
            mixed_most = mixed if place.mixed else min(mixed, 0)
            for pure_runs in range(max(NEEDS[now.pure_runs], pure_least), pure + 1):
                for mixed_runs in range(max(NEEDS[now.mixed_runs], mixed_least), mixed_most + 1):
                    split = (
                        pure - pure_runs,
                        pure_runs,
                        mixed - mixed_runs,
                        mixed_runs,
                        pure_bundle,
                        mixed_bundle,
                    )
                    ends = add_choice(problem, machine, place, state, use, split, ends)
                    if ends[0] < 0:
                        return ends
    return ends


@kernel
def add_uses(problem: Any, machine: Any, place: Any, state: Any, kept: Any, released: Any, ends: Any) -> Any:
    """List a state's choices over how many rack tiles and jokers are used; returns the new ends, -1 when full."""
    table, rack = problem.table[place.colour, place.level], problem.rack[place.colour, place.level]
    least = table + released if problem.policy == RACK_ONLY else max(table, released)
    jokers = min(problem.free_jokers, problem.table_jokers + problem.rack_jokers - kept)
    for used in range(least, table + rack + 1):
        for mixed_jokers in range(jokers + 1 if place.mixed or problem.turn == ATTACH else 1):
            for pure_jokers in range(jokers - mixed_jokers + 1 if place.pure else 1):
                for pure_real in range(used - table + 1 if place.pure else 1):
                    pure = pure_real + pure_jokers
                    mixed = used - pure_real + mixed_jokers + kept
                    quota = pure * (place.level + 1) if place.pure else used - table
                    use = Use(
                        3 * kept + released, used - table, pure, mixed, pure_jokers, mixed_jokers, quota
                    )
                    ends = add_choices(problem, machine, place, state, use, ends)
                    if ends[0] < 0:
                        return ends
    return ends


@kernel
def add_roots(problem: Any, machine: Any, colour: Any, room: Any, begin: Any) -> Any:
    """Add the states before number 1: one, or one for each way to attach tiles; returns their end, -1 when full."""
    none = np.int64(0)
    _, end = intern(machine, begin, begin, none, none, none, none)
    if problem.turn != ATTACH or end < 0:
        return end
    fold = make_fold(machine.states.size, problem.set_count)
    last = fold_attachments(problem, colour, room + problem.free_jokers * _ONE_EACH, fold)
    if last < 0:
        return last
    for entry in range(fold.begin[problem.set_count], last):
        _, end = intern(machine, begin, end, none, none, none, fold.claims[entry])
        if end < 0:
            return end
    return end


@kernel
def add_level(problem: Any, machine: Any, place: Any, ends: Any) -> Any:
    """List the choices of all states before a number; returns the new ends, -1 when full."""
    here = kept_here(problem, place.colour, place.level)
    begin, end = machine.level[place.colour, place.level], machine.level[place.colour, place.level + 1]
    for state in range(begin, end):
        machine.states[state].first = ends[1]
        for kept in range(here + 1):
            for released in range(here - kept + 1):
                ends = add_uses(problem, machine, place, state, kept, released, ends)
                if ends[0] < 0:
                    return ends
        machine.states[state].last = ends[1]
    return ends


@kernel
def note_choice(here: Any, choice: Any, onward: Any) -> None:
    """Raise the bounds of a state by what one of its choices offers."""
    used = choice.pure_jokers + choice.mixed_jokers
    for jokers in range(used, 3):
        reach = choice.gain + onward.bound[jokers - used]
        here.bound[jokers] = max(here.bound[jokers], max(DEAD, reach))
    here.quota_hope = max(here.quota_hope, choice.quota + onward.quota_hope)
    here.most_pure = max(here.most_pure, choice.pure_group)
    here.most_mixed = max(here.most_mixed, choice.mixed_group)


@kernel
def clear_bounds(here: Any, reach: Any) -> None:
    """Set the bounds of a state without choices."""
    here.quota_hope = here.most_pure = here.most_mixed = 0
    for jokers in range(3):
        here.bound[jokers] = reach


@kernel
def prune(machine: Any, colour: Any) -> None:
    """Set a colour's bounds from the end backwards and drop choices that lead nowhere."""
    for state in range(machine.level[colour, NUMBERS], machine.level[colour, NUMBERS + 1]):
        clear_bounds(machine.states[state], 0)
    for state in range(machine.level[colour, NUMBERS] - 1, machine.level[colour, 0] - 1, -1):
        here = machine.states[state]
        clear_bounds(here, DEAD)
        keep = here.first
        for at in range(here.first, here.last):
            choice = machine.choices[at]
            onward = machine.states[choice.to]
            if onward.bound[2 - choice.pure_jokers - choice.mixed_jokers] > DEAD:
                note_choice(here, choice, onward)
                if keep < at:
                    machine.choices[keep] = choice
                keep += 1
        here.last = keep


@kernel
def grow_colour(problem: Any, machine: Any, colour: Any, ends: Any) -> Any:
    """List all states and choices of a colour; returns the new ends, -1 when the machine is too small."""
    room = room_of(problem, colour)
    machine.level[colour, 0] = ends[0]
    ends = add_roots(problem, machine, colour, room, ends[0]), ends[1]
    pure, mixed = is_pure(problem), is_mixed(problem)
    for level in range(NUMBERS):
        if ends[0] < 0:
            return ends
        machine.level[colour, level + 1] = ends[0]
        bundles = list_bundles(problem, machine, level, room)
        if bundles < 0:
            return np.int64(-1), np.int64(-1)
        groups = most_groups(problem, level)
        joining = groups if mixed else most_joining(problem, level)
        ends = add_level(
            problem, machine, Place(colour, level, groups, joining, pure, mixed, bundles, room), ends
        )
    if ends[0] >= 0:
        machine.level[colour, NUMBERS + 1] = ends[0]
        prune(machine, colour)
    return ends


@kernel
def grow(problem: Any, machine: Any) -> Any:
    """List all states and choices; returns False when the machine is too small."""
    ends = np.int64(0), np.int64(0)
    for colour in range(4):
        ends = grow_colour(problem, machine, colour, ends)
        if ends[0] < 0:
            return False
    return True

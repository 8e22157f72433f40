"""The first half of the solver: for each colour alone, all the ways its tiles can go through the numbers 1 to 13.

A colour's *state* between two numbers says which runs are open: how many of one tile, of two, and of three or more
(van Rijn, Takes and Vis, "The Complexity of Rummikub Problems", 2015). Runs of rack tiles alone (*pure*) are told apart
from the others (*mixed*) in opening turns. In the maths variant nodes of `words.py` stand for open runs. Beside them
stand *claims*: tiles of higher numbers that attachments have promised to use.

A *choice* leads from a state to one at the next number. Only the groups, the jokers and the quota tie the colours
together, so a choice carries those; what a colour could still gain if it were alone bounds the search from above.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from league.games.rummikub.attaching import fold_attachments, make_fold
from league.games.rummikub.machine import (
    DEAD,
    FRESH,
    MOST_STATES,
    NEEDS,
    NEXT_OPEN,
    OPEN,
    intern,
)
from league.games.rummikub.problem import SHIFT, is_mixed, is_pure, kept_here, lacking, room_of
from league.games.rummikub.rows import ATTACH, FULL, GROUP, NUMBERS, RACK_ONLY
from league.games.rummikub.sets import kind_of, number_of, size_of
from league.games.rummikub.words import MOST_LETTERS, least_jokers
from league.kernels import kernel

_ONE_EACH = 0x1111111111111


class Place(NamedTuple):
    """One number of one colour while its choices are listed."""

    colour: int
    level: int
    pure_groups: int
    """The most tiles of one kind that pure groups can take."""
    mixed_groups: int
    pure: bool
    mixed: bool
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
def follow(problem: Any, machine: Any, runs: Any, tiles: Any) -> Any:
    """The open runs, or the node, after so many tiles of a number; -1 when they lead nowhere."""
    if problem.maths:
        return np.int64(machine.words.after[runs, tiles]) if tiles < MOST_LETTERS else np.int64(-1)
    return NEXT_OPEN[runs, tiles]


@kernel
def can_go_on(problem: Any, place: Any, pure_runs: Any, mixed_runs: Any, claims: Any, jokers: Any) -> Any:
    """Whether the numbers to come have the tiles that open runs and claims ask for, with so many jokers to help."""
    if claims and lacking(claims, place.room) > jokers:
        return False
    if problem.maths:
        return True
    if place.level == NUMBERS - 1:
        return NEEDS[pure_runs] + NEEDS[mixed_runs] == 0
    ahead = place.room >> 4 * (place.level + 1)
    here = NEEDS[pure_runs] + NEEDS[mixed_runs] + (claims >> 4 * (place.level + 1) & 15)
    fresh = FRESH[pure_runs] + FRESH[mixed_runs]
    return max(0, here - (ahead & 15)) + max(0, fresh - (ahead >> 4 & 15)) <= jokers


@kernel
def likeness(problem: Any, place: Any, runs: Any, choice: Any) -> Any:
    """How much of the old table a choice leaves together: links of runs, tiles in groups."""
    colour, level = place.colour, place.level
    linked = choice.mixed_runs if problem.maths else min(choice.mixed_runs, OPEN[runs])
    return min(problem.links[colour, level], linked) + min(problem.groups[colour, level], choice.mixed_group)


@kernel
def add_choice(problem: Any, machine: Any, place: Any, state: Any, use: Any, split: Any, ends: Any) -> Any:
    """Add one choice if it can lead on; returns the new ends of states and choices, -1 when full.

    `split` says how many tiles go into pure groups and runs, and into mixed groups and runs.
    """
    state_end, choice_end = ends
    now = machine.states[state]
    pure_group, pure_runs, mixed_group, mixed_runs = split
    pure_next = follow(problem, machine, now.pure_runs, pure_runs)
    mixed_next = follow(problem, machine, now.mixed_runs, mixed_runs)
    claims = now.claims & ~(15 << 4 * place.level)
    jokers = problem.free_jokers - use.pure_jokers - use.mixed_jokers
    if (
        pure_next < 0
        or mixed_next < 0
        or not can_go_on(problem, place, pure_next, mixed_next, claims, jokers)
    ):
        return ends
    begin, most = machine.level[place.colour, place.level + 1], MOST_STATES if problem.maths == 0 else -1
    to, state_end = intern(machine, most, begin, state_end, pure_next, mixed_next, claims)
    if state_end < 0 or choice_end == machine.choices.size:
        return np.int64(-1), np.int64(-1)
    choice = machine.choices[choice_end]
    choice.to, choice.tag, choice.played, choice.quota = to, use.tag, use.played, use.quota
    choice.pure_jokers, choice.mixed_jokers = use.pure_jokers, use.mixed_jokers
    choice.pure_real = use.pure - use.pure_jokers
    choice.pure_group, choice.pure_runs = pure_group, pure_runs
    choice.mixed_group, choice.mixed_runs = mixed_group, mixed_runs
    worth = problem.weights[place.colour, place.level] * use.played
    worth += problem.joker_weight * (use.pure_jokers + use.mixed_jokers - use.tag % 3)
    choice.price = 0
    choice.gain = (worth << SHIFT) + likeness(problem, place, now.mixed_runs, choice)
    if problem.maths and problem.turn == FULL:  # of equal plays one that shows the meld saves a second search
        choice.gain += use.quota << 2
    return state_end, choice_end + 1


@kernel
def add_choices(problem: Any, machine: Any, place: Any, state: Any, use: Any, ends: Any) -> Any:
    """List a state's choices for one use of tiles; returns the new ends, -1 when full.

    In the maths variant the jokers of runs and sequences are the words' own matter: those here go into groups.
    """
    now, pure = machine.states[state], use.pure
    mixed = use.mixed - (now.claims >> 4 * place.level & 15)
    pure_least, pure_most = pure - min(place.pure_groups, pure), pure
    mixed_least, mixed_most = mixed - min(place.mixed_groups, mixed), mixed if place.mixed else min(mixed, 0)
    if problem.maths:
        pure_most -= use.pure_jokers
        mixed_most -= use.mixed_jokers if place.mixed else 0
    else:
        pure_least = max(pure_least, NEEDS[now.pure_runs])
        mixed_least = max(mixed_least, NEEDS[now.mixed_runs])
    for pure_runs in range(pure_least, pure_most + 1):
        for mixed_runs in range(mixed_least, mixed_most + 1):
            split = pure - pure_runs, pure_runs, mixed - mixed_runs, mixed_runs
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
            for pure_jokers in range(
                min(jokers - mixed_jokers, problem.rack_jokers) + 1 if place.pure else 1
            ):
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
    most, pure, mixed = MOST_STATES if problem.maths == 0 else -1, np.int64(0), np.int64(0)
    if problem.maths:
        pure, mixed = machine.words.root[colour], machine.words.root[4 + colour]
    _, end = intern(machine, most, begin, begin, pure, mixed, np.int64(0))
    if problem.turn != ATTACH or end < 0:
        return end
    fold = make_fold(machine.states.size, problem.set_count)
    last = fold_attachments(problem, colour, room + problem.free_jokers * _ONE_EACH, fold)
    if last < 0:
        return last
    for entry in range(fold.begin[problem.set_count], last):
        _, end = intern(machine, most, begin, end, pure, mixed, fold.claims[entry])
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
        reach = choice.gain - choice.price + onward.bound[jokers - used]
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
def set_last_bounds(problem: Any, machine: Any, here: Any) -> None:
    """Set the bounds of a state after the last number."""
    clear_bounds(here, 0)
    if problem.maths:
        asked = least_jokers(problem, machine.words, here.pure_runs, here.mixed_runs)
        for jokers in range(min(3, asked)):
            here.bound[jokers] = DEAD


@kernel
def prune(problem: Any, machine: Any, colour: Any) -> None:
    """Set a colour's bounds from the end backwards and drop choices that lead nowhere."""
    for state in range(machine.level[colour, NUMBERS], machine.level[colour, NUMBERS + 1]):
        set_last_bounds(problem, machine, machine.states[state])
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
        groups = most_groups(problem, level)
        joining = groups if mixed else most_joining(problem, level)
        ends = add_level(problem, machine, Place(colour, level, groups, joining, pure, mixed, room), ends)
    if ends[0] >= 0:
        machine.level[colour, NUMBERS + 1] = ends[0]
        prune(problem, machine, colour)
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

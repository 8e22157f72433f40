"""Values of states: the most each colour can still gain, by what it takes of the shares, and the ways that gain it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from league.games.rummikub.machine import DEAD
from league.games.rummikub.paths import MIXED, PURE
from league.games.rummikub.problem import SHIFT, freed_by_rule, is_pure
from league.games.rummikub.rows import NUMBERS
from league.games.rummikub.sharing import best_share, divide, join, parts_of, share_of
from league.games.rummikub.words import end_value, ends_of
from league.kernels import kernel

ANY = -1
"""Any number of tiles in groups."""
MOST_TOGETHER = 5
"""Up to four tiles of a kind in groups."""
MOST_PATTERNS = MOST_TOGETHER**4
DEPTHS = 2 * NUMBERS + 2


class Way(NamedTuple):
    """The way of each colour through the numbers.

    Attributes:
        step: `[4, 13]` choices.
        root: `[4]` first states.
        part: `[4]` shares; of the jokers in the words once the way is traced.
    """

    step: Any
    root: Any
    part: Any


class Board(NamedTuple):
    """What the search works on.

    Attributes:
        values: `[S, K]` the most each state can still gain, by share.
        heads: `[4, K]` the most each colour can gain.
        sums: `[4, K]` the colours up to each together.
        ahead: `[4, 5, K]` heads with so many tiles in the groups of a number.
        want: `[2, 4, 13]` tiles that mixed and pure groups must have, -1 where that is open.
        tags: `[4, 13]` fates of old jokers.
        patterns: `[28, 625]` groups to try at each depth, four bits a colour.
        bounds: `[28, 625]` what they promise.
        counts: `[28]` how many are left.
        places: `[28, 2]` layer and number that each depth settles.
        now: The way in hand.
        best: The best play so far.
    """

    values: Any
    heads: Any
    sums: Any
    ahead: Any
    want: Any
    tags: Any
    patterns: Any
    bounds: Any
    counts: Any
    places: Any
    now: Way
    best: Way


@kernel
def make_way() -> Any:
    """An empty way."""
    return Way(np.zeros((4, NUMBERS), np.int64), np.zeros(4, np.int64), np.zeros(4, np.int64))


@kernel
def make_board(states: Any, size: Any) -> Any:
    """A board for so many states and shares."""
    return Board(
        np.empty((states, size), np.int64),
        np.empty((4, size), np.int64),
        np.empty((4, size), np.int64),
        np.empty((4, MOST_TOGETHER, size), np.int64),
        np.full((2, 4, NUMBERS), ANY, np.int64),
        np.zeros((4, NUMBERS), np.int64),
        np.zeros((DEPTHS, MOST_PATTERNS), np.int64),
        np.zeros((DEPTHS, MOST_PATTERNS), np.int64),
        np.zeros(DEPTHS, np.int64),
        np.zeros((DEPTHS, 2), np.int64),
        make_way(),
        make_way(),
    )


@kernel
def jokers_at(choice: Any) -> Any:
    """How many jokers a choice lays at its number, kept ones included."""
    return choice.pure_jokers + choice.mixed_jokers + choice.tag // 3


@kernel
def gain_of(problem: Any, shares: Any, choice: Any, level: Any, counting: Any) -> Any:
    """What a choice gains, with the number of one joker when that counts, or of all new ones where all count."""
    if shares.counted:
        return choice.gain + (counting * (level + 1) << SHIFT)
    if problem.by_number and problem.rack_jokers > 0:
        return choice.gain + ((choice.pure_jokers + choice.mixed_jokers) * (level + 1) << SHIFT)
    return np.int64(choice.gain)


@kernel
def raise_values(shares: Any, row: Any, onward: Any, choice: Any, gain: Any, counting: Any) -> None:
    """Raise the values of a state by one of its choices."""
    used, pure = choice.pure_jokers + choice.mixed_jokers, choice.pure_jokers if shares.pure else 0
    if shares.size == shares.jokers + 1:
        for share in range(used, shares.size):
            row[share] = max(row[share], gain + onward[share - used])
        return
    for jokers in range(used, shares.jokers + 1):
        for counted in range(counting, shares.counted + 1):
            for held in range(pure, shares.pure + 1):
                to = share_of(shares, jokers, counted, held, 0)
                of = share_of(shares, jokers - used, counted - counting, held - pure, 0)
                for quota in range(shares.quota + 1):
                    row[to + quota] = max(row[to + quota], gain + onward[of + max(0, quota - choice.quota)])


@kernel
def suits(board: Any, choice: Any, colour: Any, level: Any) -> Any:
    """Whether a choice has the fate and the group tiles that are asked for."""
    pure, mixed = board.want[PURE, colour, level], board.want[MIXED, colour, level]
    fits = (mixed < 0 or choice.mixed_group == mixed) and (pure < 0 or choice.pure_group == pure)
    return fits and choice.tag == board.tags[colour, level]


@kernel
def weigh_state(
    problem: Any, machine: Any, shares: Any, board: Any, colour: Any, level: Any, state: Any
) -> None:
    """Set the values of one state from those that follow it."""
    row, here = board.values[state], machine.states[state]
    for share in range(shares.size):
        row[share] = DEAD
    for at in range(here.first, here.last):
        choice = machine.choices[at]
        if suits(board, choice, colour, level):
            for counting in range(1 + (shares.counted and jokers_at(choice) > 0)):
                gain = gain_of(problem, shares, choice, level, counting)
                raise_values(shares, row, board.values[choice.to], choice, gain, counting)


@kernel
def weigh_colour(problem: Any, machine: Any, shares: Any, board: Any, colour: Any, top: Any) -> None:
    """Set the values of a colour's states before the numbers from `top` down, and its head."""
    for level in range(top, -1, -1):
        for state in range(machine.level[colour, level], machine.level[colour, level + 1]):
            weigh_state(problem, machine, shares, board, colour, level, state)
    head = board.heads[colour]
    for share in range(shares.size):
        head[share] = DEAD
        for state in range(machine.level[colour, 0], machine.level[colour, 1]):
            head[share] = max(head[share], board.values[state, share])


@kernel
def word_ends(problem: Any, machine: Any, shares: Any, state: Any, row: Any, share: Any) -> Any:
    """Write the values of a state after the last number, from how its two words can end.

    Returns:
        Pure and mixed free jokers, and whether a mixed one counts, that give `row[share]`.
    """
    words, here, found = machine.words, machine.states[state], (0, 0, 0)
    pure_ends, mixed_ends = ends_of(problem, True), ends_of(problem, False)
    for pure in range(pure_ends.jokers + 1):
        held = end_value(pure_ends, words.ends, words.leaf[here.pure_runs], pure, 0)
        for mixed in range(min(mixed_ends.jokers, shares.jokers - pure) + 1 if held >= 0 else 0):
            for counting in range(1 + (shares.counted and pure > 0)):
                for counted in range(1 + (mixed_ends.counted and counting == 0)):
                    free = end_value(mixed_ends, words.ends, words.leaf[here.mixed_runs], mixed, counted)
                    if free < 0:
                        continue
                    gain = problem.joker_weight * (pure + mixed)
                    if problem.by_number:
                        gain += free + (held if shares.counted == 0 or counting else 0)
                    to = share_of(shares, pure + mixed, counting + counted, pure if shares.pure else 0, 0)
                    for quota in range(min(shares.quota, held) + 1 if is_pure(problem) else 1):
                        if gain << SHIFT > row[to + quota]:
                            row[to + quota] = gain << SHIFT
                            found = (pure, mixed, counted) if to + quota == share else found
    return found


@kernel
def set_ends(problem: Any, machine: Any, shares: Any, board: Any) -> None:
    """Set the values of the states after the last number."""
    for colour in range(4):
        for state in range(machine.level[colour, NUMBERS], machine.level[colour, NUMBERS + 1]):
            for share in range(shares.size):
                board.values[state, share] = DEAD
            word_ends(problem, machine, shares, state, board.values[state], np.int64(-1))


@kernel
def join_heads(problem: Any, shares: Any, board: Any, released: Any) -> Any:
    """Join the heads of the colours; returns the most they promise, and the share for it."""
    for share in range(shares.size):
        board.sums[0, share] = board.heads[0, share]
    for colour in range(1, 4):
        join(shares, board.sums[colour - 1], board.heads[colour], board.sums[colour])
    share = best_share(problem, shares, board.sums[3], released)
    if share < 0:
        return 8 * DEAD, share
    return board.sums[3, share] - (problem.joker_weight * freed_by_rule(problem) << SHIFT), share


@kernel
def trace_step(
    problem: Any, machine: Any, shares: Any, board: Any, colour: Any, level: Any, state: Any, part: Any
) -> Any:
    """Find the choice that gives a state its value; returns it and what is left of the share."""
    target, (jokers, counted, pure, quota) = board.values[state, part], parts_of(shares, part)
    for at in range(machine.states[state].first, machine.states[state].last):
        choice = machine.choices[at]
        used, held = choice.pure_jokers + choice.mixed_jokers, choice.pure_jokers if shares.pure else 0
        if suits(board, choice, colour, level) and used <= jokers and held <= pure:
            for counting in range(1 + (counted > 0 and jokers_at(choice) > 0)):
                left = max(0, quota - choice.quota)
                after = share_of(shares, jokers - used, counted - counting, pure - held, left)
                if (
                    gain_of(problem, shares, choice, level, counting) + board.values[choice.to, after]
                    == target
                ):
                    return at, after
    return np.int64(-1), part


@kernel
def trace(problem: Any, machine: Any, shares: Any, board: Any, share: Any) -> None:
    """Write the best way of each colour."""
    now = board.now
    for colour in range(3, 0, -1):
        target = board.sums[colour, share]
        share, now.part[colour] = divide(shares, board.sums[colour - 1], board.heads[colour], share, target)
    now.part[0] = share
    for colour in range(4):
        part, state = now.part[colour], np.int64(machine.level[colour, 0])
        while board.values[state, part] != board.heads[colour, part]:
            state += 1
        now.root[colour] = state
        for level in range(NUMBERS):
            at, part = trace_step(problem, machine, shares, board, colour, level, state, part)
            now.step[colour, level] = at
            state = np.int64(machine.choices[at].to)
        now.part[colour] = part

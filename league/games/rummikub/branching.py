"""The second half of the solver in the maths variant: the four colours together, by branch and bound.

Left alone, each colour has a best way through its numbers, found backwards from the last one. Together these ways are
an upper bound, and a play if their tiles for groups make groups. Where they do not, one number is settled: the search
branches over all groups that this number could have, the most promising first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.rummikub.fates import MOST_FATES, list_fates
from league.games.rummikub.paths import MIXED, PURE
from league.games.rummikub.problem import SHIFT, can_join_groups, first_floor, freed_by_rule
from league.games.rummikub.rows import ATTACH, NUMBERS
from league.games.rummikub.weighing import ANY, DEPTHS, join_heads, set_ends, trace, weigh_colour
from league.kernels import kernel


@kernel
def groups_hold_at(problem: Any, level: Any, layer: Any, tiles: Any) -> Any:
    """Whether `tiles[4]` by colour make groups of a number: the commonest colour is at most a third of them."""
    total = most = 0
    for colour in range(4):
        total += tiles[colour]
        most = max(most, tiles[colour])
    if layer == MIXED and problem.turn == ATTACH:
        return total == 0 or can_join_groups(problem, level, tiles)
    return 3 * most <= total


@kernel
def is_conflict(problem: Any, machine: Any, board: Any, layer: Any, level: Any) -> Any:
    """Whether the ways in hand make no groups of a number."""
    tiles = np.zeros(4, np.int64)
    for colour in range(4):
        choice = machine.choices[board.now.step[colour, level]]
        tiles[colour] = choice.pure_group if layer == PURE else choice.mixed_group
    return not groups_hold_at(problem, level, layer, tiles)


@kernel
def look_ahead(problem: Any, machine: Any, shares: Any, board: Any, place: Any, most: Any) -> None:
    """Find the heads of the colours for each count of tiles in the groups of a number; `most[4]` is filled in."""
    layer, level = place[0], place[1]
    for colour in range(4):
        most[colour] = 0
        for state in range(machine.level[colour, level], machine.level[colour, level + 1]):
            here = machine.states[state]
            most[colour] = max(most[colour], here.most_pure if layer == PURE else here.most_mixed)
        for tiles in range(most[colour] + 1):
            board.want[layer, colour, level] = tiles
            weigh_colour(problem, machine, shares, board, colour, level)
            for share in range(shares.size):
                board.ahead[colour, tiles, share] = board.heads[colour, share]
        board.want[layer, colour, level] = ANY


@kernel
def pattern_bound(problem: Any, shares: Any, board: Any, released: Any, tiles: Any, floor: Any) -> Any:
    """What the colours promise with `tiles[4]` in the groups of the number ahead."""
    most = 0
    for colour in range(4):
        most += board.ahead[colour, tiles[colour]].max()
    most -= problem.joker_weight * freed_by_rule(problem) << SHIFT
    if most <= floor:
        return np.int64(most)
    for colour in range(4):
        for share in range(shares.size):
            board.heads[colour, share] = board.ahead[colour, tiles[colour], share]
    bound, _ = join_heads(problem, shares, board, released)
    return bound


@kernel
def put_pattern(board: Any, depth: Any, pattern: Any, bound: Any) -> None:
    """Add a pattern to those of a depth, the best last."""
    place, bounds, patterns = board.counts[depth], board.bounds[depth], board.patterns[depth]
    while place > 0 and bounds[place - 1] > bound:
        bounds[place], patterns[place] = bounds[place - 1], patterns[place - 1]
        place -= 1
    bounds[place], patterns[place] = bound, pattern
    board.counts[depth] += 1


@kernel
def list_patterns(
    problem: Any, machine: Any, shares: Any, board: Any, released: Any, depth: Any, floor: Any
) -> None:
    """List the groups that the number of a depth could have and that promise more than the floor."""
    place, most, tiles = board.places[depth], np.zeros(4, np.int64), np.zeros(4, np.int64)
    board.counts[depth] = 0
    look_ahead(problem, machine, shares, board, place, most)
    while tiles[0] <= most[0]:
        if groups_hold_at(problem, place[1], place[0], tiles):
            bound = pattern_bound(problem, shares, board, released, tiles, floor)
            if bound > floor:
                pattern = tiles[0] | tiles[1] << 4 | tiles[2] << 8 | tiles[3] << 12
                put_pattern(board, depth, pattern, bound)
        colour = 3
        tiles[3] += 1
        while colour > 0 and tiles[colour] > most[colour]:
            tiles[colour] = 0
            colour -= 1
            tiles[colour] += 1


@kernel
def copy_depth(board: Any, source: Any, target: Any) -> None:
    """Copy the number of one depth, and its patterns, to another."""
    board.counts[target] = board.counts[source]
    for at in range(2):
        board.places[target, at] = board.places[source, at]
    for at in range(board.counts[source]):
        board.patterns[target, at], board.bounds[target, at] = (
            board.patterns[source, at],
            board.bounds[source, at],
        )


@kernel
def settle(problem: Any, machine: Any, shares: Any, board: Any, released: Any, depth: Any, floor: Any) -> Any:
    """Choose the number to settle at a depth: the conflict that leaves the fewest patterns.

    Returns:
        False when there is no conflict.
    """
    spare, found = np.int64(DEPTHS - 1), False
    for place in range(2 * NUMBERS):
        layer, level = place // NUMBERS, place % NUMBERS
        if is_conflict(problem, machine, board, layer, level) and not (found and board.counts[depth] == 0):
            board.places[spare, 0], board.places[spare, 1] = layer, level
            list_patterns(problem, machine, shares, board, released, spare, floor)
            if not found or board.counts[spare] < board.counts[depth]:
                copy_depth(board, spare, depth)
            found = True
    return found


@kernel
def want_pattern(board: Any, place: Any, pattern: Any) -> None:
    """Ask for a pattern of groups at a number; -1 for any."""
    for colour in range(4):
        board.want[place[0], colour, place[1]] = ANY if pattern < 0 else pattern >> 4 * colour & 15


@kernel
def keep_best(board: Any) -> None:
    """Remember the way in hand as the best play."""
    for colour in range(4):
        board.best.root[colour], board.best.part[colour] = board.now.root[colour], board.now.part[colour]
        for level in range(NUMBERS):
            board.best.step[colour, level] = board.now.step[colour, level]


@kernel
def next_depth(board: Any, depth: Any, floor: Any) -> Any:
    """Ask for the next pattern to try, at the deepest number that has one; returns the depth after it, or -1."""
    while depth >= 0:
        left = board.counts[depth] - 1
        if left >= 0 and board.bounds[depth, left] > floor:
            board.counts[depth] = left
            want_pattern(board, board.places[depth], board.patterns[depth, left])
            return depth + 1
        want_pattern(board, board.places[depth], np.int64(ANY))
        depth -= 1
    return np.int64(-1)


@kernel
def branch(
    problem: Any, machine: Any, shares: Any, board: Any, released: Any, floor: Any, patience: Any
) -> Any:
    """Search all plays under one fate of the old jokers; returns the floor, raised by what was found, and patience.

    A play must be worth more, not just move less: of equal ones the first stands.
    """
    depth = np.int64(0)
    while depth >= 0 and patience > 0:
        patience -= machine.level[3, NUMBERS + 1]
        for colour in range(4):
            weigh_colour(problem, machine, shares, board, colour, NUMBERS - 1)
        bound, share = join_heads(problem, shares, board, released)
        if bound > floor:
            trace(problem, machine, shares, board, share)
            if settle(problem, machine, shares, board, released, depth, floor):
                depth += 1
            else:
                floor = ((bound >> SHIFT) + 1 << SHIFT) - 1
                keep_best(board)
        depth = next_depth(board, depth - 1, floor)
    while depth > 0:
        depth -= 1
        want_pattern(board, board.places[depth], np.int64(ANY))
    return floor, patience


@kernel
def set_tags(board: Any, fate: Any, sign: Any) -> None:
    """Ask for a fate of the old jokers, or with sign -1 no more."""
    for which in range(2):
        if fate[2 * which] >= 0:
            board.tags[fate[2 * which] // NUMBERS, fate[2 * which] % NUMBERS] += sign * fate[2 * which + 1]


@kernel
def branch_best(problem: Any, machine: Any, shares: Any, board: Any) -> Any:
    """Find the best play over all fates, or the best of those that the problem's patience reaches.

    Returns:
        Whether a play was found.
    """
    fates, first = np.zeros((MOST_FATES, 5), np.int64), first_floor(problem)
    floor = np.int64(first)
    patience = np.int64(problem.patience)
    set_ends(problem, machine, shares, board)
    for fate in range(list_fates(problem, fates)):
        set_tags(board, fates[fate], np.int64(1))
        floor, patience = branch(problem, machine, shares, board, fates[fate, 4], floor, patience)
        set_tags(board, fates[fate], np.int64(-1))
    return floor > first

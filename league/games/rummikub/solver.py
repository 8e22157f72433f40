"""The solver for kernels: the best play of a problem.

An exact search in two halves: `colours.py` lists what each colour can do alone, and `searching.py` tries the colours
together, in the maths variant `branching.py`. `rebuilding.py` makes sets of what they find.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from league.addresses import apart
from league.games.rummikub.branching import branch_best
from league.games.rummikub.colours import grow
from league.games.rummikub.machine import DEAD, make_machine
from league.games.rummikub.paths import MIXED, PURE, make_paths, put, read_steps
from league.games.rummikub.prices import set_prices
from league.games.rummikub.problem import PROBLEM, is_pure, make_problems, most_melded, pose, pose_meld
from league.games.rummikub.rebuilding import rebuild
from league.games.rummikub.rows import (
    ACTION,
    FULL,
    LATER,
    MELD,
    MOST_SETS,
    NONE,
    NUMBERS,
    PLAY,
    TILE_KINDS,
    TILES,
)
from league.games.rummikub.searching import read_goal, search
from league.games.rummikub.sets import group_code, ones, run_code, size_of
from league.games.rummikub.sharing import shares_of
from league.games.rummikub.weighing import make_board, word_ends
from league.games.rummikub.words import end_value, ends_of, find_words, no_words
from league.kernels import kernel

_ROOM = 512
"""States to begin with; where they do not suffice the search starts again with four times as many."""

_FEW = 64
"""Nodes that most positions do with; where they do not suffice prices do pay, and the search starts again."""

PATIENCE = 10_000
"""States that the search of the maths variant goes through in a match at most; some positions would need minutes."""


@kernel
def grow_machine(problem: Any, words: Any) -> Any:
    """All states and choices of a problem."""
    states = np.int64(_ROOM)
    machine = make_machine(states, words)
    while not grow(problem, machine):
        states *= 4
        machine = make_machine(states, words)
    return machine


@kernel
def can_open(problem: Any, melds: Any) -> Any:
    """Whether the rack holds the runs and groups that an opening needs; that is soon known, whatever it may attach."""
    if most_melded(problem) < problem.quota:
        return False
    if problem.turn == NONE:
        return True
    meld = melds[0]
    pose_meld(problem, meld)
    return best_runs(meld, grow_machine(meld, no_words()))[1] >= 0


@kernel
def best_runs(problem: Any, machine: Any) -> Any:
    """Find the best play where runs are the only rows; returns the tree and its node, -1 when there is none."""
    tree, goal = search(problem, machine, np.int64(_FEW), _FEW)
    if goal == -2:
        set_prices(problem, machine)
        tree, goal = search(problem, machine, np.int64(4 * _FEW), -1)
    return tree, goal


@kernel
def only_set(problem: Any) -> Any:
    """The run or group that all rack tiles together are, or 0; where the table stays as it is nothing is better."""
    colours, levels, tiles, least = 0, 0, problem.rack_jokers, 1
    for colour in range(4):
        for level in range(NUMBERS):
            count = problem.rack[colour, level]
            if count > 0:
                colours |= 1 << colour
                levels |= 1 << level
                tiles += count
                least = min(least, problem.weights[colour, level])
    if tiles < 3 or ones(colours) * ones(levels) != tiles or problem.rack_jokers > 0 or least <= 0:
        return 0
    first = ones((levels & -levels) - 1) + 1
    if levels & levels - 1 == 0:
        return group_code(first, colours, tiles)
    if colours & colours - 1 == 0 and levels >> first - 1 == (1 << tiles) - 1:
        return run_code(ones(colours - 1), first, tiles, 0)
    return 0


@kernel
def lay_only_set(problem: Any, path: Any) -> Any:
    """Lay all rack tiles as one set beside the table, if that is what they are; returns whether it is."""
    found = only_set(problem)
    if found > 0:
        path.count = 0
        for code in problem.sets[: problem.set_count]:
            put(path, code)
        put(path, found)
    return found > 0


@kernel
def search_runs(problem: Any, path: Any) -> Any:
    """Find the best play where runs are the only rows; fills in its path and returns whether there is one."""
    if is_pure(problem) and not can_open(problem, make_problems(1)):
        return False
    if problem.turn == NONE and lay_only_set(problem, path):
        return True
    machine = grow_machine(problem, no_words())
    tree, goal = best_runs(problem, machine)
    if goal >= 0:
        step, root = np.zeros((4, 13), np.int64), np.zeros(4, np.int64)
        read_goal(machine, tree, goal, step, root)
        read_steps(problem, machine, step, root, path)
        rebuild(problem, machine, path)
    return goal >= 0


@kernel
def read_words(problem: Any, machine: Any, shares: Any, way: Any, path: Any) -> Any:
    """Fill a path with a way of the maths variant; returns what its pure sets are worth in an opening."""
    read_steps(problem, machine, way.step, way.root, path)
    row, ends, worth = np.empty(shares.size, np.int64), ends_of(problem, True), 0
    for colour in range(4):
        row[:] = DEAD
        last = np.int64(machine.choices[way.step[colour, NUMBERS - 1]].to)
        pure, mixed, counted = word_ends(problem, machine, shares, last, row, way.part[colour])
        path.free[PURE, colour], path.free[MIXED, colour] = pure, mixed
        path.counted[MIXED, colour] = counted
        worth += end_value(
            ends, machine.words.ends, machine.words.leaf[machine.states[last].pure_runs], pure, 0
        )
        for level in range(NUMBERS):
            worth += machine.choices[way.step[colour, level]].quota
    return worth


@kernel
def can_meld(problem: Any, melds: Any) -> Any:
    """Whether the rack holds the sets that an opening needs; that is soon known, whatever else the turn may do."""
    meld = melds[0]
    pose_meld(problem, meld)
    meld.patience = problem.patience
    machine, shares = grow_machine(meld, find_words(meld)), shares_of(meld, meld.quota)
    return branch_best(meld, machine, shares, make_board(machine.level[3, 14], shares.size))


@kernel
def search_words(problem: Any, path: Any) -> Any:
    """Find the best play of the maths variant; fills in its path and returns whether there is one.

    Most racks that can open at all reach the meld with their best play, so an opening is first searched without it.
    """
    if problem.turn == FULL and not can_meld(problem, make_problems(1)):
        return False
    machine = grow_machine(problem, find_words(problem))
    for quota in range(0 if is_pure(problem) else problem.quota, problem.quota + 1, max(1, problem.quota)):
        shares = shares_of(problem, quota)
        board = make_board(machine.level[3, 14], shares.size)
        if not branch_best(problem, machine, shares, board):
            return False
        worth = read_words(problem, machine, shares, board.best, path)
        if not is_pure(problem) or worth >= problem.quota:
            rebuild(problem, machine, path)
            return True
    return False


@kernel
def write_play(action: Any, sets: Any, count: Any) -> None:
    """Fill an action row with a play."""
    action.kind, action.count, tiles = PLAY, count, 0
    for place in range(MOST_SETS):
        action.sets[place] = sets[place] if place < count else 0
        if place < count:
            tiles += size_of(np.int64(sets[place]))
    action.unplaced = TILES - tiles


@apart("rummikub_runs", PROBLEM, ACTION)
def solve_runs(problem: Any, action: Any) -> Any:
    """Write the best play of a `PROBLEM` row as an action row; returns whether there is one."""
    paths = make_paths(1)
    found = search_runs(problem, paths[0])
    if found:
        write_play(action, paths[0].sets, paths[0].count)
    return found and paths.size > 0


@apart("rummikub_words", PROBLEM, ACTION)
def solve_words(problem: Any, action: Any) -> Any:
    """The same in the maths variant."""
    paths = make_paths(1)
    found = search_words(problem, paths[0])
    if found:
        write_play(action, paths[0].sets, paths[0].count)
    return found and paths.size > 0


@kernel
def write_best(problems: Any, action: Any) -> Any:
    """Write the best play of a problem as an action.

    Args:
        problems: `[1]` rows of `PROBLEM`. The array goes along because a row lives only as long as somebody holds it.
        action: The action row to fill in.

    Returns:
        Whether there is a play; without one the action is left alone.
    """
    problem = problems[0]
    found = solve_words(problem, action) if problem.maths else solve_runs(problem, action)
    return found != 0 and problems.size > 0


@kernel
def pose_turn(view: Any, weights: Any, by_number: Any, problem: Any) -> None:
    """Fill in the problem of the seat that looks at a view row.

    Args:
        view: A view row.
        weights: `[53]` worth of each rack tile; whole numbers, the joker last.
        by_number: 1 when a rack joker is worth the number it stands for.
        problem: The `PROBLEM` row.
    """
    opened = view.opened[view.seat] != 0
    problem.by_number, problem.policy, problem.maths = by_number, view.joker_policy, view.maths
    problem.patience = PATIENCE
    problem.turn = LATER if opened else view.after_opening
    problem.quota = MELD
    if opened:
        problem.quota = 0
        for kind in range(TILE_KINDS):
            if weights[kind] <= 0 and not (by_number and kind == TILE_KINDS - 1):
                problem.quota = 1
    pose(problem, view.rack, np.zeros(TILE_KINDS, np.int64), view.sets[: view.set_count], weights)


@kernel
def pose_own_sets(view: Any, weights: Any, by_number: Any, problem: Any) -> None:
    """Fill in the problem of a seat that leaves the table alone."""
    problem.by_number, problem.policy, problem.maths = by_number, view.joker_policy, view.maths
    problem.patience = PATIENCE
    problem.turn, problem.quota = NONE, 1 if view.opened[view.seat] else MELD
    pose(problem, view.rack, np.zeros(TILE_KINDS, np.int64), view.sets[: view.set_count], weights)


@kernel
def best_play(view: Any, weights: Any, by_number: Any, action: Any) -> Any:
    """Write the play that lays the most, as `weights` count it; for compiled bots.

    Of equal plays it is the one that leaves the table most as it was. The view's own rules hold: joker policy, opening,
    maths. In the maths variant it is the best that `PATIENCE` allows to find.

    Args:
        view: A view row.
        weights: `[53]` worth of each rack tile; whole numbers, the joker last.
        by_number: 1 when a rack joker is worth the number it stands for.
        action: The action row to fill in.

    Returns:
        Whether there is a play; without one the action is left alone.
    """
    problems = make_problems(1)
    pose_turn(view, weights, by_number, problems[0])
    return write_best(problems, action)


@kernel
def best_own_sets(view: Any, weights: Any, by_number: Any, action: Any) -> Any:
    """Write the play that lays the most in sets of rack tiles alone and leaves the table as it is.

    Arguments and answer are those of `best_play`.
    """
    problems = make_problems(1)
    pose_own_sets(view, weights, by_number, problems[0])
    return write_best(problems, action)

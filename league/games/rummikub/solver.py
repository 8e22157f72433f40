"""The solver for kernels: the best play of a problem, or the best few that differ in the tiles they lay.

An exact search in two halves, `colours.py` and `searching.py`; `rebuilding.py` makes sets of what it finds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.rummikub.colours import grow, make_machine
from league.games.rummikub.problem import make_problems, pose
from league.games.rummikub.rebuilding import make_paths, rebuild
from league.games.rummikub.rows import LATER, MELD, MOST_SETS, NONE, PLAY, TILE_KINDS, TILES
from league.games.rummikub.searching import (
    first_floor,
    is_goal,
    make_tree,
    rack_jokers_of,
    search,
    search_best,
)
from league.games.rummikub.sets import size_of
from league.kernels import kernel

_ROOM = 512
"""States and nodes to begin with; where they do not suffice the search starts again with four times as many."""


@kernel
def is_listed(tree: Any, node: Any, goals: Any, count: Any) -> Any:
    """Whether a play of the same rack tiles is among the goals."""
    for which in range(count):
        other = tree.nodes[goals[which]]
        same_jokers = rack_jokers_of(other.key) == rack_jokers_of(tree.nodes[node].key)
        if same_jokers and other.mark == tree.nodes[node].mark:
            return True
    return False


@kernel
def list_goals(problem: Any, tree: Any, goals: Any) -> Any:
    """List the best last nodes that differ in the tiles they lay, best first; returns how many there are."""
    states, count = np.empty(4, np.int64), 0
    while count < goals.size:
        best = np.int64(-1)
        for node in range(tree.level[13], tree.level[14]):
            better = best < 0 or tree.nodes[node].worth > tree.nodes[best].worth
            new = better and not is_listed(tree, node, goals, count)
            if new and is_goal(problem, tree.nodes[node].key, states):
                best = node
        if best < 0:
            break
        goals[count] = best
        count += 1
    return count


@kernel
def grow_goals(problem: Any, machine: Any, tree: Any, goals: Any) -> Any:
    """Find the last nodes of the best plays; returns how many there are, -2 when the tree is too small."""
    if goals.size == 1:
        goals[0] = search_best(problem, machine, tree)
        return min(goals[0] + 1, np.int64(1)) if goals[0] > -2 else np.int64(-2)
    if not search(problem, machine, tree, goals.size, first_floor(problem)):
        return np.int64(-2)
    return list_goals(problem, tree, goals)


@kernel
def rebuild_all(problem: Any, machine: Any, tree: Any, goals: Any, paths: Any, answers: Any) -> None:
    """Make the tables of all goals, in a path to work in."""
    path, (tables, counts) = paths[0], answers
    for which in range(goals.size):
        rebuild(problem, machine, tree, goals[which], path)
        counts[which] = path.count
        for place in range(path.count):
            tables[which, place] = path.sets[place]


@kernel
def find_plays(problem: Any, tables: Any, counts: Any) -> Any:
    """Find the best plays of a problem that differ in the rack tiles they lay.

    Args:
        problem: A `PROBLEM` row.
        tables: `[K, 35]` to fill with the sets of up to K plays, best first.
        counts: `[K]` how many sets each has.

    Returns:
        How many plays were found.
    """
    states, nodes, found = np.int64(_ROOM), np.int64(_ROOM), np.int64(-2)
    goals = np.empty(counts.size, np.int64)
    machine = make_machine(states)
    while not grow(problem, machine):
        states *= 4
        machine = make_machine(states)
    while found == -2:
        tree = make_tree(nodes)
        found = grow_goals(problem, machine, tree, goals)
        nodes *= 4
    rebuild_all(problem, machine, tree, goals[:found], make_paths(1), (tables, counts))
    return found


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
    problem.turn, problem.quota = NONE, 1 if view.opened[view.seat] else MELD
    pose(problem, view.rack, np.zeros(TILE_KINDS, np.int64), view.sets[: view.set_count], weights)


@kernel
def write_play(action: Any, sets: Any, count: Any) -> None:
    """Fill an action row with a play."""
    action.kind, action.count, tiles = PLAY, count, 0
    for place in range(action.sets.size):
        action.sets[place] = sets[place] if place < count else 0
        if place < count:
            tiles += size_of(np.int64(sets[place]))
    action.unplaced = TILES - tiles


@kernel
def write_best(problem: Any, action: Any) -> Any:
    """Write the best play of a problem as an action; returns whether there is one."""
    tables, counts = np.empty((1, MOST_SETS), np.int32), np.empty(1, np.int64)
    if find_plays(problem, tables, counts) == 0:
        return False
    write_play(action, tables[0], counts[0])
    return True


@kernel
def best_play(view: Any, weights: Any, by_number: Any, action: Any) -> Any:
    """Write the play that lays the most, as `weights` count it; for compiled bots.

    Of equal plays it is the one that leaves the table most as it was. The view's own rules hold: joker policy, opening,
    maths.

    Args:
        view: A view row.
        weights: `[53]` worth of each rack tile; whole numbers, the joker last.
        by_number: 1 when a rack joker is worth the number it stands for.
        action: The action row to fill in.

    Returns:
        Whether there is a play; without one the action is left alone.
    """
    return write_best_turn(view, weights, by_number, action, make_problems(1))


@kernel
def write_best_turn(view: Any, weights: Any, by_number: Any, action: Any, problems: Any) -> Any:
    """`best_play` with a problem to work in: a row lives only as long as somebody holds its array."""
    pose_turn(view, weights, by_number, problems[0])
    return write_best(problems[0], action)


@kernel
def best_own_sets(view: Any, weights: Any, by_number: Any, action: Any) -> Any:
    """Write the play that lays the most in sets of rack tiles alone and leaves the table as it is.

    Arguments and answer are those of `best_play`.
    """
    return write_best_own(view, weights, by_number, action, make_problems(1))


@kernel
def write_best_own(view: Any, weights: Any, by_number: Any, action: Any, problems: Any) -> Any:
    """`best_own_sets` with a problem to work in."""
    pose_own_sets(view, weights, by_number, problems[0])
    return write_best(problems[0], action)

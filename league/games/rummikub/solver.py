"""The solver for kernels: the best play of a problem, or the best few that differ in the tiles they lay.

An exact search in two halves, `colours.py` and `searching.py`; `rebuilding.py` makes sets of what it finds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.rummikub.colours import grow, make_machine
from league.games.rummikub.problem import make_problems, pose
from league.games.rummikub.rebuilding import make_paths, rebuild
from league.games.rummikub.rows import LATER, MELD, PLAY, TILE_KINDS, TILES
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
def find_best(problem: Any, path: Any) -> Any:
    """Find the best play of a problem.

    Args:
        problem: A `PROBLEM` row.
        path: A `PATH` row; `sets[: count]` becomes the new table.

    Returns:
        Whether there is a play.
    """
    states, nodes = np.int64(_ROOM), np.int64(_ROOM)
    while True:
        machine = make_machine(states)
        if not grow(problem, machine):
            states *= 4
            continue
        goal = np.int64(-2)
        while goal == -2:
            tree = make_tree(nodes)
            goal = search_best(problem, machine, tree)
            nodes *= 4
        if goal >= 0:
            rebuild(problem, machine, tree, goal, path)
        return goal >= 0


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
            if better and is_goal(problem, tree.nodes[node].key, states):
                if not is_listed(tree, node, goals, count):
                    best = node
        if best < 0:
            break
        goals[count] = best
        count += 1
    return count


@kernel
def find_many(problem: Any, path: Any, tables: Any, counts: Any) -> Any:
    """Find the best plays of a problem that differ in the rack tiles they lay.

    Args:
        problem: A `PROBLEM` row.
        path: A `PATH` row to work in.
        tables: `[K, 35]` to fill with the sets of up to K plays, best first.
        counts: `[K]` how many sets each has.

    Returns:
        How many plays were found.
    """
    states, nodes, keep = np.int64(_ROOM), np.int64(_ROOM), counts.size
    machine = make_machine(states)
    while not grow(problem, machine):
        states *= 4
        machine = make_machine(states)
    tree = make_tree(nodes)
    while not search(problem, machine, tree, keep, first_floor(problem)):
        nodes *= 4
        tree = make_tree(nodes)
    goals = np.empty(keep, np.int64)
    found = list_goals(problem, tree, goals)
    for which in range(found):
        rebuild(problem, machine, tree, goals[which], path)
        counts[which] = path.count
        for place in range(path.count):
            tables[which, place] = path.sets[place]
    return found


@kernel
def pose_turn(view: Any, weights: Any, by_number: Any) -> Any:
    """The problem of the seat that looks at a view row.

    Args:
        weights: `[53]` worth of each rack tile; whole numbers, the joker last.
        by_number: 1 when a rack joker is worth the number it stands for.
    """
    problem = make_problems(1)[0]
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
    return problem


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
    problem, path = pose_turn(view, weights, by_number), make_paths(1)[0]
    if not find_best(problem, path):
        return False
    write_play(action, path.sets, path.count)
    return True

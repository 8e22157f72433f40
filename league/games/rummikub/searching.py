"""The second half of the solver: the four colours together, number by number.

A node is one state of each colour plus what ties them: free jokers used, old jokers released, jokers in pure sets and
the quota so far. Nodes with the same key are one; of each, only the best way there is kept.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from league.games.rummikub.bounds import (
    best_roots,
    number_hope,
    paid_ahead,
    reachable,
    root_quota,
    root_reach,
    set_bounds,
)
from league.games.rummikub.fates import MOST_FATES, list_variants
from league.games.rummikub.problem import SHIFT, can_join_groups, first_floor, freed_by_rule, is_pure
from league.games.rummikub.rows import ATTACH, FREE, NUMBERS
from league.games.rummikub.tree import (
    CUT,
    Ties,
    enlarge,
    find_node,
    leave_queue,
    lose_reach,
    make_tree,
    pack,
    reach_node,
    unpack,
)
from league.kernels import kernel


class Desk(NamedTuple):
    """Where the choices of a node's colours are tried out.

    Attributes:
        states, step, last: `[4]` each colour's state, the choice in hand, and where its choices end.
        after: `[4]` the states that follow, counted from the first of their level.
        bounds: `[4, 3]` what each colour can gain with 0, 1 or 2 free jokers, as chosen or else at its best.
        left, worth: `[5]` free jokers left and the worth less what is paid, before each colour.
        groups: `[6, 5]` the most tiles in pure and mixed groups from each colour on; sum and most of those before it.
    """

    states: Any
    step: Any
    last: Any
    after: Any
    bounds: Any
    left: Any
    worth: Any
    groups: Any


class Stage(NamedTuple):
    """What is alike for all steps from one node: the number, jokers released, and how low a reach is not followed."""

    level: Any
    released: Any
    floor: Any


@kernel
def make_desk() -> Any:
    """An empty desk."""
    return Desk(
        np.zeros(4, np.int64),
        np.zeros(4, np.int64),
        np.zeros(4, np.int64),
        np.zeros(4, np.int64),
        np.zeros((4, 3), np.int64),
        np.zeros(5, np.int64),
        np.zeros(5, np.int64),
        np.zeros((6, 5), np.int64),
    )


@kernel
def joker_worth(problem: Any, level: Any, ties: Any, placed: Any) -> Any:
    """What jokers placed at a number, kept ones included, add to the objective.

    By number, the jokers with the highest numbers count as the rack's.
    """
    if problem.by_number == 0:
        return 0
    before = ties.used if problem.policy == FREE else ties.used - ties.released
    for number in problem.old_number:
        before += 0 <= number < level
    counted = max(0, before + placed - problem.table_jokers) - max(0, before - problem.table_jokers)
    return (level + 1) * counted


@kernel
def groups_fit(problem: Any, machine: Any, level: Any, step: Any) -> Any:
    """Whether the group tiles of the four choices form groups: each colour at most a third of them.

    A number's tiles split into groups exactly when three times the commonest colour is no more than all of them.
    """
    pure, mixed, most_pure, most_mixed = 0, 0, 0, 0
    for colour in range(4):
        choice = machine.choices[step[colour]]
        pure += choice.pure_group
        mixed += choice.mixed_group
        most_pure, most_mixed = max(most_pure, choice.pure_group), max(most_mixed, choice.mixed_group)
    if 3 * most_pure > pure:
        return False
    if problem.turn != ATTACH:
        return 3 * most_mixed <= mixed
    return mixed == 0 or fourths_fit(problem, machine, level, step)


@kernel
def fourths_fit(problem: Any, machine: Any, level: Any, step: Any) -> Any:
    """Whether the group tiles of the four choices can join old groups."""
    joining = np.zeros(4, np.int64)
    for colour in range(4):
        joining[colour] = machine.choices[step[colour]].mixed_group
    return can_join_groups(problem, level, joining)


@kernel
def sum_ties(problem: Any, machine: Any, ties: Any, step: Any, released: Any) -> Any:
    """The ties after four choices."""
    used, pure, quota = ties.used, ties.pure, ties.quota
    for colour in range(4):
        choice = machine.choices[step[colour]]
        used += choice.pure_jokers + choice.mixed_jokers
        pure += choice.pure_jokers
        quota += choice.quota
    return Ties(used, ties.released + released, pure, min(problem.quota, quota))


@kernel
def take_step(problem: Any, machine: Any, tree: Any, stage: Any, node: Any, ties: Any, desk: Any) -> Any:
    """Make the node that four choices lead to, if it is allowed; returns False when the tree is full."""
    step, states, kept, worth = desk.step, desk.after, 0, tree.nodes[node].worth
    hope = 0 if is_pure(problem) else problem.free_jokers
    after = sum_ties(problem, machine, ties, step, stage.released)
    if after.pure > problem.rack_jokers:
        return True
    for colour in range(4):
        choice = machine.choices[step[colour]]
        states[colour] = choice.to - machine.level[colour, stage.level + 1]
        kept += choice.tag // 3
        worth += choice.gain
        hope += machine.states[choice.to].quota_hope
    if after.quota + hope < problem.quota or not groups_fit(problem, machine, stage.level, step):
        return True
    if problem.by_number:
        worth += joker_worth(problem, stage.level, ties, after.used - ties.used + kept) << SHIFT
    if stage.level + 1 == NUMBERS:
        return not is_goal(problem, after) or take_way(
            tree, stage, node, pack(states, after), worth, worth, step
        )
    reach = worth + paid_ahead(problem, machine, after) + reachable(desk.bounds, desk.left[4])
    return take_way(tree, stage, node, pack(states, after), worth, reach + number_hope(problem), step)


@kernel
def take_way(tree: Any, stage: Any, node: Any, key: Any, worth: Any, reach: Any, step: Any) -> Any:
    """Note a way to a node if it is the best and reaches beyond the floor; returns False when the tree is full."""
    if cut(tree, reach, stage.floor):
        return True
    target = find_node(tree, stage.level + 1, key)
    if target < 0 or worth <= tree.nodes[target].worth:
        return target >= 0
    if not reach_node(tree, target, worth, reach):
        return False
    made = tree.nodes[target]
    made.parent = node
    for colour in range(4):
        made.step[colour] = step[colour]
    return True


@kernel
def cut(tree: Any, reach: Any, floor: Any) -> Any:
    """Whether a reach is too low to follow; remembers the best that was."""
    if reach > floor:
        return False
    tree.counts[CUT] = max(tree.counts[CUT], reach)
    return True


@kernel
def lay_out(problem: Any, machine: Any, tree: Any, level: Any, node: Any, desk: Any) -> Any:
    """Put the colours' states of a node on the desk, with what each offers at its best; returns the node's ties."""
    ties = unpack(tree.nodes[node].key, desk.states)
    desk.left[0] = problem.free_jokers - ties.used
    desk.worth[0] = tree.nodes[node].worth + paid_ahead(problem, machine, ties)
    desk.groups[0, 4] = desk.groups[1, 4] = 0
    for colour in range(3, -1, -1):
        desk.states[colour] += machine.level[colour, level]
        state = machine.states[desk.states[colour]]
        set_bounds(desk.bounds, colour, state)
        desk.last[colour] = state.last
        desk.groups[0, colour] = desk.groups[0, colour + 1] + state.most_pure
        desk.groups[1, colour] = desk.groups[1, colour + 1] + state.most_mixed
    for sums in range(2, 6):
        desk.groups[sums, 0] = 0
    return ties


@kernel
def groups_can_fit(desk: Any, colour: Any, choice: Any, attaching: Any) -> Any:
    """Add a choice's group tiles to those of the colours before it; whether groups can still come of them."""
    groups = desk.groups
    groups[2, colour + 1] = groups[2, colour] + choice.pure_group
    groups[3, colour + 1] = max(groups[3, colour], choice.pure_group)
    groups[4, colour + 1] = groups[4, colour] + choice.mixed_group
    groups[5, colour + 1] = max(groups[5, colour], choice.mixed_group)
    if 3 * groups[3, colour + 1] > groups[2, colour + 1] + groups[0, colour + 1]:
        return False
    return attaching or 3 * groups[5, colour + 1] <= groups[4, colour + 1] + groups[1, colour + 1]


@kernel
def expand(problem: Any, machine: Any, tree: Any, stage: Any, node: Any, tags: Any, desk: Any) -> Any:
    """Make all nodes that follow one node under one fate of the old jokers; returns False when the tree is full.

    The choices of the four colours are run through like the wheels of a counter.
    """
    ties = lay_out(problem, machine, tree, stage.level, node, desk)
    states, step, bounds, left, worth = desk.states, desk.step, desk.bounds, desk.left, desk.worth
    hope, attaching = number_hope(problem), problem.turn == ATTACH
    if cut(tree, worth[0] + reachable(bounds, left[0]) + hope, stage.floor):
        return True
    colour, step[0] = 0, machine.states[states[0]].first
    while colour >= 0:
        if step[colour] == desk.last[colour]:
            set_bounds(bounds, colour, machine.states[states[colour]])
            colour -= 1
            if colour >= 0:
                step[colour] += 1
            continue
        choice = machine.choices[step[colour]]
        left[colour + 1] = left[colour] - choice.pure_jokers - choice.mixed_jokers
        fits = choice.tag == tags[colour] and left[colour + 1] >= 0
        if not fits or not groups_can_fit(desk, colour, choice, attaching):
            step[colour] += 1
            continue
        worth[colour + 1] = worth[colour] + choice.gain - choice.price
        set_bounds(bounds, colour, machine.states[choice.to])
        if cut(tree, worth[colour + 1] + reachable(bounds, left[colour + 1]) + hope, stage.floor):
            step[colour] += 1
        elif colour < 3:
            colour += 1
            step[colour] = machine.states[states[colour]].first
        else:
            if not take_step(problem, machine, tree, stage, node, ties, desk):
                return False
            step[3] += 1
    return True


@kernel
def plant(problem: Any, machine: Any, tree: Any, floor: Any, desk: Any) -> Any:
    """Make the nodes before number 1, one for each combination of the colours' first states.

    Returns:
        False when the tree is full.
    """
    ties = Ties(0, freed_by_rule(problem), 0, 0)
    worth = -(problem.joker_weight * ties.released << SHIFT)
    ahead = worth + paid_ahead(problem, machine, ties) + number_hope(problem)
    for colour in range(4):
        best_roots(machine, colour, desk.bounds)
    states, colour = desk.states, 0
    states[0] = -1
    while colour >= 0:
        states[colour] += 1
        if machine.level[colour, 0] + states[colour] == machine.level[colour, 1]:
            best_roots(machine, colour, desk.bounds)
            colour -= 1
            continue
        set_bounds(desk.bounds, colour, machine.states[machine.level[colour, 0] + states[colour]])
        reach = ahead + reachable(desk.bounds, problem.free_jokers)
        if cut(tree, reach, floor):
            continue
        if colour < 3:
            colour += 1
            states[colour] = -1
        elif root_quota(problem, machine, states) >= problem.quota:
            node = find_node(tree, np.int64(0), pack(states, ties))
            if node < 0 or (worth > tree.nodes[node].worth and not reach_node(tree, node, worth, reach)):
                return False
    return True


@kernel
def follow(problem: Any, machine: Any, tree: Any, node: Any, variants: Any, desk: Any) -> Any:
    """Make the nodes after one that do not fall far behind it, and let it wait for the rest.

    Returns:
        False when the tree is full.
    """
    level, lowest = np.int64(tree.nodes[node].level), first_floor(problem)
    floor = max(lowest, tree.nodes[node].reach - tree.nodes[node].drop)
    tree.counts[CUT] = lowest
    if level < 0:
        if not plant(problem, machine, tree, floor, desk):
            return False
    else:
        first, last = list_variants(problem, level, variants)
        for variant in range(first, last):
            stage = Stage(level, variants[variant, 4], floor)
            if not expand(problem, machine, tree, stage, node, variants[variant], desk):
                return False
    return tree.counts[CUT] <= lowest or lose_reach(tree, node, tree.counts[CUT])


@kernel
def search(problem: Any, machine: Any, nodes: Any, most: Any) -> Any:
    """Follow the node that reaches farthest until one is a play, which then is the best.

    What falls far behind is not made at first (A* with partial expansion; Yoshizumi, Miura and Ishida, 2000).

    Args:
        problem: The `PROBLEM` row.
        machine: Its states and choices.
        nodes: Room for nodes to begin with, a power of two.
        most: Room for nodes at most.

    Returns:
        The tree and the best play's node, -1 when there is none, -2 when there is too little room.
    """
    tree, variants, desk = make_tree(nodes), np.zeros((MOST_FATES, 5), np.int64), make_desk()
    node = find_node(tree, np.int64(-1), np.uint64(0))
    reach_node(tree, node, np.int64(0), root_reach(problem, machine))
    node = leave_queue(tree)
    while node >= 0 and tree.nodes[node].level < NUMBERS:
        while not follow(problem, machine, tree, node, variants, desk):
            if tree.nodes.size == most:
                return tree, np.int64(-2)
            tree = enlarge(tree)
        node = leave_queue(tree)
    return tree, node


@kernel
def is_goal(problem: Any, ties: Any) -> Any:
    """Whether a last node is a play: jokers accounted for, the quota reached."""
    from_rack = ties.used - ties.released
    if from_rack < ties.pure or from_rack > problem.rack_jokers:
        return False
    reached = ties.quota if is_pure(problem) else ties.quota + from_rack
    return reached >= problem.quota


@kernel
def read_goal(machine: Any, tree: Any, goal: Any, step: Any, root: Any) -> None:
    """Write the choices `step[4, 13]` that led to a goal, and the first states `root[4]`."""
    node = np.int64(goal)
    for level in range(NUMBERS - 1, -1, -1):
        for colour in range(4):
            step[colour, level] = tree.nodes[node].step[colour]
        node = np.int64(tree.nodes[node].parent)
    unpack(tree.nodes[node].key, root)
    for colour in range(4):
        root[colour] += machine.level[colour, 0]

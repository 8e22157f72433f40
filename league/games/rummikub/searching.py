"""The second half of the solver: the four colours together, number by number.

A node is one state of each colour plus what ties them: free jokers used, old jokers released, jokers in pure sets and
the quota so far. Nodes with the same key are one; of each, only the best way there is kept, or the best few that
differ in the rack tiles they play.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from league.games.rummikub.colours import DEAD, NUMBERS
from league.games.rummikub.problem import SHIFT, can_join_groups, can_release, is_pure
from league.games.rummikub.rows import ATTACH, FREE
from league.games.rummikub.scratch import row_maker
from league.kernels import kernel

_ID_BITS, _QUOTA_BITS = 13, 7
MOST_QUOTA = (1 << _QUOTA_BITS) - 1
MOST_VARIANTS = 64

_MARKS = np.array(
    [(k * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) ** 3 % 2**64 | 1 for k in range(1, 53)], np.uint64
)
"""Odd constants whose sums tell multisets of played tiles apart."""


NODE = np.dtype(
    [("key", "u8"), ("mark", "u8"), ("worth", "i8"), ("parent", "i4"), ("twin", "i4"), ("step", "i4", (4,))],
    align=True,
)
"""A node: packed states and ties, a hash of the rack tiles played, objective and likeness so far, the node before, the
next node with the same key (-1: none), and the choice of each colour that led here."""

make_nodes = row_maker("make_nodes", NODE)


class Tree(NamedTuple):
    """All nodes, those before a number together.

    Attributes:
        nodes: `[N]`.
        level: `[16]` where the nodes before each number begin; the last cell is the best reach that was cut off.
        slots: Hash slots of the level being filled.
    """

    nodes: Any
    level: Any
    slots: Any


class Desk(NamedTuple):
    """Where the choices of a node's colours are tried out.

    Attributes:
        states, step, last: `[4]` each colour's state, the choice in hand, and where its choices end.
        after: `[4]` the states that follow, counted from the first of their level.
        bounds: `[4, 3]` what each colour can gain with 0, 1 or 2 free jokers, as chosen or else at its best.
        left, worth: `[5]` free jokers left and the worth, before each colour.
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


class Way(NamedTuple):
    """What is alike for all steps from one number: jokers released, and ways to keep for a key."""

    level: int
    released: int
    keep: int


class Ties(NamedTuple):
    """What a node carries beside its states."""

    used: int
    released: int
    pure: int
    quota: int


@kernel
def make_tree(nodes: Any) -> Any:
    """An empty tree; `nodes` must be a power of two."""
    return Tree(make_nodes(nodes), np.zeros(16, np.int64), np.full(nodes * 2, -1, np.int32))


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
def pack(states: Any, ties: Any) -> Any:
    """A node's key; `states[4]` count from the first of their level."""
    bits = np.uint64(ties.used + 3 * (ties.released + 3 * ties.pure)) << np.uint64(_QUOTA_BITS)
    bits |= np.uint64(ties.quota)
    for colour in range(4):
        bits = bits << np.uint64(_ID_BITS) | np.uint64(states[colour])
    return bits


@kernel
def unpack(key: Any, states: Any) -> Any:
    """Write the states of a key, and return its ties."""
    for back in range(4):
        states[3 - back] = np.int64(key & np.uint64((1 << _ID_BITS) - 1))
        key >>= np.uint64(_ID_BITS)
    quota = np.int64(key & np.uint64(MOST_QUOTA))
    jokers = np.int64(key >> np.uint64(_QUOTA_BITS))
    return Ties(jokers % 3, jokers // 3 % 3, jokers // 9, quota)


@kernel
def list_variants(problem: Any, level: Any, variants: Any) -> Any:
    """List what may become of the old jokers of a number: each kept as one colour, or released by a tile of one.

    `variants[MOST_VARIANTS, 5]` is filled with a tag for each colour, and how many jokers are released.

    Returns:
        The range of variants to use.
    """
    for tag in range(5):
        variants[0, tag] = 0
    begin, end = 0, 1
    for which in range(2):
        if problem.old_number[which] != level:
            continue
        last = end
        for variant in range(begin, last):
            for fate in range(1 + can_release(problem, which)):
                for colour in range(4):
                    if problem.old_colours[which] >> colour & 1:
                        for tag in range(5):
                            variants[end, tag] = variants[variant, tag]
                        variants[end, colour] += 1 if fate else 3
                        variants[end, 4] += fate
                        end += 1
        begin = last
    return begin, end


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
def reachable(bounds: Any, left: Any) -> Any:
    """The most that four colours can gain with `left` free jokers among them.

    `bounds[4, 3]` says what each can gain with 0, 1 or 2.
    """
    if left == 0:
        return bounds[0, 0] + bounds[1, 0] + bounds[2, 0] + bounds[3, 0]
    none = bounds[0, 0]
    one = bounds[0, 1]
    two = bounds[0, 2]
    for colour in range(1, 4):
        here = bounds[colour]
        two = max(two + here[0], max(one + here[1], none + here[2]))
        one = max(one + here[0], none + here[1])
        none += here[0]
    return two if left > 1 else one


@kernel
def set_bounds(bounds: Any, colour: Any, state: Any) -> None:
    """Copy the bounds of a state to row `colour`."""
    for jokers in range(3):
        bounds[colour, jokers] = state.bound[jokers]


@kernel
def number_hope(problem: Any) -> Any:
    """An upper bound on what rack jokers add when each is worth its number."""
    return NUMBERS * problem.rack_jokers << SHIFT if problem.by_number else 0


@kernel
def add_node(tree: Any, keep: Any, end: Any, key: Any, worth: Any, mark: Any) -> Any:
    """Find where a way to a key belongs.

    Returns:
        The node to write, or -1 when better ones are there; and the new end, -1 when the tree is full.
    """
    nodes, mask = tree.nodes, np.int64(tree.slots.size - 1)
    slot = np.int64(key * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(40)) & mask
    while tree.slots[slot] >= 0 and nodes[tree.slots[slot]].key != key:
        slot = (slot + 1) & mask
    count, at, worst = 0, np.int64(tree.slots[slot]), np.int64(-1)
    while at >= 0:
        if nodes[at].mark == mark:
            return (at if worth > nodes[at].worth else np.int64(-1)), end
        if worst < 0 or nodes[at].worth <= nodes[worst].worth:
            worst = at
        count += 1
        at = np.int64(nodes[at].twin)
    if count == keep:
        return (worst if worth > nodes[worst].worth else np.int64(-1)), end
    if end == nodes.size:
        return np.int64(-1), np.int64(-1)
    nodes[end].twin = tree.slots[slot]
    tree.slots[slot] = end
    nodes[end].key = key
    return end, end + 1


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
    if mixed == 0:
        return True
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
def mark_of(machine: Any, level: Any, step: Any, mark: Any) -> Any:
    """The mark of the rack tiles played, those of four choices included."""
    for colour in range(4):
        mark += np.uint64(machine.choices[step[colour]].played) * _MARKS[colour * 13 + level]
    return mark


@kernel
def take_step(
    problem: Any, machine: Any, tree: Any, way: Any, node: Any, ties: Any, desk: Any, worth: Any, end: Any
) -> Any:
    """Make the node that four choices lead to, if it is allowed; returns the new end, -1 when full."""
    step, states, kept, hope = desk.step, desk.after, 0, 0 if is_pure(problem) else problem.free_jokers
    after = sum_ties(problem, machine, ties, step, way.released)
    if after.pure > problem.rack_jokers:
        return end
    for colour in range(4):
        choice = machine.choices[step[colour]]
        states[colour] = choice.to - machine.level[colour, way.level + 1]
        kept += choice.tag // 3
        hope += machine.states[choice.to].quota_hope
    if after.quota + hope < problem.quota or not groups_fit(problem, machine, way.level, step):
        return end
    if problem.by_number:
        worth += joker_worth(problem, way.level, ties, after.used - ties.used + kept) << SHIFT
    worth -= problem.joker_weight * way.released << SHIFT
    mark = tree.nodes[node].mark
    if way.keep > 1:
        mark = mark_of(machine, way.level, step, mark)
    target, end = add_node(tree, way.keep, end, pack(states, after), worth, mark)
    if target >= 0:
        made = tree.nodes[target]
        made.worth, made.parent, made.mark = worth, node, mark
        for colour in range(4):
            made.step[colour] = step[colour]
    return end


@kernel
def cut(tree: Any, reach: Any, floor: Any) -> Any:
    """Whether a reach is too low to follow; remembers the best that was."""
    if reach > floor:
        return False
    tree.level[15] = max(tree.level[15], reach)
    return True


@kernel
def lay_out(problem: Any, machine: Any, tree: Any, level: Any, node: Any, desk: Any) -> Any:
    """Put the colours' states of a node on the desk, with what each offers at its best; returns the node's ties."""
    ties = unpack(tree.nodes[node].key, desk.states)
    desk.left[0], desk.worth[0] = problem.free_jokers - ties.used, tree.nodes[node].worth
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
def expand(
    problem: Any, machine: Any, tree: Any, way: Any, floor: Any, node: Any, tags: Any, desk: Any, end: Any
) -> Any:
    """Make all nodes that follow one node under one fate of the old jokers; returns the new end, -1 when full.

    The choices of the four colours are run through like the wheels of a counter.
    """
    ties = lay_out(problem, machine, tree, way.level, node, desk)
    states, step, bounds, left, worth = desk.states, desk.step, desk.bounds, desk.left, desk.worth
    hope, attaching = number_hope(problem), problem.turn == ATTACH
    if cut(tree, worth[0] + reachable(bounds, left[0]) + hope, floor):
        return end
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
        worth[colour + 1] = worth[colour] + choice.gain
        set_bounds(bounds, colour, machine.states[choice.to])
        if cut(tree, worth[colour + 1] + reachable(bounds, left[colour + 1]) + hope, floor):
            step[colour] += 1
        elif colour < 3:
            colour += 1
            step[colour] = machine.states[states[colour]].first
        else:
            end = take_step(problem, machine, tree, way, node, ties, desk, worth[4], end)
            if end < 0:
                return end
            step[3] += 1
    return end


@kernel
def root_quota(problem: Any, machine: Any, states: Any) -> Any:
    """The most quota that four first states could reach."""
    most = 0 if is_pure(problem) else problem.free_jokers
    for colour in range(4):
        most += machine.states[machine.level[colour, 0] + states[colour]].quota_hope
    return most


@kernel
def plant(problem: Any, machine: Any, tree: Any) -> Any:
    """Write the nodes before number 1, one for each combination of the colours' first states; returns their end."""
    states, end = np.zeros(4, np.int64), 0
    released = problem.table_jokers if problem.policy == FREE else 0
    ties = Ties(0, released, 0, 0)
    while states[0] < machine.level[0, 1] - machine.level[0, 0]:
        if end == tree.nodes.size:
            return -1
        if root_quota(problem, machine, states) >= problem.quota:
            node = tree.nodes[end]
            node.key, node.mark, node.parent = pack(states, ties), np.uint64(0), -1
            node.worth = -(problem.joker_weight * released << SHIFT)
            end += 1
        colour = 3
        states[3] += 1
        while colour > 0 and states[colour] == machine.level[colour, 1] - machine.level[colour, 0]:
            states[colour] = 0
            colour -= 1
            states[colour] += 1
    return end


@kernel
def clear_slots(tree: Any, begin: Any, end: Any) -> None:
    """Empty the hash slots after a level of nodes."""
    if (end - begin) * 8 > tree.slots.size:
        tree.slots[:] = -1
        return
    mask = np.int64(tree.slots.size - 1)
    for node in range(begin, end):
        slot = np.int64(tree.nodes[node].key * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(40)) & mask
        while tree.slots[slot] >= 0:
            tree.slots[slot] = -1
            slot = (slot + 1) & mask


@kernel
def search(problem: Any, machine: Any, tree: Any, keep: Any, floor: Any) -> Any:
    """Grow the tree through all numbers, leaving out what cannot exceed `floor` and keeping `keep` ways for a key.

    Returns:
        False when the tree is too small.
    """
    variants, desk = np.zeros((MOST_VARIANTS, 5), np.int64), make_desk()
    tree.level[15] = 4 * DEAD
    tree.level[1] = end = plant(problem, machine, tree)
    for level in range(NUMBERS):
        if end < 0:
            return False
        first, last = list_variants(problem, level, variants)
        for node in range(tree.level[level], tree.level[level + 1]):
            for variant in range(first, last):
                way = Way(level, variants[variant, 4], keep)
                end = expand(problem, machine, tree, way, floor, node, variants[variant], desk, end)
                if end < 0:
                    tree.slots[:] = -1
                    return False
        clear_slots(tree, tree.level[level + 1], end)
        tree.level[level + 2] = end
    return True


@kernel
def rack_jokers_of(key: Any) -> Any:
    """How many rack jokers a last node plays."""
    jokers = np.int64(key >> np.uint64(4 * _ID_BITS + _QUOTA_BITS))
    return jokers % 3 - jokers // 3 % 3


@kernel
def is_goal(problem: Any, key: Any, states: Any) -> Any:
    """Whether a last node is a play: jokers accounted for, the quota reached."""
    ties = unpack(key, states)
    from_rack = ties.used - ties.released
    if from_rack < ties.pure or from_rack > problem.rack_jokers:
        return False
    reached = ties.quota if is_pure(problem) else ties.quota + from_rack
    return reached >= problem.quota


@kernel
def find_goal(problem: Any, tree: Any) -> Any:
    """The best play among the last nodes, or -1."""
    states, best = np.empty(4, np.int64), np.int64(-1)
    for node in range(tree.level[NUMBERS], tree.level[NUMBERS + 1]):
        better = best < 0 or tree.nodes[node].worth > tree.nodes[best].worth
        if better and is_goal(problem, tree.nodes[node].key, states):
            best = node
    return best


@kernel
def root_reach(problem: Any, machine: Any) -> Any:
    """The most that any play could be worth if the colours were alone."""
    bounds = np.empty((4, 3), np.int64)
    for colour in range(4):
        bounds[colour, 0] = bounds[colour, 1] = bounds[colour, 2] = DEAD
        for state in range(machine.level[colour, 0], machine.level[colour, 1]):
            for jokers in range(3):
                bounds[colour, jokers] = max(bounds[colour, jokers], machine.states[state].bound[jokers])
    released = problem.table_jokers if problem.policy == FREE else 0
    return (
        reachable(bounds, problem.free_jokers)
        + number_hope(problem)
        - (problem.joker_weight * released << SHIFT)
    )


@kernel
def first_floor(problem: Any) -> Any:
    """What a play must exceed at the least: one point where every tile is worth something, else nothing."""
    if problem.quota > 0:
        return 4 * DEAD
    return (1 << SHIFT) - 1


@kernel
def search_best(problem: Any, machine: Any, tree: Any) -> Any:
    """Grow the tree until its best play is certain.

    The search leaves out all that cannot reach a bar. Set as high as hope goes, the bar leaves little to search; while
    nothing reaches it, it is lowered, ever faster.

    Returns:
        The best play's node, -1 when there is none, -2 when the tree is too small.
    """
    lowest, drop = first_floor(problem), 1
    floor = np.int64(1) << 61
    goal = np.int64(-1)
    while goal < 0 and floor > lowest:
        cut_off = tree.level[15] if floor < 1 << 61 else root_reach(problem, machine)
        floor = max(lowest, min(((cut_off >> SHIFT) - drop + 1 << SHIFT) - 1, floor - (drop << SHIFT)))
        drop *= 2
        if not search(problem, machine, tree, 1, floor):
            return np.int64(-2)
        goal = find_goal(problem, tree)
        if goal >= 0 and tree.nodes[goal].worth <= floor:
            goal = np.int64(-1)
    return goal

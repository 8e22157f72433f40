"""Nodes of the joint search: one state of each colour, what ties them, the way there, and the queue they wait in."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from league.games.rummikub.scratch import row_maker
from league.kernels import kernel

_ID_BITS, _QUOTA_BITS = 13, 7
MOST_QUOTA = (1 << _QUOTA_BITS) - 1

NODES, WAITING, CUT = 0, 1, 2
_DROP = 64

NODE = np.dtype(
    [
        ("key", "u8"),
        ("worth", "i8"),
        ("reach", "i8"),
        ("drop", "i8"),
        ("parent", "i4"),
        ("step", "i4", (4,)),
        ("level", "i4"),
    ],
    align=True,
)
"""A node.

| field | meaning |
|---|---|
| `key` | packed states and ties |
| `worth`, `reach` | objective and likeness so far, and at most in the end of what was not followed yet |
| `drop` | how far below its reach the node is followed |
| `parent`, `step` | the node before, and the choice of each colour that led here |
| `level` | the number that is next; -1 before the colours' first states are chosen |
"""

make_nodes = row_maker("make_nodes", NODE)


class Tree(NamedTuple):
    """All nodes, and those that wait to be followed.

    Attributes:
        nodes: `[N]`.
        slots: Hash slots of the nodes.
        queue, reach: `[2N]` a heap of nodes, those that reach farthest first, and how far they did when they joined.
        counts: `[3]` how many nodes there are, how many wait, and the best reach that the last node lost.
    """

    nodes: Any
    slots: Any
    queue: Any
    reach: Any
    counts: Any


class Ties(NamedTuple):
    """What a node carries beside its states."""

    used: Any
    released: Any
    pure: Any
    quota: Any


@kernel
def make_tree(nodes: Any) -> Any:
    """An empty tree; `nodes` must be a power of two."""
    return Tree(
        make_nodes(nodes),
        np.full(nodes * 2, -1, np.int32),
        np.empty(nodes * 2, np.int32),
        np.empty(nodes * 2, np.int64),
        np.zeros(3, np.int64),
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
def is_ahead(tree: Any, one: Any, other: Any) -> Any:
    """Whether a node in the queue is followed before another: it reaches farther, or as far and is younger."""
    if tree.reach[one] != tree.reach[other]:
        return tree.reach[one] > tree.reach[other]
    return tree.queue[one] > tree.queue[other]


@kernel
def swap(tree: Any, one: Any, other: Any) -> None:
    """Exchange two places in the queue."""
    tree.queue[one], tree.queue[other] = tree.queue[other], tree.queue[one]
    tree.reach[one], tree.reach[other] = tree.reach[other], tree.reach[one]


@kernel
def is_full(tree: Any) -> Any:
    """Whether no more nodes can wait."""
    return tree.counts[WAITING] == tree.queue.size


@kernel
def join_queue(tree: Any, node: Any) -> None:
    """Let a node wait; there must be room."""
    place = tree.counts[WAITING]
    tree.counts[WAITING] += 1
    tree.queue[place], tree.reach[place] = node, tree.nodes[node].reach
    while place > 0 and is_ahead(tree, place, place - 1 >> 1):
        swap(tree, place, place - 1 >> 1)
        place = place - 1 >> 1


@kernel
def leave_queue(tree: Any) -> Any:
    """Take the node that reaches farthest out of the queue, and return it; -1 when none waits."""
    node, stale = np.int64(-1), True
    while stale and tree.counts[WAITING] > 0:
        node = np.int64(tree.queue[0])
        stale = tree.reach[0] != tree.nodes[node].reach
        tree.counts[WAITING] -= 1
        swap(tree, 0, tree.counts[WAITING])
        place, child = 0, 1
        while child < tree.counts[WAITING]:
            if child + 1 < tree.counts[WAITING] and is_ahead(tree, child + 1, child):
                child += 1
            if is_ahead(tree, place, child):
                break
            swap(tree, place, child)
            place, child = child, 2 * child + 1
    return np.int64(-1) if stale else node


@kernel
def slot_of(tree: Any, level: Any, key: Any) -> Any:
    """Where a node is in the hash slots, or would be."""
    nodes, mask = tree.nodes, np.int64(tree.slots.size - 1)
    slot = np.int64((key + np.uint64(level + 1)) * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(40)) & mask
    while tree.slots[slot] >= 0:
        node = tree.slots[slot]
        if nodes[node].key == key and nodes[node].level == level:
            break
        slot = (slot + 1) & mask
    return slot


@kernel
def find_node(tree: Any, level: Any, key: Any) -> Any:
    """Find or add a node; one that is new is worth nothing yet.

    Returns:
        The node, -1 when the tree is full.
    """
    slot, node = slot_of(tree, level, key), tree.counts[NODES]
    if tree.slots[slot] >= 0:
        return np.int64(tree.slots[slot])
    if node == tree.nodes.size:
        return np.int64(-1)
    tree.counts[NODES] += 1
    tree.slots[slot] = node
    added = tree.nodes[node]
    added.key, added.level, added.worth = key, level, np.int64(-1) << 62
    return node


@kernel
def reach_node(tree: Any, node: Any, worth: Any, reach: Any) -> Any:
    """Note a better way to a node, and let it wait; returns False when the tree is full, and then notes nothing."""
    if is_full(tree):
        return False
    made = tree.nodes[node]
    made.worth, made.reach, made.drop = worth, reach, _DROP
    join_queue(tree, node)
    return True


@kernel
def lose_reach(tree: Any, node: Any, reach: Any) -> Any:
    """Let a node wait again, to be followed farther down; returns False when the tree is full."""
    if is_full(tree):
        return False
    tree.nodes[node].reach = reach
    tree.nodes[node].drop *= 4
    join_queue(tree, node)
    return True


@kernel
def enlarge(tree: Any) -> Any:
    """The same tree with room for four times as many nodes."""
    larger = make_tree(tree.nodes.size * 4)
    larger.counts[:] = tree.counts
    waiting = tree.counts[WAITING]
    larger.queue[:waiting], larger.reach[:waiting] = tree.queue[:waiting], tree.reach[:waiting]
    for node in range(tree.counts[NODES]):
        larger.nodes[node] = tree.nodes[node]
        larger.slots[slot_of(larger, np.int64(tree.nodes[node].level), tree.nodes[node].key)] = node
    return larger

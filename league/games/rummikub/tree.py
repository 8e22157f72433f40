"""Nodes of the joint search: one state of each colour, what ties them, and the way there."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from league.games.rummikub.scratch import row_maker
from league.kernels import kernel

_ID_BITS, _QUOTA_BITS = 13, 7
MOST_QUOTA = (1 << _QUOTA_BITS) - 1


NODE = np.dtype(
    [("key", "u8"), ("worth", "i8"), ("parent", "i4"), ("step", "i4", (4,))],
    align=True,
)
"""A node: packed states and ties, objective and likeness so far, the node before, and the choice of each
colour that led here."""

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


class Ties(NamedTuple):
    """What a node carries beside its states."""

    used: Any
    released: Any
    pure: Any
    quota: Any


@kernel
def make_tree(nodes: Any) -> Any:
    """An empty tree; `nodes` must be a power of two."""
    return Tree(make_nodes(nodes), np.zeros(16, np.int64), np.full(nodes * 2, -1, np.int32))


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
def add_node(tree: Any, end: Any, key: Any, worth: Any) -> Any:
    """Find where a way to a key belongs.

    Returns:
        The node to write, or -1 when a better one is there; and the new end, -1 when the tree is full.
    """
    nodes, mask = tree.nodes, np.int64(tree.slots.size - 1)
    slot = np.int64(key * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(40)) & mask
    while tree.slots[slot] >= 0 and nodes[tree.slots[slot]].key != key:
        slot = (slot + 1) & mask
    at = np.int64(tree.slots[slot])
    if at >= 0:
        return (at if worth > nodes[at].worth else np.int64(-1)), end
    if end == nodes.size:
        return np.int64(-1), np.int64(-1)
    tree.slots[slot] = end
    nodes[end].key = key
    return end, end + 1


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

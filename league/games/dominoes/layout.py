"""The layout: its arms and ends, what fits them, and what they count, as compiled functions over rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.dominoes.tiles import HIGH, LOW, PIP_BIT, SIDES, SPINNER, WITH_PIP
from league.kernels import Row, kernel


@kernel
def first_arm(table: Row, tile: Any) -> Any:
    """The first arm that a tile fits, one of them being known to."""
    arm = 0
    while not fits(table, tile, arm):
        arm += 1
    return arm


@kernel
def open_arms(table: Row) -> Any:
    """How many places there are to play on: every arm, and the next free side of the spinner."""
    return min(np.int64(table.arms) + 1, SIDES)


@kernel
def fits(table: Row, tile: Any, arm: Any) -> Any:
    """Whether a tile matches an arm's end or, on the next arm, the spinner."""
    pip = table.arm_end[arm]
    return HIGH[tile] == pip or LOW[tile] == pip


@kernel
def lay(table: Row, tile: Any, arm: Any) -> None:
    """Add a tile to the layout."""
    if arm == SPINNER:
        table.spinner = HIGH[tile]
    else:
        table.arm_double[arm] = HIGH[tile] == LOW[tile]
    table.arms = join(table.arm_end, table.arms, tile, arm)
    note_fitting(table)


@kernel
def join(ends: Any, arms: Any, tile: Any, arm: Any) -> Any:
    """Change the ends of the arms as a tile does that is added, and tell how many arms there are then."""
    if arm == SPINNER:
        ends[0] = HIGH[tile]
        return np.int64(0)
    pip = ends[arm]
    ends[arm] = HIGH[tile] + LOW[tile] - pip
    if arm < arms:
        return np.int64(arms)
    if arm + 1 < SIDES:
        ends[arm + 1] = pip
    return np.int64(arms) + 1


@kernel
def note_fitting(table: Row) -> None:
    """Note which tiles fit the layout; none before the spinner lies."""
    for word in range(len(table.fitting)):
        tiles = np.uint64(0)
        if table.spinner >= 0:
            for arm in range(open_arms(table)):
                tiles |= WITH_PIP[table.arm_end[arm], word]
        table.fitting[word] = tiles


@kernel
def open_pips(ends: Any, arms: Any) -> Any:
    """The pips that can be played on where the spinner lies, as a set."""
    pips = np.int64(0)
    for arm in range(min(arms + 1, SIDES)):
        pips |= PIP_BIT[ends[arm]]
    return pips


@kernel
def count(table: Row) -> Any:
    """The sum of the ends: outer pips, both halves of a double, the spinner while it has at most one arm."""
    total = spinner_count(table, table.arms)
    for arm in range(table.arms):
        total += end_count(table, arm)
    return total


@kernel
def spinner_count(table: Row, arms: Any) -> Any:
    """What the spinner adds to the count beside so many arms."""
    return 2 * np.int64(table.spinner) if arms < 2 else 0


@kernel
def end_count(table: Row, arm: Any) -> Any:
    """What the end of an arm adds to the count."""
    return np.int64(table.arm_end[arm]) * (1 + np.int64(table.arm_double[arm]))


@kernel
def count_after(table: Row, tile: Any, arm: Any) -> Any:
    """The count that a placement would make."""
    outer = HIGH[tile] + LOW[tile] - table.arm_end[arm]
    total = 2 * outer if HIGH[tile] == LOW[tile] else outer
    for other in range(table.arms):
        if other != arm:
            total += end_count(table, other)
    return total + spinner_count(table, max(np.int64(table.arms), arm + 1))


@kernel
def points(count: Any) -> Any:
    """What a count scores: itself if it is a multiple of five."""
    return count if count % 5 == 0 else 0

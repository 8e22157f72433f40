"""What the four colours share: free jokers, what they count, and the quota of a play.

A *share* is one number for how much of each a colour takes. Values are kept by share, so colours join like sums.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from league.games.rummikub.machine import DEAD
from league.games.rummikub.problem import is_pure
from league.games.rummikub.rows import FULL
from league.kernels import kernel

HOPELESS = DEAD // 2
"""Values below lead nowhere."""


class Shares(NamedTuple):
    """The most that the colours can share, and what of it a play must have.

    Attributes:
        jokers: Free jokers.
        counted: 1 where a joker may count as the rack's or the table's.
        pure: Jokers in pure sets; 0 where those need no count of their own.
        quota: What the colours must reach together.
        size: How many values a state has.
    """

    jokers: int
    counted: int
    pure: int
    quota: int
    size: int


@kernel
def shares_of(problem: Any, quota: Any) -> Any:
    """What the colours of a problem share when they must reach a quota."""
    jokers = problem.free_jokers
    counted = 1 if problem.by_number and problem.table_jokers > 0 and problem.rack_jokers > 0 else 0
    pure = problem.rack_jokers if problem.turn == FULL and jokers > problem.rack_jokers else 0
    return Shares(jokers, counted, pure, quota, (jokers + 1) * (counted + 1) * (pure + 1) * (quota + 1))


@kernel
def share_of(shares: Any, jokers: Any, counted: Any, pure: Any, quota: Any) -> Any:
    """The share with these parts."""
    return ((jokers * (shares.counted + 1) + counted) * (shares.pure + 1) + pure) * (shares.quota + 1) + quota


@kernel
def parts_of(shares: Any, share: Any) -> Any:
    """The parts of a share: jokers, counted, pure, quota."""
    quota, rest = share % (shares.quota + 1), share // (shares.quota + 1)
    pure, rest = rest % (shares.pure + 1), rest // (shares.pure + 1)
    return rest // (shares.counted + 1), rest % (shares.counted + 1), pure, quota


@kernel
def has_room(shares: Any, one: Any, other: Any) -> Any:
    """Whether two shares without quotas fit together."""
    first, second = parts_of(shares, one), parts_of(shares, other)
    fits = first[0] + second[0] <= shares.jokers and first[1] + second[1] <= shares.counted
    return fits and first[2] + second[2] <= shares.pure


@kernel
def join(shares: Any, one: Any, other: Any, both: Any) -> None:
    """Write the best values of two together, each `[K]`."""
    for share in range(shares.size):
        both[share] = DEAD
    for first in range(0, shares.size, shares.quota + 1):
        for second in range(0, shares.size, shares.quota + 1):
            if not has_room(shares, first, second):
                continue
            for quota in range(shares.quota + 1):
                value = one[first + quota]
                if value > HOPELESS:
                    for more in range(shares.quota + 1 - quota):
                        at = first + second + quota + more
                        both[at] = max(both[at], value + other[second + more])


@kernel
def divide(shares: Any, one: Any, other: Any, share: Any, target: Any) -> Any:
    """The shares of two whose values together are the target."""
    for first in range(share + 1):
        fits = has_room(shares, first, share - first) and first % (shares.quota + 1) <= share % (
            shares.quota + 1
        )
        if fits and one[first] + other[share - first] == target:
            return first, share - first
    return share, np.int64(0)


@kernel
def best_share(problem: Any, shares: Any, values: Any, released: Any) -> Any:
    """The share with the most gain that a play may have, or -1."""
    best, best_value = -1, HOPELESS
    for share in range(shares.size):
        jokers, counted, pure, quota = parts_of(shares, share)
        from_rack = jokers - released
        if not 0 <= from_rack <= problem.rack_jokers or pure > from_rack or counted > from_rack:
            continue
        lacks = shares.quota if is_pure(problem) else max(0, shares.quota - from_rack)
        if quota == lacks and values[share] > best_value:
            best, best_value = share, values[share]
    return best

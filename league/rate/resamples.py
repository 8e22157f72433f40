"""The bootstrap over mirror sets, folded while matches pass by.

The unit of chance is the deal: the matches of a mirror set share their luck, so they are drawn into a
resample together or not at all. Each of `size` resamples draws every mirror set a Poisson(1) number of
times (Chamandy, Muralidharan, Najmi and Naidu, "Estimating uncertainty for massive data streams", Google,
2012), which needs no knowledge of how many there are. The number is hashed from seed, deal and bots, so it
does not depend on the order of matches or on how they are cut into chunks. (Schedules give every mirror set
a deal of its own; were one shared by several line-ups, they would count as independent.)

What is kept of a resample is what pairs and seats scored in it: sums, which add up over chunks. Their size
is O(bots^2 * size), however many matches are folded. The ratings of the resamples follow from the points of
pairs (see `league.rate.intervals`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from league.kernels import kernel, mix
from league.rate import Columns, Floats, Ints
from league.rate.tally import points_of
from league.seeds import seed_of

SIZE = 1000
"""Resamples, unless said otherwise; they tell the ends of a 95 % interval to about 4 % of its half width."""

_LEVELS = 1 << 16


def _poisson_table() -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Poisson(1) numbers by 16 even bits."""
    chances = np.cumsum([math.exp(-1) / math.factorial(k) for k in range(12)])
    return np.searchsorted(chances, (np.arange(_LEVELS) + 0.5) / _LEVELS).astype(np.uint8)


_POISSON = _poisson_table()
_LOW_BITS, _SHIFT = np.uint64(_LEVELS - 1), np.uint64(16)


@dataclass
class Resamples:
    """Points of pairs and seats in each resample.

    Attributes:
        bots: How many bots there are.
        seats: Seats of every match.
        seed: Of the draws; leagues of the same seed and the same matches have the same resamples.
        size: How many resamples, a multiple of 4.
        points: `[P, R]` int32, for each pair i < j in the order of `pair_index` the points of i against j;
            2 a win.
        met: `[P, R]` int32, matches of the pair.
        seat_points: `[S, R]` int64, points in each seat.
        matches: `[R]` int64, matches in the resample.
    """

    bots: int
    seats: int
    seed: int
    size: int = SIZE
    points: Any = field(init=False)
    met: Any = field(init=False)
    seat_points: Ints = field(init=False)
    matches: Ints = field(init=False)

    def __post_init__(self) -> None:
        """Start from no matches.

        Raises:
            ValueError: The size is no multiple of 4; four numbers are hashed at once.
        """
        if self.size % 4 or self.size <= 0:
            raise ValueError(f"the number of resamples must be a multiple of 4, not {self.size}")
        self.points, self.met = np.zeros((2, self.bots * (self.bots - 1) // 2, self.size), np.int32)
        self.seat_points = np.zeros((self.seats, self.size), np.int64)
        self.matches = np.zeros(self.size, np.int64)

    def fold(self, columns: Columns) -> None:
        """Draw the next matches, the quicker the more of a mirror set follow each other."""
        columns.require(self.bots)
        seed = np.uint64(seed_of(self.seed, "resamples"))
        arrays = (self.points, self.met, self.seat_points, self.matches)
        _fold(*arrays, columns.bots, columns.ranks, columns.deals, seed, self.bots)

    def square(self, of_pairs: Any, mirrored: Any) -> Floats:
        """`[B, B]` from a value for each pair i < j and one for its mirror image j, i; 0 on the diagonal."""
        whole = np.zeros((self.bots, self.bots))
        upper = np.triu_indices(self.bots, 1)
        whole[upper] = of_pairs
        whole.T[upper] = mirrored
        return whole


@kernel
def pair_index(low: Any, high: Any, bots: Any) -> Any:
    """Where the pair `low` < `high` stands among all pairs, as in `numpy.triu_indices(bots, 1)`."""
    return low * (2 * bots - low - 1) // 2 + high - low - 1


@kernel
def _fold(
    points: Any,
    met: Any,
    seat_points: Any,
    matches: Any,
    bots: Any,
    ranks: Any,
    deals: Any,
    seed: Any,
    field: Any,
) -> None:
    seats, size = bots.shape[1], points.shape[1]
    weights = np.zeros(size, np.int32)
    begin = 0
    while begin < len(deals):
        key = _key(seed, deals[begin], bots[begin])
        end = begin + 1
        while end < len(deals) and _key(seed, deals[end], bots[end]) == key:
            end += 1
        _draw(key, weights)
        for i in range(seats):
            for j in range(seats):
                if bots[begin, i] < bots[begin, j]:
                    pair = pair_index(bots[begin, i], bots[begin, j], field)
                    scored = _points(bots[begin:end], ranks[begin:end], bots[begin, i], bots[begin, j])
                    for k in range(size):
                        points[pair, k] += np.int32(scored) * weights[k]
                        met[pair, k] += np.int32(end - begin) * weights[k]
            _add_seat(seat_points[i], weights, ranks[begin:end], i)
        for k in range(size):
            matches[k] += (end - begin) * weights[k]
        begin = end


@kernel
def _key(seed: Any, deal: Any, bots: Any) -> Any:
    """Names a mirror set, whatever its seating."""
    lineup = np.uint64(0)
    for bot in bots:
        lineup += mix(seed, np.uint64(bot))
    return mix(mix(seed, np.uint64(deal)), lineup)


@kernel
def _draw(key: Any, weights: Any) -> None:
    """How often each resample draws the mirror set."""
    for block in range(len(weights) // 4):
        bits = mix(key, np.uint64(block))
        for k in range(4 * block, 4 * block + 4):
            weights[k] = _POISSON[bits & _LOW_BITS]
            bits >>= _SHIFT


@kernel
def _points(bots: Any, ranks: Any, one: Any, other: Any) -> Any:
    """Points of `one` against `other` in some matches of both."""
    points = 0
    for match in range(len(bots)):
        mine, theirs = 0, 0
        for seat in range(bots.shape[1]):
            if bots[match, seat] == one:
                mine = ranks[match, seat]
            elif bots[match, seat] == other:
                theirs = ranks[match, seat]
        points += 2 * (mine < theirs) + (mine == theirs)
    return points


@kernel
def _add_seat(seat_points: Any, weights: Any, ranks: Any, seat: Any) -> None:
    points = 0
    for match in range(len(ranks)):
        points += points_of(ranks[match], seat)
    for k in range(len(weights)):
        seat_points[k] += points * weights[k]

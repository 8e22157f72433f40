"""Counts that chunks of matches are folded into, so that nothing later needs the matches themselves.

Matches of the same bots with the same ranks are one *outcome* with a count, whoever sat where. Twenty bots
at four seats have at most C(20, 4) * 75 = 363,375 outcomes, however many matches are played; that bound,
not the number of matches, is the size of a tally.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from league.kernels import kernel, mix
from league.rate import Columns, Floats, Ints

_FIRST_SLOTS = 1 << 12


@dataclass(frozen=True)
class Outcomes:
    """The distinct outcomes of a league, in an order that depends on nothing but the outcomes.

    Attributes:
        bots: `[O, S]` int32, the bots of the matches, ascending.
        ranks: `[O, S]` int8, their competition ranks.
        counts: `[O]` int64, how many matches ended so.
    """

    bots: np.ndarray[Any, np.dtype[np.int32]]
    ranks: np.ndarray[Any, np.dtype[np.int8]]
    counts: Ints

    def __len__(self) -> int:
        return len(self.counts)


@dataclass(frozen=True)
class Records:
    """What each bot achieved, `[B]` each; a win is first place alone, a tie is first place shared."""

    matches: Ints
    wins: Ints
    ties: Ints
    losses: Ints
    rank_sum: Ints

    @property
    def mean_rank(self) -> Floats:
        """`[B]` mean rank, from 0; 0 for a bot without matches."""
        return self.rank_sum / np.maximum(self.matches, 1)


@dataclass(frozen=True)
class Pairs:
    """How bots fared against each other, `[B, B]`, row against column; a match compares all its pairs."""

    wins: Ints
    ties: Ints

    @property
    def matches(self) -> Ints:
        """`[B, B]` matches in which the two met."""
        return self.wins + self.wins.T + self.ties

    @property
    def score(self) -> Floats:
        """`[B, B]` share of points, a tie being half a point; one half where two never met."""
        points, matches = self.wins + 0.5 * self.ties, self.matches
        return np.where(matches > 0, points / np.maximum(matches, 1), 0.5)


class Table:
    """A hash table of outcomes, which grows with the distinct ones alone."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self._used = 0
        self._reserve(_FIRST_SLOTS)

    def add(self, bots: Any, ranks: Any, counts: Ints) -> None:
        """Count outcomes `[N, S]`, bots in any order, `counts` times each."""
        done = 0
        while done < len(counts):
            done, self._used = _insert(
                self._slots, self._bots, self._ranks, self._counts, self._used, bots, ranks, counts, done
            )
            if done < len(counts):
                self._grow()

    def outcomes(self) -> Outcomes:
        """What was counted, in order of bots and ranks."""
        bots, ranks = self._bots[: self._used], self._ranks[: self._used]
        order = np.lexsort(np.hstack([bots, ranks]).T[::-1])
        return Outcomes(bots[order], ranks[order], self._counts[: self._used][order])

    def _reserve(self, slots: int) -> None:
        """Make room for half as many outcomes as `slots`."""
        self._slots = np.full(slots, -1, np.int64)
        self._bots = np.zeros((slots // 2, self._seats), np.int32)
        self._ranks = np.zeros((slots // 2, self._seats), np.int8)
        self._counts = np.zeros(slots // 2, np.int64)

    def _grow(self) -> None:
        bots, ranks, counts = self._bots, self._ranks, self._counts
        used, self._used = self._used, 0
        self._reserve(2 * len(self._slots))
        self.add(bots[:used], ranks[:used], counts[:used])


@dataclass
class Tally:
    """Counts of a league's matches so far.

    Attributes:
        bots: How many bots there are.
        seats: Seats of every match.
        seat_matches: `[B, S]` matches of each bot in each seat.
        seat_ranks: `[B, S]` sum of its ranks there.
        seat_points: `[B, S]` sum of its points there: 2 for each opponent it beat, 1 for each it tied with.
    """

    bots: int
    seats: int
    seat_matches: Ints = field(init=False)
    seat_ranks: Ints = field(init=False)
    seat_points: Ints = field(init=False)

    def __post_init__(self) -> None:
        """Start from no matches."""
        self.seat_matches, self.seat_ranks, self.seat_points = np.zeros((3, self.bots, self.seats), np.int64)
        self._table = Table(self.seats)

    def fold(self, columns: Columns) -> None:
        """Count the next matches."""
        columns.require(self.bots)
        if columns.bots.shape[1] != self.seats:
            raise ValueError(f"matches of {columns.bots.shape[1]} seats in a tally of {self.seats}")
        _count_seats(self.seat_matches, self.seat_ranks, self.seat_points, columns.bots, columns.ranks)
        self._table.add(columns.bots, columns.ranks, np.ones(len(columns), np.int64))

    @property
    def matches(self) -> int:
        """How many matches were folded."""
        return int(self.seat_matches.sum()) // self.seats

    def outcomes(self) -> Outcomes:
        """The distinct outcomes and their counts."""
        return self._table.outcomes()

    def records(self) -> Records:
        """Matches, wins, ties, losses and ranks of each bot."""
        table = np.zeros((5, self.bots), np.int64)
        outcomes = self.outcomes()
        _count_records(table, outcomes.bots, outcomes.ranks, outcomes.counts)
        return Records(*table)

    def rank_counts(self) -> Ints:
        """`[B, S]` how often each bot got each rank."""
        table = np.zeros((self.bots, self.seats), np.int64)
        outcomes = self.outcomes()
        _count_ranks(table, outcomes.bots, outcomes.ranks, outcomes.counts)
        return table

    def pairs(self) -> Pairs:
        """Wins and ties of each bot against each other."""
        wins, ties = np.zeros((2, self.bots, self.bots), np.int64)
        outcomes = self.outcomes()
        _count_pairs(wins, ties, outcomes.bots, outcomes.ranks, outcomes.counts)
        return Pairs(wins, ties)


@kernel
def _insert(
    slots: Any,
    known: Any,
    known_ranks: Any,
    known_counts: Any,
    used: Any,
    bots: Any,
    ranks: Any,
    counts: Any,
    start: Any,
) -> Any:
    """Add matches to the table until it is full; how many are in, and how many rows are used."""
    seats = bots.shape[1]
    lineup, places = np.zeros(seats, np.int32), np.zeros(seats, np.int8)
    for match in range(start, len(counts)):
        if used == len(known):
            return match, used
        sort_by_bot(lineup, places, bots[match], ranks[match])
        slot = _hash(lineup, places) & np.uint64(len(slots) - 1)
        while True:
            row = slots[slot]
            if row < 0:
                slots[slot], row = used, used
                for seat in range(seats):  # copying whole rows takes numba seconds to compile
                    known[used, seat], known_ranks[used, seat] = lineup[seat], places[seat]
                used += 1
            if _is_same(known[row], lineup) and _is_same(known_ranks[row], places):
                break
            slot = (slot + np.uint64(1)) & np.uint64(len(slots) - 1)
        known_counts[row] += counts[match]
    return len(counts), used


@kernel
def sort_by_bot(lineup: Any, places: Any, bots: Any, ranks: Any) -> None:
    """Write one match into `lineup` and `places` with its bots ascending."""
    for seat in range(len(bots)):
        at = seat
        while at > 0 and lineup[at - 1] > bots[seat]:
            lineup[at], places[at] = lineup[at - 1], places[at - 1]
            at -= 1
        lineup[at], places[at] = bots[seat], ranks[seat]


@kernel
def _hash(lineup: Any, places: Any) -> Any:
    bits = np.uint64(0)
    for seat in range(len(lineup)):
        bits = mix(bits, np.uint64(lineup[seat]) * np.uint64(128) + np.uint64(places[seat]))
    return bits


@kernel
def _is_same(one: Any, other: Any) -> Any:
    same = True
    for seat in range(len(one)):
        same &= one[seat] == other[seat]
    return same


@kernel
def _count_seats(matches: Any, rank_sums: Any, points: Any, bots: Any, ranks: Any) -> None:
    for match in range(len(bots)):
        for seat in range(bots.shape[1]):
            bot, rank = bots[match, seat], ranks[match, seat]
            matches[bot, seat] += 1
            rank_sums[bot, seat] += rank
            points[bot, seat] += points_of(ranks[match], seat)


@kernel
def points_of(ranks: Any, seat: Any) -> Any:
    """Points of `seat`: 2 for each opponent it beat, 1 for each it tied with."""
    points = -1  # it ties with itself
    for other in range(len(ranks)):
        if ranks[seat] < ranks[other]:
            points += 2
        elif ranks[seat] == ranks[other]:
            points += 1
    return points


@kernel
def _count_records(table: Any, bots: Any, ranks: Any, counts: Any) -> None:
    for row in range(len(bots)):
        first = 0
        for seat in range(bots.shape[1]):
            first += ranks[row, seat] == 0
        for seat in range(bots.shape[1]):
            bot, rank = bots[row, seat], ranks[row, seat]
            column = 3 if rank > 0 else (1 if first == 1 else 2)
            table[0, bot] += counts[row]
            table[column, bot] += counts[row]
            table[4, bot] += counts[row] * rank


@kernel
def _count_ranks(table: Any, bots: Any, ranks: Any, counts: Any) -> None:
    for row in range(len(bots)):
        for seat in range(bots.shape[1]):
            table[bots[row, seat], ranks[row, seat]] += counts[row]


@kernel
def _count_pairs(wins: Any, ties: Any, bots: Any, ranks: Any, counts: Any) -> None:
    for row in range(len(bots)):
        for seat in range(bots.shape[1]):
            for other in range(bots.shape[1]):
                if ranks[row, seat] < ranks[row, other]:
                    wins[bots[row, seat], bots[row, other]] += counts[row]
                elif other != seat and ranks[row, seat] == ranks[row, other]:
                    ties[bots[row, seat], bots[row, other]] += counts[row]

"""Schedules by arithmetic: match i's deal and seats, without a list of matches.

A *format* (one file each) gives one *round* after the other, each a `Schedule`; fixed formats have one round, adaptive
ones make a round from the standings after the rounds before it. Matches are counted over all rounds, and every round
consists of whole mirror sets.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from math import factorial
from pkgutil import iter_modules
from typing import Any, ClassVar

import numpy as np

from league.errors import ConfigError, unknown

_ODD, _HALF = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)


@dataclass(frozen=True, slots=True)
class Match:
    """What is to be played: a deal and the bots by seat, each by its index in the league."""

    deal: int
    bots: tuple[int, ...]


class Schedule(Sequence[Match], ABC):
    """One round of matches, by arithmetic.

    A mirror set is one deal played once with every rotation of the seats. No two of its matches are in one batch, for
    a bot that remembered the one would know in the other what others hold. So mirror sets come in *blocks*: `batch` of
    them are played in one rotation each, which is a batch, then in the next, and so on.

    Args:
        seats: Seats at the table.
        sets: How many mirror sets.
        batch: Matches of a batch, and mirror sets of a block; the last block may have fewer.
        first_set: Mirror sets played in earlier rounds.
    """

    def __init__(self, seats: int, sets: int, batch: int, first_set: int = 0) -> None:
        self.seats = seats
        self.sets = sets
        self.batch = batch
        self.first_set = first_set

    @abstractmethod
    def lineup(self, index: int) -> tuple[int, ...]:
        """The bots of the mirror set `index` of this round, in the seating of its first match."""

    def __len__(self) -> int:
        return self.sets * self.seats

    def __getitem__(self, index: Any) -> Any:
        """The match `index` of this round."""
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        (mirror_set,), (turn,) = (found.tolist() for found in self._places(np.array([index % len(self)])))
        return Match(self.first_set + mirror_set, rotated(self.lineup(mirror_set), turn))

    def __iter__(self) -> Iterator[Match]:
        return (self[index] for index in range(len(self)))

    def columns(self, first: int, count: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Deals `int64[count]` and bots `int16[count, seats]` of consecutive matches of this round."""
        sets, turns = self._places(np.arange(first, min(first + count, len(self))))
        lowest = sets.min()
        lineups = np.array([self.lineup(index) for index in range(lowest, sets.max() + 1)], np.int16)
        seats = (np.arange(self.seats) - turns[:, None]) % self.seats
        return self.first_set + sets, lineups[sets - lowest][np.arange(len(sets))[:, None], seats]

    def _places(self, matches: Any) -> tuple[Any, Any]:
        """Mirror sets and rotations of matches, `int64[N]` each."""
        of_block = self.seats * self.batch
        first = matches // of_block * self.batch
        step, place = np.divmod(matches % of_block, np.minimum(self.batch, self.sets - first))
        return first + place, (step + first_turns(self.first_set + first + place, self.seats)) % self.seats

    @property
    def batches(self) -> int:
        """How many batches the round has."""
        return self.seats * -(-self.sets // self.batch)

    def span(self, batch: int) -> tuple[int, int]:
        """First match of a batch of this round, and how many it has."""
        block, step = divmod(batch, self.seats)
        count = min(self.batch, self.sets - block * self.batch)
        return block * self.seats * self.batch + step * count, count


def first_turns(sets: Any, seats: int) -> Any:
    """The rotations in which mirror sets `int64[N]` are played first, `int64[N]`.

    Hashed, so that a batch by itself seats nobody better than chance does, whatever the order of the lineups.
    """
    bits = (sets.astype(np.uint64) + np.uint64(1)) * _ODD
    bits = (bits ^ (bits >> _HALF)) * _ODD
    return (((bits >> _HALF) * np.uint64(seats)) >> _HALF).astype(np.int64)


def rotated(lineup: tuple[int, ...], turn: int) -> tuple[int, ...]:
    """The lineup with everyone moved on by `turn` seats."""
    return lineup[-turn:] + lineup[:-turn] if turn else lineup


class Listed(Schedule):
    """A round of few lineups, each played equally often: what adaptive formats make.

    Args:
        lineups: Bots that meet, group by group.
        sets: How many mirror sets, spread evenly over the lineups.
        batch: Matches of a batch.
        first_set: Mirror sets played in earlier rounds.
    """

    def __init__(self, lineups: Sequence[tuple[int, ...]], sets: int, batch: int, first_set: int) -> None:
        super().__init__(len(lineups[0]), sets, batch, first_set)
        self.lineups = lineups

    def lineup(self, index: int) -> tuple[int, ...]:
        """The lineups in turn, in another order around the table each time."""
        turn, place = divmod(index, len(self.lineups))
        return circle(self.lineups[place], turn)


def permutation(index: int, items: tuple[int, ...]) -> tuple[int, ...]:
    """The permutation of `items` at `index` in lexicographic order."""
    left = list(items)
    chosen = []
    for size in range(len(items), 0, -1):
        place, index = divmod(index, factorial(size - 1))
        chosen.append(left.pop(place))
    return tuple(chosen)


def circle(group: tuple[int, ...], turn: int) -> tuple[int, ...]:
    """One of the orders around the table that no rotation turns into another, so that neighbours change."""
    return (group[0], *permutation(turn % factorial(len(group) - 1), group[1:]))


@dataclass(frozen=True, slots=True)
class Standing:
    """What an adaptive format knows of a bot after some rounds.

    Attributes:
        bot: Its index in the league.
        points: Share of the points it could have had, from 0 to 1.
        mu: Its rating.
        low, high: Interval of its rating.
    """

    bot: int
    points: float
    mu: float
    low: float
    high: float


class Format(ABC):
    """How a league pairs its bots; the class reads its keys of `[schedule]`.

    Attributes:
        name: What a config calls it.
        sets: Mirror sets of the whole league, those asked for rounded up; the most, where it may stop early.
    """

    name: ClassVar[str]
    sets: int

    adaptive: ClassVar[bool] = True
    """Whether rounds depend on the standings."""

    @abstractmethod
    def round(self, number: int, first_set: int, standings: Sequence[Standing]) -> Schedule | None:
        """The round after `number` rounds with `first_set` mirror sets, or None when the league is complete.

        It is asked round by round from the first, also when a league is resumed.

        Args:
            number: Rounds played so far.
            first_set: Mirror sets played so far.
            standings: What the rounds so far came to, by bot; empty before the first.
        """


def require_bots(names: Sequence[str], seats: int) -> None:
    """Refuse a table that the bots cannot fill.

    Raises:
        ConfigError: There are fewer bots than seats.
    """
    if len(names) < seats:
        raise ConfigError(
            f"bots: {len(names)} given, but {seats} seats need at least {seats}; add bots or lower game.seats"
        )


def sets_of_round(sets: int, rounds: int, tables: int, seats: int) -> int:
    """Mirror sets of one round when `sets` are spread evenly over rounds and tables, rounded up.

    Raises:
        ConfigError: There is not one for each table of each round, or no round.
    """
    if rounds < 1:
        raise ConfigError(f"schedule.rounds = {rounds}: give a whole number from 1")
    if sets < rounds * tables:
        raise ConfigError(
            f"schedule.matches: {rounds:,} rounds of {tables:,} meetings are at least {rounds * tables * seats:,} "
            "matches; give so many, or fewer rounds"
        )
    return -(-sets // (rounds * tables)) * tables


def format_names() -> list[str]:
    """The names of all formats."""
    return sorted(module.name for module in iter_modules(__path__) if not module.name.startswith("_"))


def find_format(name: str) -> type[Format]:
    """The format of that name.

    Raises:
        ConfigError: There is none.
    """
    if name not in format_names():
        raise ConfigError(f"schedule.format: {unknown('format', name, format_names())}")
    return import_module(f"league.schedule.{name}").FORMAT  # type: ignore[no-any-return]

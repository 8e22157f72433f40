"""Playing a league: batches that any worker may play, runners that hand them out, and the driver that resumes.

A *runner* (one file each: inline, Ray) plays the spans of a schedule that have no part yet and answers small arrays;
the parts themselves go straight to storage.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from league.errors import LeagueError
from league.play import Limits
from league.play.seated import Seated
from league.schedule import Schedule

if TYPE_CHECKING:
    import numpy as np

    from league.config import LeagueConfig


class RunError(LeagueError):
    """The league could not be played to its end."""


@dataclass(frozen=True)
class Job:
    """What a worker must know to play any batch of a league, wherever it runs.

    Attributes:
        game: Name of the game.
        seats: Seats at the table.
        options: The game's options with their values.
        bots: The bots, with their bundles.
        limits: What bots may use.
        seed: The league's seed.
        folder: URI of the results.
        identity: Hash of what decides the results, kept in every part.
        log_actions: Whether decisions are logged.
    """

    game: str
    seats: int
    options: Mapping[str, Any]
    bots: tuple[Seated, ...]
    limits: Limits
    seed: int
    folder: str
    identity: str
    log_actions: bool


@dataclass(frozen=True, slots=True)
class Span:
    """Which matches a batch has.

    Attributes:
        number: Number of the batch, over all rounds.
        first: First match, within the round.
        count: How many matches.
    """

    number: int
    first: int
    count: int


@dataclass(frozen=True)
class Outcome:
    """What rating needs of a batch, whether just played or read back.

    Attributes:
        number: Number of the batch.
        deals: `int64[N]`.
        bots: `int16[N, seats]`.
        ranks: `int8[N, seats]`.
        scores: `int32[N, seats]`.
        faults: `int64[bots]`, faults of each bot, forfeits apart.
        forfeits: `int64[bots]`, matches each bot forfeited.
    """

    number: int
    deals: np.ndarray[Any, Any]
    bots: np.ndarray[Any, Any]
    ranks: np.ndarray[Any, Any]
    scores: np.ndarray[Any, Any]
    faults: np.ndarray[Any, Any]
    forfeits: np.ndarray[Any, Any]


class Runner(ABC):
    """Plays batches somewhere; a context manager that holds what it needs for that."""

    @abstractmethod
    def play(self, schedule: Schedule, spans: Iterable[Span]) -> Iterator[Outcome]:
        """Play the spans and write their parts; outcomes come in the order of the spans.

        Spans are taken as they can be played, and a bounded number of them ahead of the oldest that is not complete.
        Once there are no more, for they may end early, those that were taken are finished.
        """

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *error: object) -> None:
        """Let go of what it holds."""


def job_of(config: LeagueConfig, folder: str, identity: str) -> Job:
    """The job of a league."""
    return Job(
        game=config.game.name,
        seats=config.game.seats,
        options=config.game.options.model_dump(),
        bots=tuple(
            Seated(bot.label, bot.entry.bundle, bot.entry.kind, bot.options, bot.isolation)
            for bot in config.bots
        ),
        limits=config.limits,
        seed=config.seed,
        folder=folder,
        identity=identity,
        log_actions=config.log_actions,
    )


def spans_of(schedule: Schedule, first_number: int) -> Iterator[Span]:
    """The batches of a round, in order."""
    for place in range(schedule.batches):
        yield Span(first_number + place, *schedule.span(place))


def cores() -> int:
    """The processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

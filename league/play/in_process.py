"""The host of bots that run in this process: one object for each seat of each match."""

from __future__ import annotations

import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np

from league.bot import Bot, OptionValue
from league.clock import now_ns
from league.games import Game, SeatView
from league.kernels import Rows
from league.play import Ask, Failure, Host, Parting, Seating
from league.play.table import SLOTS


class Chooser(Protocol):
    """What sits on a chair."""

    def choose(self, view: Any) -> Any:
        """Answer one decision."""


Pending: TypeAlias = Iterator[tuple[Chooser, SeatView]]
"""Bots and what they see, in order; whoever goes on with it takes up where it was left."""


class InProcessHost(Host):
    """Calls `choose(view)` for each pending match, of trusted bots or inside a locked-down process."""

    remembers = True

    def __init__(self, game: Game, bot: type[Bot], options: Mapping[str, OptionValue]) -> None:
        self._game = game
        self._bot = bot
        self._options = options
        self._bots = np.empty(SLOTS * game.seats, object)

    def begin(self, seating: Seating) -> None:
        """Build a bot for each chair."""
        self._bots[seating.chairs] = np.fromiter(map(self._seated, seating.seeds.tolist()), object)

    def _seated(self, seed: int) -> Chooser:
        try:
            return self._bot.seated(self._options, seed)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return _Unborn(error)

    def choose(self, ask: Ask, actions: Rows) -> Sequence[Failure]:
        """Ask each chair's bot, in order."""
        chosen: list[Any] = []
        failures: list[Failure] = []
        if self._game.late is not None:
            self.took = np.zeros(len(ask.chairs), np.int64)
        pending = zip(self._bots[ask.chairs].tolist(), self._game.views(ask.views), strict=True)
        while len(chosen) < len(ask.chairs):
            try:
                self._choose_on(pending, len(ask.chairs), chosen)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                failures.append(failure_of(len(chosen), error))
                chosen.append(None)
        return self._encode(chosen, actions, failures)

    def _choose_on(self, pending: Pending, count: int, chosen: list[Any]) -> None:
        """Go on with the decisions that are still pending, until there are `count` answers."""
        if self.took is not None:
            self._choose_timed(pending, chosen, self.took)
        for bot, view in pending:
            chosen.append(bot.choose(view))

    def _choose_timed(self, pending: Pending, chosen: list[Any], took: Any) -> None:
        for place, (bot, view) in enumerate(pending, len(chosen)):
            started = now_ns()
            chosen.append(bot.choose(view))
            took[place] = now_ns() - started

    def _encode(self, chosen: list[Any], actions: Rows, failures: list[Failure]) -> Sequence[Failure]:
        if not failures:
            try:
                self._game.encode(chosen, actions)
            except Exception:
                pass
            else:
                return failures
        failed = {failure.place for failure in failures}
        for place, answer in enumerate(chosen):
            if place not in failed:
                self._encode_one(place, answer, actions, failures)
        return failures

    def _encode_one(self, place: int, answer: Any, actions: Rows, failures: list[Failure]) -> None:
        try:
            self._game.encode([answer], actions[place : place + 1])
        except Exception as error:
            failures.append(Failure(place, "illegal", tell(error)))

    def end(self, parting: Parting) -> None:
        """Drop the bots of matches that ended."""
        self._bots[parting.chairs] = None


class _Unborn:
    """Sits where a bot could not be built, and raises again what came of it."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    def choose(self, view: Any) -> Any:
        raise self._error


class Unbuilt(Host):
    """Stands for a bot that could not be built."""

    def __init__(self, error: BaseException) -> None:
        self._failure = failure_of(0, error)

    def choose(self, ask: Ask, actions: Rows) -> Sequence[Failure]:
        """Fail at every decision."""
        return [Failure(place, self._failure.kind, self._failure.message) for place in range(len(ask.chairs))]


def failure_of(place: int, error: BaseException) -> Failure:
    """What a bot raised at a place of the round."""
    return Failure(place, "memory" if isinstance(error, MemoryError) else "exception", tell(error))


def tell(error: BaseException) -> str:
    """One line for a bot's author: what was raised, and where in the bot's file."""
    frames = traceback.extract_tb(error.__traceback__)
    here = Path(__file__).parent.parent
    outside = [frame for frame in frames if here not in Path(frame.filename).parents]
    where = f" ({Path(outside[-1].filename).name}:{outside[-1].lineno})" if outside else ""
    try:
        text = " ".join(str(error).split())
    except BaseException:
        text = "its message cannot be read"
    return f"{type(error).__name__}{': ' * bool(text)}{text}"[:300] + where

"""The host of bots that answer many decisions in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from league.bot import BatchBot, OptionValue
from league.games import Game
from league.kernels import Rows, rows
from league.play import Ask, Failure, Host
from league.play.in_process import failure_of
from league.play.loops import loops_of


@dataclass(frozen=True)
class Legal:
    """The legal actions of some views, found when first looked at."""

    game: Game
    views: Rows

    @cached_property
    def _found(self) -> tuple[Any, Any]:
        count, most = len(self.views), self.game.max_legal
        actions = rows(count * most, self.game.action_dtype).reshape(count, most)
        counts = np.zeros(count, np.int32)
        loops_of(self.game).list_legal(self.views, actions, counts)
        return actions, counts

    @property
    def actions(self) -> Any:
        """Action rows `[N, max_legal]`, of which the first `counts[i]` are legal in view `i`."""
        return self._found[0]

    @property
    def counts(self) -> Any:
        """`int32[N]`."""
        return self._found[1]


class BatchHost(Host):
    """Calls `choose_many` once a round."""

    def __init__(self, game: Game, bot: type[BatchBot], options: Mapping[str, OptionValue]) -> None:
        self._game = game
        self._bot = bot.seated(options)

    def choose(self, ask: Ask, actions: Rows) -> Sequence[Failure]:
        """Ask for all at once; if that fails, one by one, so that only those that fail are charged."""
        try:
            self._ask(ask, actions)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if len(ask.views) == 1:
                return [failure_of(0, error)]
            return self._one_by_one(ask, actions)
        return []

    def _ask(self, ask: Ask, actions: Rows) -> None:
        views = ask.views.copy()
        answers = self._bot.choose_many(views, Legal(self._game, views), ask.seeds.copy())
        if (
            not isinstance(answers, np.ndarray)
            or answers.dtype != actions.dtype
            or answers.shape != actions.shape
        ):
            raise TypeError(f"choose_many must answer {len(actions)} action rows")
        actions[:] = answers

    def _one_by_one(self, ask: Ask, actions: Rows) -> Sequence[Failure]:
        failures: list[Failure] = []
        for place in range(len(ask.views)):
            one = slice(place, place + 1)
            single = Ask(ask.views[one], ask.chairs[one], ask.seeds[one])
            failures += [
                Failure(place, failure.kind, failure.message) for failure in self.choose(single, actions[one])
            ]
        return failures

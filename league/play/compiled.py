"""The host of bots that numba compiles."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from league.bot import CompiledBot, OptionValue
from league.kernels import Rows, kernel, rows, specialise
from league.play import Ask, Failure, Host
from league.play.in_process import failure_of

choose: Callable[..., Any]


def _answer(views: Any, actions: Any, seeds: Any, options: Any, progress: Any) -> None:
    """Ask the bot for each view; `progress[0]` is the place in hand."""
    for place in range(progress[0], len(views)):
        progress[0] = place
        choose(views[place], actions[place], seeds[place], options[0])


@kernel
def seed_compiled(seed: Any) -> None:
    """Seed the generators of compiled code, which are others than those of Python; for bots that use them."""
    random.seed(seed)  # noqa: TID251
    np.random.seed(seed)  # noqa: TID251


def option_row(options: Mapping[str, OptionValue]) -> Rows:
    """The options as one row with a field each: `bool`, `int64` or `float64`."""
    fields: list[Any] = [(name, np.asarray(value).dtype) for name, value in options.items()]
    row = rows(1, np.dtype(fields or [("none", np.dtype("i1"))]))
    for name, value in options.items():
        row[name] = value
    return row


class CompiledHost(Host):
    """Makes one compiled call for all pending matches.

    Args:
        bot: The bot.
        options: All its options with their values.
        fingerprint: What identifies the bot's source, and keys its compiled code.
        progress: `int64[1]`, where the place of the decision in hand is kept.
    """

    def __init__(
        self,
        bot: type[CompiledBot],
        options: Mapping[str, OptionValue],
        fingerprint: str,
        progress: np.ndarray[Any, Any] | None = None,
    ) -> None:
        self._options = option_row(options)
        self._progress = np.zeros(1, np.int64) if progress is None else progress
        self._answer = _linked(bot.choose, fingerprint)

    def compile(self, ask: Ask, actions: Rows) -> None:
        """Compile for rows like these, which are empty, so that no decision has to wait for it."""
        self._answer(ask.views, actions, ask.seeds, self._options, self._progress)

    def choose(self, ask: Ask, actions: Rows) -> Sequence[Failure]:
        """Answer all; a decision that raises is named and the rest go on."""
        failures: list[Failure] = []
        progress = self._progress
        progress[0] = 0
        while True:
            try:
                self._answer(ask.views, actions, ask.seeds, self._options, progress)
            except Exception as error:
                failures.append(failure_of(int(progress[0]), error))
                progress[0] += 1
            else:
                return failures


@cache
def _linked(choose: Callable[..., Any], fingerprint: str) -> Callable[..., Any]:
    """The loop over a bot's function, whose helpers must be kernels themselves.

    It is linked once a process, for even reading it from disk takes as long as many decisions.
    """
    return specialise(_answer, f"answer_{fingerprint}", choose=kernel(choose, cached=False))

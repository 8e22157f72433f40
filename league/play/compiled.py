"""The host of bots that numba compiles."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

import numba
import numpy as np
from numba import carray  # type: ignore[attr-defined]

from league.addresses import address_of, ask
from league.bot import CompiledBot, OptionValue
from league.games import Game
from league.kernels import IS_COMPILED, Rows, kernel, rows, specialise
from league.play import Ask, Code, Failure, Host
from league.play.in_process import failure_of

DType: TypeAlias = "np.dtype[Any]"

choose: Callable[..., Any]


def _answer_one(view: Any, action: Any, seed: Any, options: Any) -> None:
    """Ask the bot that is linked in."""
    choose(view, action, seed, carray(options, 1)[0])


@kernel
def answer_all(function: Any, options: Any, views: Any, actions: Any, seeds: Any, progress: Any) -> None:
    """Ask a bot for each view; `progress[0]` is the place in hand."""
    for place in range(progress[0], len(views)):
        progress[0] = place
        ask(function, views[place], actions[place], seeds[place], options)


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
        game: What is played.
        bot: The bot.
        options: All its options with their values.
        fingerprint: What identifies the bot's source, and keys its compiled code.
        progress: `int64[1]`, where the place of the decision in hand is kept.
    """

    def __init__(
        self,
        game: Game,
        bot: type[CompiledBot],
        options: Mapping[str, OptionValue],
        fingerprint: str,
        progress: np.ndarray[Any, Any] | None = None,
    ) -> None:
        self._options = option_row(options)
        self._progress = np.zeros(1, np.int64) if progress is None else progress
        self.code: Code = _code(game, bot.choose, self._options, fingerprint)

    def choose(self, ask: Ask, actions: Rows) -> Sequence[Failure]:
        """Answer all; a decision that raises is named and the rest go on."""
        failures: list[Failure] = []
        (function, options), progress = self.code, self._progress
        progress[0] = 0
        while True:
            try:
                answer_all(function, options, ask.views, actions, ask.seeds, progress)
            except Exception as error:
                failures.append(failure_of(int(progress[0]), error))
                progress[0] += 1
            else:
                return failures


def _code(game: Game, choose: Callable[..., Any], options: Rows, fingerprint: str) -> Code:
    """A bot as compiled code calls it, compiled now if it never was."""
    if not IS_COMPILED:
        return Code(choose, options[0])
    dtypes = (game.view_dtype, game.action_dtype, options.dtype)
    return Code(_address(choose, fingerprint, *dtypes), options.ctypes.data)


@cache
def _address(
    choose: Callable[..., Any], fingerprint: str, views: DType, actions: DType, options: DType
) -> int:
    """Where a bot's function lies; its helpers must be kernels themselves.

    It is linked once a process, for even reading it from disk takes as long as many decisions.
    """
    linked = specialise(_answer_one, f"answer_{fingerprint}", choose=kernel(choose, cached=False))
    view, action, option = (numba.from_dtype(dtype) for dtype in (views, actions, options))
    return address_of(linked, (view, action, numba.uint64, numba.types.CPointer(option)))  # type: ignore[no-untyped-call]

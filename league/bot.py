"""The classes that bot authors subclass."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar, Self

OptionValue = bool | int | float | str


class Player:
    """What all kinds of bots declare about themselves, as class attributes.

    Attributes:
        game: Name of the game it plays.
        name: Shown name; the class's own name unless set.
        options: Defaults of the bot's options; a league may set others.
        author, licence, notes: Shown in rosters and reports.
    """

    game: ClassVar[str]
    name: ClassVar[str] = ""
    options: Mapping[str, OptionValue] = {}
    author: ClassVar[str] = ""
    licence: ClassVar[str] = ""
    notes: ClassVar[str] = ""


class Bot(Player, ABC):
    """A bot written in Python: one object for each seat of each match.

    Subclass it, set `game`, write `choose`. `self.options` holds the options, `self.rng` the only randomness that a
    league can repeat; both are there before `__init__` runs, which takes no arguments.
    """

    _seed = 0

    @classmethod
    def seated(cls, options: Mapping[str, OptionValue], seed: int) -> Self:
        """Build the bot for one seat of one match.

        Args:
            options: All options with their values.
            seed: Seed of `rng`, made from the league's seed, the match and the seat.
        """
        bot = cls.__new__(cls)
        bot.options = options
        bot._seed = seed
        bot.__init__()  # type: ignore[misc]
        return bot

    @cached_property
    def rng(self) -> random.Random:
        """The bot's own generator; made when first used."""
        return random.Random(self._seed)

    @abstractmethod
    def choose(self, view: Any) -> Any:
        """Answer one decision.

        Args:
            view: What the seat may see, in the game's own words.

        Returns:
            One of the game's actions; `view.legal` lists them.
        """


class CompiledBot(Player):
    """A bot that numba compiles: it keeps nothing between decisions and plays at the engine's speed."""

    @staticmethod
    def choose(view: Any, action: Any, seed: Any, options: Any) -> None:
        """Answer one decision.

        Args:
            view: A view row of the game; fields are attributes.
            action: An action row to fill in.
            seed: `uint64`, even bits made from the league's seed, the match, the seat and the decision.
            options: A row with a field for each declared option.
        """
        raise NotImplementedError


class BatchBot(Player, ABC):
    """A bot that answers many decisions in one call, with NumPy or torch; it keeps nothing between decisions."""

    @classmethod
    def seated(cls, options: Mapping[str, OptionValue]) -> Self:
        """Build the bot for a batch, `options` being all options with their values."""
        bot = cls.__new__(cls)
        bot.options = options
        bot.__init__()  # type: ignore[misc]
        return bot

    @abstractmethod
    def choose_many(self, views: Any, legal: Any, seeds: Any) -> Any:
        """Answer many decisions.

        Args:
            views: View rows `[N]`.
            legal: `legal.actions` are action rows `[N, max_legal]`, `legal.counts` tells how many of each row count.
            seeds: `uint64[N]`, even bits for each decision.

        Returns:
            Action rows `[N]`.
        """

"""Which host answers for a bot."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias, cast

from league.bot import BatchBot, Bot, CompiledBot, OptionValue
from league.errors import ConfigError
from league.games import Game
from league.play import Host, Limits
from league.play.batch import BatchHost
from league.play.compiled import CompiledHost
from league.play.external import ExternalHost
from league.play.in_process import InProcessHost, Unbuilt
from league.play.isolated import IsolatedHost
from league.roster import Bundle, Kind
from league.roster.load import bot_class
from league.sandbox.lockdown import missing

Isolation: TypeAlias = Literal["none", "process", "strict"]


def host_for(
    game: Game,
    bundle: Bundle,
    kind: Kind,
    options: Mapping[str, OptionValue],
    isolation: Isolation,
    limits: Limits,
    log: Path | None = None,
) -> Host:
    """A fresh host for one bot and one batch; close it when the batch is over, whatever happened.

    Args:
        game: What is played.
        bundle: The bot's source.
        kind: How it answers.
        options: All its options with their values.
        isolation: How it is kept apart.
        limits: What it may use.
        log: Where what it prints is appended, up to a bound; nowhere unless given.

    Raises:
        ConfigError: This system cannot keep it apart as strictly as is wanted, or the game takes no such bots.
        BotError: This machine has no such program.
    """
    refuse_lax(isolation)
    refuse_compiled(game, kind, bundle.attribute)
    if kind == "external":
        return ExternalHost(game, bundle, options, limits, log)
    if isolation == "none":
        return _in_process(game, bundle, kind, options)
    return IsolatedHost(game, bundle, kind, options, limits, log)


def refuse_lax(isolation: Isolation) -> None:
    """Refuse `strict` where the lock-down would have holes, and isolation where processes cannot be forked.

    Raises:
        ConfigError: So it is; the message says what is lacking.
    """
    if isolation != "none" and not hasattr(os, "fork"):
        raise ConfigError(f'isolation = "{isolation}": this system cannot fork; set isolation = "none"')
    if isolation == "strict" and missing():
        lacking = "; ".join(missing())
        raise ConfigError(f'isolation = "strict": this system lacks {lacking}; "process" does without')


def refuse_compiled(game: Game, kind: Kind, name: str) -> None:
    """Refuse a compiled bot where the game is not compiled.

    Raises:
        ConfigError: So it is.
    """
    if kind == "compiled" and not game.is_compiled:
        raise ConfigError(
            f"bot {name} is compiled, which {game.name} is not: derive it from Bot or BatchBot instead"
        )


def _in_process(game: Game, bundle: Bundle, kind: Kind, options: Mapping[str, OptionValue]) -> Host:
    bot = bot_class(bundle)
    if kind == "compiled":
        try:
            name = f"{bundle.attribute}_{bundle.version}"
            return CompiledHost(game, cast(type[CompiledBot], bot), options, name)
        except Exception as error:
            return Unbuilt(error)
    if kind == "batch":
        return BatchHost(game, cast(type[BatchBot], bot), options)
    return InProcessHost(game, cast(type[Bot], bot), options)

"""Which host answers for a bot."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias, cast

from league.bot import BatchBot, Bot, CompiledBot, OptionValue
from league.games import Game
from league.play import Host, Limits
from league.play.batch import BatchHost
from league.play.compiled import CompiledHost
from league.play.in_process import InProcessHost
from league.play.isolated import IsolatedHost
from league.roster import Bundle, Kind
from league.roster.load import bot_class

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
    """
    if isolation == "none":
        return _in_process(game, bundle, kind, options)
    return IsolatedHost(game, bundle, kind, options, limits, log)


def _in_process(game: Game, bundle: Bundle, kind: Kind, options: Mapping[str, OptionValue]) -> Host:
    bot = bot_class(bundle)
    if kind == "compiled":
        return CompiledHost(cast(type[CompiledBot], bot), options, f"{bundle.attribute}_{bundle.version}")
    if kind == "batch":
        return BatchHost(game, cast(type[BatchBot], bot), options)
    return InProcessHost(game, cast(type[Bot], bot), options)

"""Which host answers for a bot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from league.bot import BatchBot, Bot, CompiledBot, OptionValue
from league.games import Game
from league.play import Host, Limits
from league.roster import Bundle, Kind
from league.roster.load import bot_class


def host_for(
    game: Game,
    bundle: Bundle,
    kind: Kind,
    options: Mapping[str, OptionValue],
    isolation: str,
    limits: Limits,
) -> Host:
    """A fresh host for one bot and batch."""
    bot = bot_class(bundle)
    if kind == "compiled":
        from league.play.compiled import CompiledHost

        fingerprint = f"{bundle.attribute}_{bundle.version}_{game.fingerprint}"
        return CompiledHost(cast(type[CompiledBot], bot), options, fingerprint)
    if kind == "batch":
        from league.play.batch import BatchHost

        return BatchHost(game, cast(type[BatchBot], bot), options)
    from league.play.in_process import InProcessHost

    return InProcessHost(game, cast(type[Bot], bot), options)

"""Tournaments of game-playing bots: write a bot class, run a league, read the ranking.

What a notebook wants is here, loaded when first used:

    league.read_config(path)             a league file, validated
    league.run_league(config)            play, resume, rate, report
    league.standings(results)            the ranking as a pandas frame
    league.matches(results, columns)     the logged matches as a pandas frame
    league.ratings(results)              ratings by checkpoint as a pandas frame
    league.replay(results, match)        one match as frames and events
    league.verify(results)               replay what was logged and compare
    league.export(results, what, format) data out
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from league.bot import BatchBot, Bot, CompiledBot
from league.errors import LeagueError

if TYPE_CHECKING:
    from league.config import LeagueConfig, read_config
    from league.data_out import export
    from league.games.find import find_game, game_names
    from league.logged import replay
    from league.read import matches, ratings, standings
    from league.run.league import run_league
    from league.verification import verify

__version__ = "0.1.0"

_LAZY = {
    "LeagueConfig": "league.config",
    "read_config": "league.config",
    "find_game": "league.games.find",
    "game_names": "league.games.find",
    "matches": "league.read",
    "ratings": "league.read",
    "standings": "league.read",
    "export": "league.data_out",
    "replay": "league.logged",
    "verify": "league.verification",
    "run_league": "league.run.league",
}

__all__ = [
    "BatchBot",
    "Bot",
    "CompiledBot",
    "LeagueConfig",
    "LeagueError",
    "export",
    "find_game",
    "game_names",
    "matches",
    "ratings",
    "read_config",
    "replay",
    "run_league",
    "standings",
    "verify",
]


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module 'league' has no attribute '{name}'")
    return getattr(import_module(_LAZY[name]), name)

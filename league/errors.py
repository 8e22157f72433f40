"""The errors that people see: one line that names the thing and the remedy."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class LeagueError(Exception):
    """A mistake of the user or of the surroundings, told in one line; commands end with status 2 on it."""


class ConfigError(LeagueError):
    """A league file, an option or a command's argument cannot be used as it is."""


class BotError(LeagueError):
    """A bot cannot be found or loaded."""


class ResultsError(LeagueError):
    """A result folder cannot be read, written or continued."""


class IllegalActionError(LeagueError):
    """An action that the rules do not allow at this point."""


class NotationError(LeagueError):
    """A text that is not an action of the game."""


_NAMED = 30
"""How many known names are told at most."""


def unknown(kind: str, name: str, known: Iterable[str]) -> str:
    """Say that `name` is no known `kind`, with the nearest known one and, unless it is too long, the whole list.

    >>> unknown("game", "domino", ["dominoes", "rummikub"])
    "unknown game 'domino': did you mean 'dominoes'? Known: dominoes, rummikub"
    """
    names = sorted(known)
    near = difflib.get_close_matches(name, names, n=1)
    hint = f": did you mean '{near[0]}'?" if near else "."
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"unknown {kind} '{name}'{hint} Known: {', '.join(names[:_NAMED]) or 'none'}{more}"

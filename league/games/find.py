"""Find games: built in, installed, or one of a family, by name or as a result folder names them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from league.errors import ConfigError, unknown
from league.games import Game

FAMILIES = {"openspiel": "league.adapters.openspiel"}
"""Where games come from by the dozen: `openspiel.pig` is what the module's own `find_game` makes of `pig`."""


def family_of(name: str) -> Any:
    """The module of a family of games.

    Raises:
        ConfigError: There is no such family.
    """
    if name not in FAMILIES:
        raise ConfigError(unknown("family of games", name, FAMILIES))
    return import_module(FAMILIES[name])


def _built_in() -> list[str]:
    """The folders beside this file, each with a `GAME`."""
    return sorted(module.name for module in iter_modules([str(Path(__file__).parent)]) if module.ispkg)


def _load(plugin: EntryPoint) -> type[Game]:
    try:
        return plugin.load()  # type: ignore[no-any-return]
    except Exception as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise ConfigError(
            f"game {plugin.name}: {plugin.value} does not load: {reason}; mend or uninstall its package"
        ) from error


@cache
def find_game(name: str) -> type[Game]:
    """The game of that name, built in, from the entry point group `league.games`, or of a family: `openspiel.pig`.

    Raises:
        ConfigError: There is no such game, or it does not load.
    """
    family, _, member = name.partition(".")
    if member:
        found = family_of(family).find_game(member)
    elif name in _built_in():
        found = import_module(f"league.games.{name}").GAME
    else:
        plugins = {point.name: point for point in entry_points(group="league.games")}
        if name in FAMILIES:
            raise ConfigError(f"{name} is a family of games: name one, `league games {name}` lists them")
        if name not in plugins:
            raise ConfigError(unknown("game", name, game_names()))
        found = _load(plugins[name])
    return found  # type: ignore[no-any-return]


@cache
def _game_with(name: str, seats: int, options: tuple[tuple[str, Any], ...]) -> Game:
    return find_game(name)(seats, dict(options))


def game_with(name: str, seats: int, options: Mapping[str, Any]) -> Game:
    """The game of that name with so many seats and these options; the same object for whoever asks again.

    Raises:
        ConfigError: There is no such game, or none with those options.
    """
    return _game_with(name, seats, tuple(options.items()))


def game_names(family: str | None = None) -> list[str]:
    """The names of all games that can be played here: those of a family, or those of none."""
    if family is not None:
        return [f"{family}.{member}" for member in family_of(family).game_names()]
    plugins = {point.name for point in entry_points(group="league.games")}
    return sorted({*_built_in(), *plugins})


def kept_of(game: Game) -> dict[str, Any]:
    """What a result folder keeps of a game, its options beside the rest, as JSON values."""
    return {
        "name": game.name,
        "version": game.version,
        "seats": game.seats,
        **game.options.model_dump(),
    }


def game_of(kept: Mapping[str, Any]) -> Game:
    """The game that a result folder names, as this package has it, whatever its version was.

    Raises:
        ConfigError: There is no such game here, or none with those options.
    """
    options = {key: value for key, value in kept.items() if key not in ("name", "version", "seats")}
    return find_game(kept["name"])(kept["seats"], options)

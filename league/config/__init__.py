"""A league file (TOML) becomes a validated, frozen `LeagueConfig`."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from inspect import Parameter, signature
from os import PathLike
from pathlib import Path
from typing import Any, cast, get_type_hints

from pydantic import TypeAdapter, ValidationError

from league.bot import OptionValue
from league.config.sections import (
    BotSection,
    LeagueFile,
    RatingSection,
    RosterSection,
    RunSection,
    ScheduleSection,
    explain,
)
from league.errors import ConfigError, LeagueError, unknown
from league.games import Game
from league.games.find import find_game, kept_of
from league.play import Limits
from league.play.hosts import Isolation, refuse_compiled, refuse_lax
from league.roster import Entry, label_of, require_name
from league.roster.find import find_bot, find_bots, refuse_duplicates
from league.roster.shelf import Roster
from league.schedule import Format, find_format


@dataclass(frozen=True)
class LeagueBot:
    """A bot of a league.

    Attributes:
        entry: What was found.
        name: Shown name in this league.
        options: All its options with their values.
        isolation: How it is kept apart.
    """

    entry: Entry
    name: str
    options: Mapping[str, OptionValue]
    isolation: Isolation

    @property
    def label(self) -> str:
        """`name@version`, as tables and logs write it."""
        return label_of(self.name, self.entry.bundle.version)


@dataclass(frozen=True)
class LeagueConfig:
    """All that decides a league's results, and how it is run."""

    name: str
    seed: int
    game: Game
    format: Format
    matches: int
    batch: int
    bots: tuple[LeagueBot, ...]
    limits: Limits
    rating: RatingSection
    log_actions: bool
    run: RunSection
    file: LeagueFile = field(repr=False)

    @cached_property
    def frozen(self) -> dict[str, Any]:
        """What must not change while a league is continued, as JSON values.

        How many matches are played, where, and on how many workers may change; all else decides the results. An
        adaptive schedule spreads its matches over rounds, so there their number decides as well.
        """
        schedule = self.file.schedule.model_dump()
        if not self.format.adaptive:
            del schedule["matches"]
        return {
            "league": {"name": self.name, "seed": self.seed},
            "game": kept_of(self.game),
            "schedule": schedule,
            "limits": self.file.limits.model_dump(),
            "rating": self.file.rating.model_dump(),
            "log": self.file.log.model_dump(),
            "bots": {bot.name: self._frozen_bot(place, bot) for place, bot in enumerate(self.bots)},
        }

    def _frozen_bot(self, place: int, bot: LeagueBot) -> dict[str, Any]:
        return {
            "place": place,
            "version": bot.entry.bundle.version,
            "options": dict(bot.options),
            "isolation": bot.isolation,
        }


def read_config(path: str | PathLike[str]) -> LeagueConfig:
    """Read and validate a league file.

    Raises:
        ConfigError: It cannot be used; the message names file, key and remedy.
    """
    path = Path(path)
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise ConfigError(f"{path}: no file but a pipe or device; give the path of a league file")
        text = path.read_bytes().decode("utf-8-sig")
        document = tomllib.loads(text)
    except OSError as error:
        raise ConfigError(
            f"{path}: {(error.strerror or str(error)).lower()}; give the path of a league file"
        ) from None
    except (ValueError, RecursionError) as error:  # beside what is no TOML, numbers and nesting beyond reason
        raise ConfigError(f"{path}: not TOML: {error}") from None
    try:
        return config_of(document, path.parent)
    except LeagueError as error:
        raise ConfigError(f"{path}: {error}") from None


def config_of(document: Mapping[str, Any], folder: Path) -> LeagueConfig:
    """Validate a league file's content; relative paths start at `folder`.

    Raises:
        LeagueError: It cannot be used; the message names key and remedy.
    """
    try:
        file = LeagueFile(**document)
    except ValidationError as error:
        raise ConfigError(explain(error)) from None
    game = find_game(file.game.name)(file.game.seats, file.game.model_extra)
    if game.late is not None and file.limits.decision_ms <= game.late[0]:
        raise ConfigError(
            f"limits.decision_ms = {file.limits.decision_ms}: the game's own clock gives {game.late[0]}; "
            "raise limits.decision_ms above that"
        )
    bots = _bots(file, game, folder)
    schedule = _format(file, game, [bot.name for bot in bots])
    return LeagueConfig(
        name=file.league.name,
        seed=file.league.seed,
        game=game,
        format=schedule,
        matches=schedule.sets * game.seats,
        batch=file.schedule.batch,
        bots=bots,
        limits=Limits(**file.limits.model_dump()),
        rating=file.rating,
        log_actions=file.log.level == "actions",
        run=file.run,
        file=file,
    )


def _format(file: LeagueFile, game: Game, names: list[str]) -> Format:
    """The format with its own keys."""
    found = find_format(file.schedule.format)
    extra = file.schedule.model_extra or {}
    sets = -(-file.schedule.matches // game.seats)
    known = format_keys(found)
    for key, value in extra.items():
        if key not in known:
            raise ConfigError(
                f"schedule.{key}: {unknown('key', key, {*ScheduleSection.model_fields, *known})}"
            )
        try:
            TypeAdapter(known[key]).validate_python(value, strict=True)
        except ValidationError as error:
            raise ConfigError(explain(error, ("schedule", key))) from None
    for key, parameter in signature(found).parameters.items():
        if key in known and key not in extra and parameter.default is Parameter.empty:
            raise ConfigError(f"schedule.{key} is missing: {found.name} needs it")
    made: Format = cast(Any, found)(names, game.seats, sets, file.schedule.batch, **extra)
    return made


def format_keys(found: type[Format]) -> dict[str, Any]:
    """A format's own keys with their types: what its constructor takes beyond bots, seats, mirror sets and batch."""
    hints = get_type_hints(found.__init__)
    return {key: hints[key] for key in list(signature(found).parameters)[4:]}


def _bots(file: LeagueFile, game: Game, folder: Path) -> tuple[LeagueBot, ...]:
    bots = [bot for section in file.bots for bot in _bots_of(section, game, folder)]
    if file.roster is not None:
        bots += _bots_of_roster(file.roster, game, folder)
    elif not bots:
        raise ConfigError("bots is missing: add [[bots]] or a [roster]")
    for bot in bots:
        require_name(bot.name)
        refuse_lax(bot.isolation)
        refuse_compiled(game, bot.entry.kind, bot.name)
    refuse_duplicates([(bot.name, game.name, bot.entry.origin) for bot in bots])
    return tuple(bots)


def _bots_of(section: BotSection, game: Game, folder: Path) -> Sequence[LeagueBot]:
    """The bots that one `[[bots]]` brings in."""
    if section.use == "*":
        found = [entry for entry in find_bots()[0] if entry.game == game.name and entry.example]
        if section.name is not None or section.options:
            raise ConfigError('bots: `use = "*"` takes neither name nor options')
    else:
        found = [find_bot(section.use, game.name, folder)]
    return [
        LeagueBot(
            entry,
            section.name or entry.name,
            _options(section, entry),
            section.isolation or ("none" if entry.example else "process"),
        )
        for entry in found
    ]


def _bots_of_roster(section: RosterSection, game: Game, folder: Path) -> Sequence[LeagueBot]:
    """The bots that `[roster]` brings in; versions of one bot side by side are told apart by their names."""
    uri = section.path if "://" in section.path else str(folder / section.path)
    found = Roster(uri).take(section.take, game.name)
    if not found:
        raise ConfigError(
            f"roster.path = {section.path!r}: no bot of {game.name} in it; `league submit` adds one"
        )
    names = Counter(entry.name for entry in found)
    return [
        LeagueBot(
            entry,
            entry.name if names[entry.name] == 1 else f"{entry.name}-{entry.bundle.version[:6]}",
            dict(entry.options),
            "process",
        )
        for entry in found
    ]


def _options(section: BotSection, entry: Entry) -> dict[str, OptionValue]:
    """All options of a bot, each of the type of its default."""
    for key, value in section.options.items():
        if key not in entry.options:
            raise ConfigError(f"bots.options.{key}: {entry.name} has {unknown('option', key, entry.options)}")
        kind = type(entry.options[key])
        if type(value) is not kind and not (kind is float and type(value) is int):
            raise ConfigError(f"bots.options.{key} = {value!r}: {entry.name} wants {kind.__name__}")
    given = {key: type(entry.options[key])(value) for key, value in section.options.items()}
    return {**entry.options, **given}

"""A league file (TOML) becomes a validated, frozen `LeagueConfig`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from league.bot import OptionValue
from league.errors import ConfigError, LeagueError, unknown
from league.games import Game, find_game
from league.play import Limits
from league.play.hosts import Isolation
from league.roster import Entry
from league.roster.find import find_bot, find_bots, refuse_duplicates
from league.schedule import Format, find_format


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class LeagueSection(_Section):
    """`[league]`."""

    name: str = Field(min_length=1, max_length=100, pattern=r"^[^/\\\x00-\x1f]+$")
    seed: int = 0


class GameSection(_Section):
    """`[game]`: the game's own options stand beside these."""

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)
    name: str
    seats: int | None = None


class ScheduleSection(_Section):
    """`[schedule]`: a format's own keys stand beside these."""

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)
    format: str = "round_robin"
    matches: int = Field(gt=0)
    batch: int = Field(2000, gt=0, le=100_000)


class LimitsSection(_Section):
    """`[limits]`."""

    decision_ms: int = Field(1000, gt=0)
    match_s: int = Field(60, gt=0)
    memory_mb: int = Field(512, ge=64)
    start_s: int = Field(30, gt=0)
    faults_per_batch: int = Field(10, gt=0)


class RatingSection(_Section):
    """`[rating]`."""

    method: Literal["trueskill", "trueskill_batch", "plackett_luce"] = "trueskill"
    tau: float = Field(0.0, ge=0)
    draw_probability: float | None = Field(None, ge=0, lt=1)


class LogSection(_Section):
    """`[log]`."""

    level: Literal["results", "actions"] = "actions"


class RunSection(_Section):
    """`[run]`."""

    engine: Literal["auto", "inline", "ray"] = "auto"
    workers: int | None = Field(None, gt=0)
    cluster: str = "local"


class BotSection(_Section):
    """One `[[bots]]`."""

    use: str
    name: str | None = Field(None, min_length=1, max_length=100)
    options: dict[str, OptionValue] = Field(default_factory=dict)
    isolation: Isolation | None = None


class LeagueFile(_Section):
    """A whole league file, key by key as it is written."""

    league: LeagueSection
    game: GameSection
    schedule: ScheduleSection
    limits: LimitsSection = LimitsSection()
    rating: RatingSection = RatingSection()
    log: LogSection = LogSection()
    run: RunSection = RunSection()
    bots: list[BotSection] = Field(min_length=1)


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
        return f"{self.name}@{self.entry.bundle.version[:6]}"


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
            "game": {
                "name": self.game.name,
                "version": self.game.version,
                "seats": self.game.seats,
                **self.game.options.model_dump(),
            },
            "schedule": schedule,
            "limits": self.file.limits.model_dump(),
            "rating": self.file.rating.model_dump(),
            "log": self.file.log.model_dump(),
            "bots": {bot.name: self._frozen_bot(bot) for bot in self.bots},
        }

    def _frozen_bot(self, bot: LeagueBot) -> dict[str, Any]:
        return {
            "version": bot.entry.bundle.version,
            "options": dict(bot.options),
            "isolation": bot.isolation,
        }


def read_config(path: Path) -> LeagueConfig:
    """Read and validate a league file.

    Raises:
        ConfigError: It cannot be used; the message names file, key and remedy.
    """
    try:
        text = path.read_bytes().decode()
        return config_of(tomllib.loads(text), path.parent)
    except OSError as error:
        raise ConfigError(
            f"{path}: {(error.strerror or str(error)).lower()}; give the path of a league file"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: not TOML: {error}") from None
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
        raise ConfigError(_explain(error)) from None
    game = find_game(file.game.name)(file.game.seats, file.game.model_extra)
    bots = _bots(file, game, folder)
    return LeagueConfig(
        name=file.league.name,
        seed=file.league.seed,
        game=game,
        format=_format(file, game, [bot.name for bot in bots]),
        matches=_whole_sets(file.schedule.matches, game.seats) * game.seats,
        batch=_whole_sets(file.schedule.batch, game.seats) * game.seats,
        bots=bots,
        limits=Limits(**file.limits.model_dump()),
        rating=file.rating,
        log_actions=file.log.level == "actions",
        run=file.run,
        file=file,
    )


def _whole_sets(matches: int, seats: int) -> int:
    """Mirror sets that hold at least so many matches."""
    return -(-matches // seats)


def _format(file: LeagueFile, game: Game, names: list[str]) -> Format:
    """The format with its own keys."""
    found = find_format(file.schedule.format)
    extra = file.schedule.model_extra or {}
    sets = _whole_sets(file.schedule.matches, game.seats)
    known = _keys(found)
    for key in extra:
        if key not in known:
            raise ConfigError(
                f"schedule.{key}: {unknown('key', key, {*ScheduleSection.model_fields, *known})}"
            )
    made: Format = cast(Any, found)(names, game.seats, sets, **extra)
    return made


def _keys(found: type[Format]) -> list[str]:
    """A format's own keys: what its constructor takes beyond bots, seats and mirror sets."""
    code = found.__init__.__code__
    return list(code.co_varnames[4 : code.co_argcount])


def _bots(file: LeagueFile, game: Game, folder: Path) -> tuple[LeagueBot, ...]:
    bots = [bot for section in file.bots for bot in _bots_of(section, game, folder)]
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


def _explain(error: ValidationError) -> str:
    """One line for the first thing wrong in a league file."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        return f"{place}: {unknown('key', str(first['loc'][-1]), _fields_at(first['loc'][:-1]))}"
    if first["type"] == "missing":
        return f"{place} is missing"
    message = first["msg"]
    return f"{place} = {first['input']!r}: {message[0].lower()}{message[1:]}"


def _fields_at(place: tuple[int | str, ...]) -> list[str]:
    """The keys known at a place of a league file."""
    if not place:
        return list(LeagueFile.model_fields)
    if place[0] == "bots":
        return list(BotSection.model_fields)
    section = LeagueFile.model_fields[str(place[0])].annotation
    return list(section.model_fields) if isinstance(section, type) and issubclass(section, BaseModel) else []

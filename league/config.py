"""A league file (TOML) becomes a validated, frozen `LeagueConfig`."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from inspect import Parameter, signature
from pathlib import Path
from typing import Any, Literal, Self, cast, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from league.bot import OptionValue
from league.errors import ConfigError, LeagueError, unknown
from league.games import Game, find_game
from league.play import Limits
from league.play.hosts import Isolation, refuse_compiled, refuse_lax
from league.rate import METHODS
from league.roster import Entry, require_name
from league.roster.find import find_bot, find_bots, refuse_duplicates
from league.roster.shelf import Roster
from league.schedule import Format, find_format

MOST_BATCHES = 1_000_000
"""Parts are numbered with six digits."""


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class LeagueSection(_Section):
    """`[league]`."""

    name: str = Field(min_length=1, max_length=100, pattern=r"^[^/\\\x00-\x1f.][^/\\\x00-\x1f]*$")
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

    @model_validator(mode="after")
    def _parts_can_be_numbered(self) -> Self:
        if self.matches > self.batch * MOST_BATCHES:
            raise ValueError(f"more than {MOST_BATCHES:,} batches; raise batch or lower matches")
        return self


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
    name: str | None = None
    options: dict[str, OptionValue] = Field(default_factory=dict)
    isolation: Isolation | None = None


class RosterSection(_Section):
    """`[roster]`."""

    path: str
    take: Literal["latest"] | list[str] = "latest"


class LeagueFile(_Section):
    """A whole league file, key by key as it is written."""

    league: LeagueSection
    game: GameSection
    schedule: ScheduleSection
    limits: LimitsSection = LimitsSection()
    rating: RatingSection = RatingSection()
    log: LogSection = LogSection()
    run: RunSection = RunSection()
    bots: list[BotSection] = Field(default_factory=list)
    roster: RosterSection | None = None


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
            "bots": {bot.name: self._frozen_bot(place, bot) for place, bot in enumerate(self.bots)},
        }

    def _frozen_bot(self, place: int, bot: LeagueBot) -> dict[str, Any]:
        return {
            "place": place,
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
    if file.rating.method not in METHODS:
        raise ConfigError(f"rating.method: {unknown('method', file.rating.method, METHODS)}")
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
    known = format_keys(found)
    for key, value in extra.items():
        if key not in known:
            raise ConfigError(
                f"schedule.{key}: {unknown('key', key, {*ScheduleSection.model_fields, *known})}"
            )
        try:
            TypeAdapter(known[key]).validate_python(value, strict=True)
        except ValidationError as error:
            raise ConfigError(_explain(error, ("schedule", key))) from None
    for key, parameter in signature(found).parameters.items():
        if key in known and key not in extra and parameter.default is Parameter.empty:
            raise ConfigError(f"schedule.{key} is missing: {found.name} needs it")
    made: Format = cast(Any, found)(names, game.seats, sets, **extra)
    return made


def format_keys(found: type[Format]) -> dict[str, Any]:
    """A format's own keys with their types: what its constructor takes beyond bots, seats and mirror sets."""
    hints = get_type_hints(found.__init__)
    return {key: hints[key] for key in list(signature(found).parameters)[3:]}


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


_WANTED = {
    "bool_type": "give true or false",
    "dict_type": "write it as a table",
    "float_type": "give a number",
    "greater_than": "give more than {gt}",
    "greater_than_equal": "give at least {ge}",
    "int_type": "give a whole number",
    "less_than": "give less than {lt}",
    "less_than_equal": "give at most {le}",
    "list_type": "give a list",
    "model_type": "write it as a table",
    "string_pattern_mismatch": "give a name without / or control characters that starts with no dot",
    "string_too_long": "give at most {max_length} characters",
    "string_too_short": "give at least {min_length} character",
    "string_type": "give a text in quotes",
    "too_short": "give at least {min_length}",
}
"""Remedies by the kind of mistake, as pydantic calls it."""


def _explain(error: ValidationError, within: tuple[str, ...] = ()) -> str:
    """One line for the first thing wrong in a league file; a misspelt key comes before what is missing for it."""
    first = min(error.errors(), key=lambda each: each["type"] != "extra_forbidden")
    loc = (*within, *first["loc"])
    place = _place(loc)
    if first["type"] == "extra_forbidden":
        return f"{place}: {unknown('key', str(loc[-1]), _fields_at(loc[:-1]))}"
    if first["type"] == "missing":
        return f"{place} is missing: add it"
    if first["type"] == "value_error":
        return f"{place}: {first['ctx']['error']}"
    if loc[0] == "bots" and "options" in loc[2:-1]:
        return f"{place} = {_short(first['input'])}: give true or false, a number or a text"
    if loc == ("bots",):
        return "bots: write [[bots]] once for each bot"
    if first["type"] == "literal_error":
        allowed = [word.strip("' ") for word in first["ctx"]["expected"].replace(" or ", ", ").split(",")]
        return f"{place}: {unknown('value', str(first['input']), allowed)}"
    remedy = _WANTED.get(first["type"], first["msg"]).format(**first.get("ctx", {}))
    return f"{place} = {_short(first['input'])}: {remedy}"


def _place(loc: tuple[int | str, ...]) -> str:
    """A key as people write it; the bots are counted from 1."""
    if loc[0] != "bots" or len(loc) == 1:
        return ".".join(str(part) for part in loc if not isinstance(part, int))
    keys = loc[2:4] if loc[2:3] == ("options",) else loc[2:3]
    return ", ".join([f"[[bots]] number {int(loc[1]) + 1}", *filter(None, [".".join(map(str, keys))])])


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _fields_at(place: tuple[int | str, ...]) -> list[str]:
    """The keys known at a place of a league file."""
    if not place:
        return list(LeagueFile.model_fields)
    if place[0] == "bots":
        return list(BotSection.model_fields)
    section = LeagueFile.model_fields[str(place[0])].annotation
    return list(section.model_fields) if isinstance(section, type) and issubclass(section, BaseModel) else []

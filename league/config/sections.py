"""A league file as it is written, section by section, and what is wrong in one, in a line."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from league.bot import OptionValue
from league.errors import unknown
from league.mistakes import mistake, shown
from league.play import Limits
from league.play.hosts import Isolation
from league.rate import Method

_SEEDS = 1 << 128
MOST_BATCHES = 1_000_000
"""Parts are numbered with six digits."""


class _Section(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def _without_nul(text: str) -> str:
    if "\0" in text:
        raise ValueError("holds a NUL character; leave it out")
    return text


Place = Annotated[str, AfterValidator(_without_nul)]
"""A path, a name or a command line."""


class LeagueSection(_Section):
    """`[league]`."""

    name: str = Field(min_length=1, max_length=100, pattern=r"^[^/\\\x00-\x1f. ][^/\\\x00-\x1f]*$")
    seed: int = Field(0, gt=-_SEEDS, lt=_SEEDS)


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

    decision_ms: int = Field(Limits.decision_ms, gt=0)
    match_s: int = Field(Limits.match_s, gt=0)
    memory_mb: int = Field(Limits.memory_mb, ge=64, le=1 << 20)
    start_s: int = Field(Limits.start_s, gt=0)
    faults_per_batch: int = Field(Limits.faults_per_batch, gt=0)


class RatingSection(_Section):
    """`[rating]`."""

    method: Method = "trueskill"
    tau: float = Field(0.0, ge=0, le=1000)
    draw_probability: float | None = Field(None, ge=0, le=0.99)


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

    use: Place
    name: str | None = Field(None, min_length=1)
    options: dict[str, OptionValue] = Field(default_factory=dict)
    isolation: Isolation | None = None


class RosterSection(_Section):
    """`[roster]`."""

    path: Place = Field(min_length=1)
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


def explain(error: ValidationError, within: tuple[str, ...] = ()) -> str:
    """One line for the first thing wrong in a league file; a misspelt key comes before what is missing for it.

    Args:
        error: What pydantic refused.
        within: The keys that lead to it, where it was no whole file.
    """
    first = min(error.errors(), key=lambda each: each["type"] != "extra_forbidden")
    loc = (*within, *first["loc"])
    place = _place(loc)
    if first["type"] == "extra_forbidden":
        return f"{place}: {unknown('key', str(loc[-1]), _fields_at(loc[:-1]))}"
    if loc[0] == "bots" and "options" in loc[2:-1]:
        return f"{place} = {shown(first['input'])}: give true or false, a number or a text"
    if loc[:2] == ("roster", "take"):
        return f'roster.take = {shown(first["input"])}: give "latest", or a list of names and name@version'
    if loc == ("bots",) and first["type"] != "missing":
        return "bots: write [[bots]] once for each bot"
    return mistake(place, first)


def _place(loc: tuple[int | str, ...]) -> str:
    """A key as people write it; the bots are counted from 1."""
    if loc[0] != "bots" or len(loc) == 1:
        return ".".join(str(part) for part in loc if isinstance(part, str) and "[" not in part)
    keys = loc[2:4] if loc[2:3] == ("options",) else loc[2:3]
    return ", ".join([f"[[bots]] number {int(loc[1]) + 1}", *filter(None, [".".join(map(str, keys))])])


def _fields_at(place: tuple[int | str, ...]) -> list[str]:
    """The keys known at a place of a league file."""
    if not place:
        return list(LeagueFile.model_fields)
    if place[0] == "bots":
        return list(BotSection.model_fields)
    section = LeagueFile.model_fields[str(place[0])].annotation
    return list(section.model_fields) if isinstance(section, type) and issubclass(section, BaseModel) else []

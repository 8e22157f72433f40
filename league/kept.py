"""What `league.json` must hold before anybody reads it, for it may come from anywhere."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from league.mistakes import mistake


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("holds what cannot be printed")
    return text


_Word = Annotated[str, Field(min_length=1), AfterValidator(_printable)]
_Count = Annotated[int, Field(ge=0, lt=1 << 63)]


class _Section(BaseModel):
    model_config = ConfigDict(strict=True, allow_inf_nan=False)


class _Bot(_Section):
    name: _Word
    label: _Word
    entry: _Word
    version: _Word
    kind: Literal["python", "compiled", "batch", "external"]
    files: list[_Word]
    main: str
    attribute: str
    options: dict[str, bool | int | float | str]
    isolation: Literal["none", "process", "strict"]
    origin: str
    author: str
    summary: str


class _League(_Section):
    name: _Word
    seed: int


class _Game(_Section):
    name: _Word
    version: int
    seats: Annotated[int, Field(gt=0, lt=1 << 15)]


class _Log(_Section):
    level: Literal["results", "actions"]


class _Limits(_Section):
    decision_ms: _Count
    match_s: _Count
    memory_mb: _Count
    start_s: _Count
    faults_per_batch: _Count


class _Rating(_Section):
    method: _Word
    tau: float
    draw_probability: float | None


class _Config(_Section):
    league: _League
    game: _Game
    log: _Log


class _PlayedConfig(_Config):
    schedule: dict[str, Any]
    limits: _Limits
    rating: _Rating
    bots: dict[str, dict[str, Any]]


class _Kept(_Section):
    league_version: _Word
    matches: _Count
    batch: _Count
    config: _Config
    bots: list[_Bot]


class _Played(_Kept):
    config: _PlayedConfig


def misfit(kept: Any, is_played: bool) -> str:
    """Say what is wrong with what `league.json` holds; nothing if it can be read.

    Args:
        kept: The document.
        is_played: Whether a league file was played, which decides more than the matches of a check have.
    """
    try:
        (_Played if is_played else _Kept).model_validate(kept)
    except ValidationError as error:
        first = error.errors()[0]
        return mistake(".".join(map(str, first["loc"])), first)
    for bot in kept["bots"]:
        if bot["label"].rpartition("@")[0] != bot["name"]:
            return f"bots: the label {bot['label']!r} is not that of {bot['name']!r}"
    return ""

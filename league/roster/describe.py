"""What is in a stranger's bot file, found out in a locked-down process; only plain data comes back."""

from __future__ import annotations

import json
import os
import pickle
import unicodedata
from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any, get_args

from league.bot import Player
from league.errors import BotError
from league.kernels import KeptCode, cache_folder
from league.roster import Bundle, Entry, Kind, Unloadable, require_name
from league.roster.load import bot_classes, entry_of, explain, home_of, load_module
from league.sandbox import Allowance
from league.sandbox.listen import answer_of
from league.sandbox.lockdown import interpreter_paths

START_S = 30
"""How long a file may take to load."""

MEMORY_MB = 1024
"""How much memory it may take."""


def describe(bundle: Bundle, origin: str, attribute: str = "") -> list[Entry] | Unloadable:
    """All bots of a bundle, or why there are none.

    Args:
        bundle: The source; nothing of it runs in this process.
        origin: Where it was found, for people.
        attribute: Only this class of it.
    """
    home = home_of(bundle)
    told, ending = answer_of(
        "league.roster.describe:report",
        (bundle.version, bundle.main, home, attribute),
        Allowance(readable_to(home), MEMORY_MB),
        ("league.roster.describe:prepare", ()),
        START_S,
    )
    return _understood(told, bundle, origin) if told else Unloadable(origin, None, ending)


def readable_to(home: Path | None) -> list[str]:
    """What the process of a bot of Python may read, whose bundle is unpacked there, if it is of files."""
    return [*interpreter_paths(), str(cache_folder()), *([str(home)] if home else [])]


def _understood(told: bytes, bundle: Bundle, origin: str) -> list[Entry] | Unloadable:
    """Make entries of what the process told."""
    try:
        document = json.loads(told)
        if isinstance(document, Mapping):
            line = document["line"]
            return Unloadable(origin, line if type(line) is int else None, line_of(document["reason"], 1000))
        entries = [entry_from(each, bundle, origin) for each in document]
        if any(entry.kind == "external" for entry in entries):
            raise ValueError("its kind")
    except (BotError, ValueError, TypeError, KeyError, RecursionError) as error:
        return Unloadable(origin, None, f"what it says of itself cannot be used: {line_of(str(error), 200)}")
    return entries or Unloadable(
        origin, None, "no bot in it: subclass league.Bot, set `game` and write `choose`"
    )


def told_of(entry: Entry) -> dict[str, Any]:
    """What a bot says of itself, as JSON values; `entry_from` reads it."""
    words = ("name", "game", "kind", "options", "author", "licence", "notes", "summary")
    return {"attribute": entry.bundle.attribute, **{word: getattr(entry, word) for word in words}}


def entry_from(told: Mapping[str, Any], bundle: Bundle, origin: str) -> Entry:
    """A bot from what a stranger says of it, believing nothing that is not well formed.

    Raises:
        BotError, ValueError, TypeError, KeyError: It is not well formed.
    """
    kind: Kind = told["kind"]
    if kind not in get_args(Kind) or not (kind == "external" or str(told["attribute"]).isidentifier()):
        raise ValueError("its kind or class")
    name = told["name"]
    require_name(name)
    options = dict(told["options"])
    for option, value in options.items():
        if not isinstance(value, bool | int | float | str):
            raise ValueError(f"option {option} is no number, text or truth value")
        if isinstance(value, float) and not isfinite(value):
            raise ValueError(
                f"option {option} is {value}, which no league file can hold; give a finite number"
            )
        f"{option}{value}".encode()  # a text that is none in UTF-8 is refused
    return Entry(
        name=unicodedata.normalize("NFC", name),
        game=line_of(told["game"], 100),
        kind=kind,
        bundle=Bundle(bundle.files, bundle.main, str(told["attribute"])),
        origin=origin,
        options=options,
        author=line_of(told["author"], 1000),
        licence=line_of(told["licence"], 1000),
        notes=line_of(told["notes"], 1000),
        summary=line_of(told["summary"], 1000),
    )


def line_of(text: Any, most: int) -> str:
    """A stranger's text as one printable line."""
    if not isinstance(text, str):
        raise TypeError(f"text expected, not {type(text).__name__}")
    return "".join(letter if letter.isprintable() else " " for letter in text[:most]).strip()


def prepare() -> None:
    """Load what bots usually import, before the lock-down: all of it comes with this module."""


def report(argument: bytes, handles: Sequence[int]) -> None:
    """Inside the locked-down process: load a bundle and tell what is in it."""
    version, main, home, attribute = pickle.loads(argument)
    KeptCode()
    try:
        told = _told(version, main, home, attribute)
    except BaseException as error:
        broken = explain(error, "", main)
        told = json.dumps({"line": broken.line, "reason": broken.reason})
    with os.fdopen(handles[0], "wb") as pipe:
        pipe.write(told.encode(errors="replace"))


def _told(version: str, main: str, home: Path | None, attribute: str) -> str:
    module = load_module(version, main, home)
    found: list[type[Player]] = [getattr(module, attribute)] if attribute else bot_classes(module)
    return json.dumps([told_of(entry_of(bot, Bundle({}, main), "", False)) for bot in found])

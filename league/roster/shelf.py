"""Rosters: folders or storage URIs that keep every version of every bot that was submitted, for good.

    ROSTER/NAME/VERSION/entry.json      what it is, and what its check said; written last, so that it is whole or absent
    ROSTER/NAME/VERSION/files/...       its source

A version is the hash of its files, so two people who submit at once cannot get into each other's way.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from league.clock import today
from league.errors import BotError, LeagueError, unknown
from league.roster import Bundle, Entry, Unloadable, look_of
from league.roster.describe import entry_from, line_of, told_of
from league.roster.load import safe_path
from league.store import ResultFolder, open_storage

if TYPE_CHECKING:
    from pyarrow.fs import FileInfo

FORMAT_VERSION = 1


@dataclass(frozen=True)
class Shelved:
    """A version of a bot in a roster.

    Attributes:
        entry: The bot.
        submitted: When it came, in UTC, as ISO 8601.
        check: What its check said, as JSON values.
    """

    entry: Entry
    submitted: str
    check: Mapping[str, Any]


@dataclass(frozen=True)
class Roster:
    """A roster.

    Args:
        uri: Its folder, as a path or URI.
    """

    uri: str

    def add(self, entry: Entry, check: Mapping[str, Any]) -> bool:
        """Add a version; answer whether it is new.

        Raises:
            BotError: Another bot's name looks the same, or the same name plays another game.
        """
        for other in self.versions()[0]:
            held = other.entry
            is_other = (held.name, held.game) != (entry.name, entry.game)
            if is_other and look_of(held.name) == look_of(entry.name):
                raise BotError(
                    f"'{entry.name}': {self.uri} has '{held.name}' of {held.game} already; take another name"
                )
        shelf = ResultFolder(f"{self.uri.rstrip('/')}/{quote(entry.name)}/{entry.bundle.version}")
        if shelf.exists("entry.json"):
            return False
        for path, content in sorted(entry.bundle.files.items()):
            shelf.write(f"files/{path}", content)
        shelf.write_json("entry.json", _kept(entry, check))
        return True

    def versions(self) -> tuple[tuple[Shelved, ...], tuple[Unloadable, ...]]:
        """All versions of all bots, by name, oldest first; and what is not as it was submitted, which stops no others.

        Raises:
            BotError: It is no folder.
        """
        whole: list[Shelved] = []
        broken: list[Unloadable] = []
        for place in self._places():
            try:
                whole.append(self._read(place))
            except (LeagueError, KeyError, TypeError, ValueError, RecursionError) as error:
                origin = line_of(f"{self.uri.rstrip('/')}/{place}/entry.json", 1000)
                broken.append(Unloadable(origin, None, line_of(f"not as it was submitted: {error}", 1000)))
        whole.sort(key=lambda each: (each.entry.name, each.submitted, each.entry.bundle.version))
        return tuple(whole), tuple(broken)

    def _places(self) -> list[str]:
        from pyarrow.fs import FileSelector

        system, root = open_storage(self.uri)
        whole = FileSelector(root, allow_not_found=True, recursive=True)
        try:
            listed = system.get_file_info(whole)
        except NotADirectoryError:
            raise BotError(f"{self.uri}: a file; a roster is a folder, such as rosters/club") from None
        except FileNotFoundError:  # the folder came into being while it was looked for
            listed = system.get_file_info(whole)
        inner = [
            path.removeprefix(root).strip("/") for path in _paths(listed) if path.endswith("/entry.json")
        ]
        return sorted(place.removesuffix("/entry.json") for place in inner if place.count("/") == 2)

    def _read(self, place: str) -> Shelved:
        shelf = ResultFolder(f"{self.uri.rstrip('/')}/{place}")
        kept = json.loads(_content(shelf, "entry.json"))
        if kept["format"] != FORMAT_VERSION:
            raise ValueError(f"format {kept['format']}, this package reads {FORMAT_VERSION}")
        files = {str(path): _content(shelf, f"files/{safe_path(path)}") for path in kept["files"]}
        entry = entry_from(kept, Bundle(files, str(kept["main"])), shelf.uri)
        if entry.bundle.version != place.rpartition("/")[2]:
            raise BotError("changed after it was submitted; delete the folder or submit again")
        if entry.kind == "external" and not shlex.split(entry.bundle.main):
            raise ValueError("its command line is empty")
        return Shelved(entry, line_of(kept["submitted"], 100), _checked(kept["check"]))

    def take(self, which: str | Sequence[str], game: str) -> list[Entry]:
        """The bots of a game that a league's `roster.take` means.

        Args:
            which: `latest` for the newest version of each, or names and `name@version`.
            game: Only bots of this game.

        Raises:
            BotError: The roster has no such bot or version, or which is the latest cannot be told.
        """
        whole, broken = self.versions()
        versions = [each.entry for each in whole if each.entry.game == game]
        latest = {entry.name: entry for entry in versions}
        if isinstance(which, str):
            if broken:  # whether it is the latest of a bot of this game, nobody knows
                raise BotError(f"{broken[0]}; or name the bots that play, in roster.take")
            return list(latest.values())
        return [self._named(reference, versions, latest) for reference in which]

    def _named(self, reference: str, versions: Sequence[Entry], latest: Mapping[str, Entry]) -> Entry:
        name, _, version = reference.partition("@")
        if name not in latest:
            raise BotError(f"{self.uri}: {unknown('bot', name, latest)}")
        if not version:
            return latest[name]
        fitting = [each for each in versions if each.name == name and each.bundle.version.startswith(version)]
        if not fitting:
            known = [each.bundle.version for each in versions if each.name == name]
            raise BotError(f"{self.uri}: {name} has {unknown('version', version, known)}")
        return fitting[-1]


def _paths(listed: Iterable[FileInfo]) -> Iterator[str]:
    """Paths, but for those that are no text, which no roster writes."""
    for info in listed:
        with suppress(UnicodeDecodeError):
            yield info.path


def _content(shelf: ResultFolder, name: str) -> bytes:
    """What is in a file; a pipe or device, which might never end, is none."""
    if not shelf.exists(name):
        raise BotError(f"{name} is no file; delete the folder or submit again")
    return shelf.read(name)


def _checked(told: Any) -> dict[str, Any]:
    """What a check said, if it is what checks say.

    Raises:
        TypeError, ValueError: It is not.
    """
    check = dict(told)
    decision_us, warnings = check.get("decision_us", 0), check.get("warnings", 0)
    if type(warnings) is not int or type(decision_us) not in (int, float) or not isfinite(decision_us):
        raise ValueError("its check")
    return check


def _kept(entry: Entry, check: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "format": FORMAT_VERSION,
        **told_of(entry),
        "main": entry.bundle.main,
        "files": sorted(entry.bundle.files),
        "submitted": today(),
        "check": dict(check),
    }

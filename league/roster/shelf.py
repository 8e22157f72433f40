"""Rosters: folders or storage URIs that keep every version of every bot that was submitted, for good.

    ROSTER/NAME/VERSION/entry.json      what it is, and what its check said; written last, so that it is whole or absent
    ROSTER/NAME/VERSION/files/...       its source

A version is the hash of its files, so two people who submit at once cannot get into each other's way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from league.clock import today
from league.errors import BotError, unknown
from league.roster import Bundle, Entry, look_of
from league.roster.describe import entry_from, told_of
from league.roster.load import safe_path
from league.store import ResultFolder, open_storage

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
        for other in self.versions():
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

    def versions(self) -> list[Shelved]:
        """All versions of all bots, by name, oldest first.

        Raises:
            BotError: A version was changed after it was submitted.
        """
        found = [self._read(place) for place in self._places()]
        return sorted(found, key=lambda each: (each.entry.name, each.submitted, each.entry.bundle.version))

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
        inner = [info.path.removeprefix(root).strip("/") for info in listed if info.base_name == "entry.json"]
        return sorted(place.removesuffix("/entry.json") for place in inner if place.count("/") == 2)

    def _read(self, place: str) -> Shelved:
        shelf = ResultFolder(f"{self.uri.rstrip('/')}/{place}")
        kept = shelf.read_json("entry.json")
        try:
            entry = self._entry(shelf, kept)
            shelved = Shelved(entry, str(kept["submitted"]), dict(kept["check"]))
        except (BotError, KeyError, TypeError, ValueError) as error:
            raise BotError(f"{shelf.place('entry.json')}: not as it was submitted: {error}") from None
        if entry.bundle.version != place.rpartition("/")[2]:
            raise BotError(f"{shelf.uri}: changed after it was submitted; delete the folder or submit again")
        return shelved

    @staticmethod
    def _entry(shelf: ResultFolder, kept: Mapping[str, Any]) -> Entry:
        if kept["format"] != FORMAT_VERSION:
            raise ValueError(f"format {kept['format']}, this package reads {FORMAT_VERSION}")
        files = {str(path): shelf.read(f"files/{safe_path(path)}") for path in kept["files"]}
        return entry_from(kept, Bundle(files, str(kept["main"])), shelf.uri)

    def take(self, which: str | Sequence[str], game: str) -> list[Entry]:
        """The bots of a game that a league's `roster.take` means.

        Args:
            which: `latest` for the newest version of each, or names and `name@version`.
            game: Only bots of this game.

        Raises:
            BotError: The roster has no such bot or version.
        """
        versions = [each.entry for each in self.versions() if each.entry.game == game]
        latest = {entry.name: entry for entry in versions}
        if isinstance(which, str):
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


def _kept(entry: Entry, check: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "format": FORMAT_VERSION,
        **told_of(entry),
        "main": entry.bundle.main,
        "files": sorted(entry.bundle.files),
        "submitted": today(),
        "check": dict(check),
    }

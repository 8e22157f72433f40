"""Where bots come from: files, the folder `bots/`, entry points, programs; each bundled and named by its content."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, TypeAlias

from league.bot import OptionValue
from league.errors import BotError

Kind: TypeAlias = Literal["python", "compiled", "batch", "external"]


@dataclass(frozen=True)
class Bundle:
    """All that is needed to build a bot anywhere.

    Attributes:
        files: Relative path to content; of an installed module its own source, for the version only.
        main: The file (`….py`) or the installed module that holds the class; the command line of a program.
        attribute: Name of the class; empty for a program.
    """

    files: Mapping[str, bytes] = field(repr=False)
    main: str = ""
    attribute: str = ""

    @property
    def version(self) -> str:
        """The hash of all of it, 12 hexadecimal digits; what a program is told on its command line counts as well."""
        digest = hashlib.sha256(f"{self.main}\0{self.attribute}\0".encode())
        for path, content in sorted(self.files.items()):
            digest.update(f"{path}\0{len(content)}\0".encode())
            digest.update(content)
        return digest.hexdigest()[:12]


@dataclass(frozen=True)
class Entry:
    """A bot that was found.

    Attributes:
        name: Shown name.
        game: Name of its game.
        kind: How it answers.
        bundle: Its source.
        origin: Where it was found, for people.
        example: Whether it came with the package and is therefore trusted.
        options: Its options with their defaults.
        author, licence, notes: What it says of itself.
        summary: First line of its docstring.
    """

    name: str
    game: str
    kind: Kind
    bundle: Bundle
    origin: str
    example: bool = False
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    author: str = ""
    licence: str = ""
    notes: str = ""
    summary: str = ""

    @property
    def label(self) -> str:
        """`name@version`, as tables and logs write it."""
        return label_of(self.name, self.bundle.version)


@dataclass(frozen=True)
class Unloadable:
    """A bot file that could not be loaded, and why."""

    origin: str
    line: int | None
    reason: str

    def __str__(self) -> str:
        place = f"{self.origin}:{self.line}" if self.line else self.origin
        return f"{place}: {self.reason}"


def label_of(name: str, version: str) -> str:
    """A bot's name with as much of its version as tells versions apart.

    >>> label_of("odds", "0f3a9c5d7e21")
    'odds@0f3a9c'
    """
    return f"{name}@{version[:6]}"


def default_name(class_name: str) -> str:
    """The name of a bot whose class sets none.

    >>> default_name("HighestFace")
    'highest_face'
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", class_name).lower()


_JOINING = "\u200d\ufe0e\ufe0f"
"""What emoji are made with: the joiner, and the selectors of text and picture."""

_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
"""What counts as a letter, mark or symbol and shows nothing."""

_SELECTORS = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
"""What only chooses among the forms of a letter before it."""

_LIKE_LATIN = str.maketrans(
    "авеноркмстухіјѕԁһԛԝѵӏ" + "αβεζηικμνορτυχγϳ",
    "abehopkmctyxijsdhqwvl" + "abezhikmvoptyxyj",
)
"""Small Cyrillic and Greek letters that look like small Latin ones, or whose capitals look like capitals."""

_SCRIPTS = ("LATIN", "CYRILLIC", "GREEK")
"""Which scripts have letters that look alike, as Unicode names begin."""


def _is_unseen(letter: str) -> bool:
    return (
        unicodedata.category(letter) == "Cf"
        or letter in _FILLERS
        or any(ord(letter) in selectors for selectors in _SELECTORS)
    )


def look_of(name: str) -> str:
    """The same for names that look the same to people.

    >>> look_of("Ｏdds") == look_of("odds"), look_of("сосоа") == look_of("cocoa")
    (True, True)
    """
    folded = unicodedata.normalize("NFKC", name).casefold().translate(_LIKE_LATIN)
    return "".join(letter for letter in folded if not _is_unseen(letter))


def require_name(name: str) -> None:
    """Refuse a name that tables, logs and files could not show as it is.

    Raises:
        BotError: It cannot be used.
    """
    if not isinstance(name, str):
        raise BotError(f"{name!r} is no name for a bot: its name must be text")
    shown = name.replace("\N{ZERO WIDTH JOINER}", "")  # emoji are joined with it
    if (
        not shown.isprintable()
        or name != name.strip()
        or not 0 < len(name) <= 100
        or len(name.encode(errors="replace")) > 200  # files are called so
        or name.startswith(".")
        or any(letter in "@/\\:*" for letter in name)
    ):
        raise BotError(
            f"{name!r} is no name for a bot: give 1 to 100 printable characters, 200 bytes in UTF-8, without @ / \\ : *"
        )
    _refuse_unseen(name)
    _refuse_mixed(name)


def _refuse_unseen(name: str) -> None:
    """Refuse letters that show nothing, but for those that join emoji and follow what may be joined."""
    for before, letter in pairwise(f" {name}"):
        is_joined = letter in _JOINING and unicodedata.category(before)[0] in "MS"
        if _is_unseen(letter) and not is_joined:
            raise BotError(
                f"{name!a} is no name for a bot: U+{ord(letter):04X} in it shows nothing; leave it out"
            )


def _refuse_mixed(name: str) -> None:
    """Refuse words of two scripts whose letters look alike; which words a name has in which script is free."""
    for word in re.findall(r"[^\W\d_]+", unicodedata.normalize("NFKC", name)):
        first = {unicodedata.name(letter, "").partition(" ")[0] for letter in word}
        scripts = [script.capitalize() for script in _SCRIPTS if script in first]
        if len(scripts) > 1:
            raise BotError(
                f"{name!r} is no name for a bot: '{word}' mixes {' and '.join(scripts)} letters, which look alike; "
                "write each word in one script"
            )

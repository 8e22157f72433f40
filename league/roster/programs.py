"""Bots that are programs: what their command line names travels with them."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

from league.errors import BotError
from league.roster import Bundle, Entry, require_name
from league.roster.files import files_at


def program_entry(command: str, game: str | None, folder: Path) -> Entry:
    """The bot that a command line is.

    Args:
        command: Words as a shell reads them.
        game: What it is to play.
        folder: Where relative paths start.

    Raises:
        BotError: The command cannot be read, names no file, or it is not said what it plays.
    """
    if game is None:
        raise BotError(f"cmd:{command}: say which game the program is to play, with --game")
    bundle = bundle_program(command, folder)
    named = next(iter(bundle.files), shlex.split(command)[0])
    name = Path(named).stem
    require_name(name)
    return Entry(name, game, "external", bundle, f"cmd:{command}")


def bundle_program(command: str, folder: Path) -> Bundle:
    """Bundle the files and folders that a command line names; absolute paths to elsewhere mean what is installed.

    Raises:
        BotError: The command line cannot be read, or its program is not there.
    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise BotError(f"cmd:{command}: {error}") from None
    if not words:
        raise BotError("cmd: give the program to run, as in 'cmd:python3 mine.py'")
    files: dict[str, bytes] = {}
    for place, word in enumerate(words):
        named = _bundled(word, folder, files)
        if place or "/" in word:  # the first word without a slash is looked up on the path
            words[place] = named
    if "/" in words[0] and words[0].removeprefix("./") not in files and not Path(words[0]).is_absolute():
        raise BotError(f"cmd:{command}: no such file {folder / words[0]}; give the path of the program")
    if words[0].removeprefix("./") not in files:
        installed(words[0], command)
    return Bundle(files, shlex.join(words))


def installed(word: str, command: str) -> str:
    """The program that a word of a command line means on this machine.

    Shims, as version managers put them first on the path, are passed over: they start another program, and no bot may.

    Raises:
        BotError: There is none.
    """
    found = on_path(word)
    if found is None:
        raise no_program(command, word)
    return found


def on_path(word: str) -> str | None:
    """The program of a name on the path, if there is one."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return shutil.which(word, path=os.pathsep.join(each for each in folders if Path(each).name != "shims"))


def no_program(command: str, word: str) -> BotError:
    """What to say where this machine lacks the program that a command line starts with."""
    return BotError(f"cmd:{command}: no program '{word}' on this machine; install it or give its path")


def _bundled(word: str, folder: Path, files: dict[str, bytes]) -> str:
    """Take in what a word names, if it names anything; answer the word as it reads inside the bundle.

    It reads the same wherever the files came from, for a command line is part of a bot's version.
    """
    path = folder / word
    is_installed = Path(word).is_absolute() and not path.is_relative_to(folder.resolve())
    if word.startswith("-") or is_installed or not path.exists():
        return word
    home = path.resolve().name
    files |= {f"{home}/{inner}" if inner else home: content for inner, content in files_at(path).items()}
    return f"./{home}"

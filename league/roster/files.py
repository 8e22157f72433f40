"""The files of a bot's folder."""

from __future__ import annotations

from pathlib import Path

from league.errors import BotError


def files_below(folder: Path) -> dict[str, bytes]:
    """What a folder holds, by path inside it, caches apart.

    Raises:
        BotError: A file cannot be read, or is a link out of the folder, to what its author may want to get hold of.
    """
    files: dict[str, bytes] = {}
    home = folder.resolve()
    for found in sorted(folder.rglob("*")):
        if not found.is_file() or "__pycache__" in found.parts:
            continue
        if not found.resolve().is_relative_to(home):
            raise BotError(f"{found}: a link out of the bot's folder; put a copy of the file in its place")
        try:
            files[found.relative_to(folder).as_posix()] = found.read_bytes()
        except OSError as error:
            raise BotError(f"{found}: {(error.strerror or str(error)).lower()}; mend or remove it") from None
    return files

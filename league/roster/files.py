"""The files that make up a bot, for whose author they are read."""

from __future__ import annotations

from pathlib import Path

from league.errors import BotError


def files_at(path: Path) -> dict[str, bytes]:
    """What a folder holds, by path inside it, caches apart; of a file itself, by no path.

    Raises:
        BotError: A file cannot be read, or is a link out of its folder, to what its author may want to get hold of.
    """
    home = (path if path.is_dir() else path.parent).resolve()
    files: dict[str, bytes] = {}
    for found in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if "__pycache__" in found.parts or not (found.is_file() or found.is_symlink()):
            continue
        if not found.resolve().is_relative_to(home):
            raise BotError(
                f"{found}: a link out of the bot's folder; put a copy of what it leads to in its place"
            )
        if found.is_file():
            files["" if found == path else found.relative_to(path).as_posix()] = _content(found)
    return files


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BotError(f"{path}: {(error.strerror or str(error)).lower()}; mend or remove it") from None

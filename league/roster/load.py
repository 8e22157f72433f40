"""Build a bot's class from its bundle, in whatever process needs it."""

from __future__ import annotations

import importlib.util
import inspect
import os
import sys
import tempfile
import traceback
from functools import cache
from importlib import import_module
from pathlib import Path, PurePosixPath
from types import ModuleType

import platformdirs

from league.bot import BatchBot, Bot, CompiledBot, Player
from league.errors import BotError
from league.roster import Bundle, Entry, Kind, Unloadable, default_name, require_name

_KINDS: tuple[tuple[type[Player], Kind], ...] = (
    (Bot, "python"),
    (CompiledBot, "compiled"),
    (BatchBot, "batch"),
)

_PROGRAM_STARTS = (b"#!", b"\x7fELF")


def kind_of(bot: type[Player]) -> Kind:
    """How a bot class answers."""
    return next(kind for parent, kind in _KINDS if issubclass(bot, parent))


def safe_path(path: str) -> str:
    """A path of a bundle, if it stays inside.

    Raises:
        ValueError: It does not.
    """
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or "\\" in path or "\0" in path:
        raise ValueError(f"a bundle cannot hold {path!r}")
    return path


def unpack(bundle: Bundle, folder: Path) -> Path:
    """Write a bundle's files below a folder of its version; answer that folder. Many may do so at once."""
    home = folder / bundle.version
    if not home.exists():
        folder.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(dir=folder))
        for path, content in bundle.files.items():
            target = aside / safe_path(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            if content.startswith(_PROGRAM_STARTS):
                target.chmod(0o755)
        try:
            aside.rename(home)
        except OSError:
            if not home.exists():
                raise
    return home


def bundle_folder() -> Path:
    """Where this user's bundles are unpacked."""
    folder = platformdirs.user_cache_path("league") / "bundles"
    return folder if os.access(folder.parent, os.W_OK) else Path(tempfile.gettempdir()) / "league-bundles"


@cache
def load_module(version: str, main: str, home: Path | None) -> ModuleType:
    """Import a bundle's main file, once a process for each version."""
    if home is None:
        return import_module(main)
    name = f"league_bot_{version}_{Path(main).stem}"
    spec = importlib.util.spec_from_file_location(name, home / main)
    if spec is None or spec.loader is None:
        raise BotError(f"{main}: not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def module_of(bundle: Bundle) -> ModuleType:
    """The module of a bundle; whatever its code raises comes through."""
    home = unpack(bundle, bundle_folder()) if bundle.main.endswith(".py") else None
    return load_module(bundle.version, bundle.main, home)


def bot_class(bundle: Bundle) -> type[Player]:
    """The class of a bundle."""
    return getattr(module_of(bundle), bundle.attribute)  # type: ignore[no-any-return]


def load_class(version: str, main: str, home: Path | None, attribute: str) -> type[Player]:
    """The class of a bundle that is unpacked at `home`, or of an installed module when there is none."""
    return getattr(load_module(version, main, home), attribute)  # type: ignore[no-any-return]


def bot_classes(module: ModuleType) -> list[type[Player]]:
    """The bots that a module defines itself, in the order of the file."""
    return [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Player)
        and value.__module__ == module.__name__
        and not inspect.isabstract(value)
        and hasattr(value, "game")
    ]


def entry_of(bot: type[Player], bundle: Bundle, origin: str, example: bool) -> Entry:
    """Describe a loaded class.

    Raises:
        BotError: Its name cannot be used.
    """
    name = bot.name or default_name(bot.__name__)
    require_name(name)
    return Entry(
        name=name,
        game=bot.game,
        kind=kind_of(bot),
        bundle=Bundle(bundle.files, bundle.main, bot.__name__),
        origin=origin,
        example=example,
        options=dict(bot.options),
        author=bot.author,
        licence=bot.licence,
        notes=bot.notes,
        summary=inspect.cleandoc(bot.__doc__ or "").split("\n")[0],
    )


def explain(error: BaseException, origin: str, main: str) -> Unloadable:
    """Say why a bot file did not load, with the line of that file where it can be told."""
    if isinstance(error, SyntaxError):
        return Unloadable(origin, error.lineno, f"SyntaxError: {error.msg}")
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).name == Path(main).name
    ]
    text = " ".join(str(error).split())
    return Unloadable(origin, frames[-1].lineno if frames else None, f"{type(error).__name__}: {text}")

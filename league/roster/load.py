"""Build a bot's class from its bundle, in whatever process needs it."""

from __future__ import annotations

import importlib.util
import inspect
import os
import re
import shutil
import sys
import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from itertools import takewhile
from pathlib import Path, PurePosixPath
from types import ModuleType

from league.bot import BatchBot, Bot, CompiledBot, Player
from league.errors import BotError
from league.roster import Bundle, Entry, Kind, Unloadable, default_name, require_name
from league.user_cache import user_cache

_KINDS: tuple[tuple[type[Player], Kind], ...] = (
    (Bot, "python"),
    (CompiledBot, "compiled"),
    (BatchBot, "batch"),
)

_PROGRAM_STARTS = (b"#!", b"\x7fELF")

_NOT_IN_NAMES = re.compile("[^0-9A-Za-z_]")


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


_NEVER_READ = 4_102_444_800.0
"""The year 2100."""


def unpack(bundle: Bundle, folder: Path) -> Path:
    """Write a bundle's files below a folder of its version; answer that folder. Many may do so at once."""
    home = folder / bundle.version
    if not home.exists():
        folder.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(dir=folder))
        try:
            _write(bundle, aside)
            aside.rename(home)
        except OSError:
            if not home.exists():
                raise
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    if home.stat().st_atime != _NEVER_READ:
        _forget_reading(home)
    return home


def _forget_reading(home: Path) -> None:
    """Give all of a folder a time of last access that is still to come, which reading then leaves alone.

    Else a bot could mark files by reading them, and find in one batch what it knew in another.
    """
    for path in [*home.rglob("*"), home]:
        os.utime(path, (_NEVER_READ, path.stat().st_mtime))


def _write(bundle: Bundle, folder: Path) -> None:
    for path, content in bundle.files.items():
        target = folder / safe_path(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        if content.startswith(_PROGRAM_STARTS):
            target.chmod(0o755)


def bundle_folder() -> Path:
    """Where this user's bundles are unpacked."""
    return user_cache() / "bundles"


def home_of(bundle: Bundle) -> Path | None:
    """The folder of a bundle of files, unpacked; none for an installed module."""
    return unpack(bundle, bundle_folder()) if bundle.main.endswith(".py") else None


@cache
def load_module(version: str, main: str, home: Path | None) -> ModuleType:
    """Import a bundle's main file, once a process for each version; it may import the files beside it.

    The bundle is a package of its own, for `from . import sibling`. For `import sibling` its folder is looked at last
    of all while the file runs; siblings found so are forgotten again, since other bundles may have files of that name.
    """
    if home is None:
        return import_module(main)
    package = ModuleType(f"league_bot_{version}")
    package.__path__ = [str(home)]
    sys.modules[package.__name__] = package
    with _siblings_of(home, package.__name__):
        return _run(f"{package.__name__}.{_NOT_IN_NAMES.sub('_', Path(main).stem)}", home / main)


def _run(name: str, file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise BotError(f"{file.name}: not a Python file")
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


@contextmanager
def _siblings_of(home: Path, package: str) -> Iterator[None]:
    latest = next(reversed(sys.modules))
    sys.path.append(str(home))
    try:
        yield
    finally:
        sys.path.remove(str(home))
        for name in list(takewhile(lambda name: name != latest, reversed(sys.modules))):
            file = getattr(sys.modules[name], "__file__", None)
            if file and home in Path(file).parents and not name.startswith(package):
                del sys.modules[name]


def module_of(bundle: Bundle) -> ModuleType:
    """The module of a bundle; whatever its code raises comes through."""
    return load_module(bundle.version, bundle.main, home_of(bundle))


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
    """Say why a bot file did not load, with the line of that file, and where else among its files it went wrong."""
    frames = traceback.extract_tb(error.__traceback__)
    in_main = [place for place, frame in enumerate(frames) if Path(frame.filename).name == Path(main).name]
    line = frames[in_main[-1]].lineno if in_main else None
    text, where = " ".join(str(error).split()), ""
    if isinstance(error, SyntaxError) and error.filename:
        text, file = error.msg, Path(error.filename).name
        if file == Path(main).name:
            line = error.lineno
        else:
            where = f" ({file}:{error.lineno})"
    elif in_main:
        home = Path(frames[in_main[-1]].filename).parent
        inner = [frame for frame in frames[in_main[-1] + 1 :] if home in Path(frame.filename).parents]
        where = f" ({Path(inner[-1].filename).name}:{inner[-1].lineno})" if inner else ""
    return Unloadable(origin, line, f"{type(error).__name__}: {text}{where}")

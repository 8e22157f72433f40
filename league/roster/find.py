"""Find bots by name, by file, by entry point, or all that are at hand."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

from league.errors import BotError, unknown
from league.roster import Bundle, Entry, Unloadable, look_of
from league.roster.describe import describe
from league.roster.files import files_at
from league.roster.load import bot_classes, entry_of, explain, module_of
from league.roster.programs import program_entry


def examples_folder() -> Path:
    """The folder of the example bots: inside an installed package, else beside it in the repository."""
    package = Path(__file__).parent.parent
    installed = package / "examples" / "bots"
    return installed if installed.is_dir() else package.parent / "bots"


def bundle_file(path: Path) -> Bundle:
    """Bundle one file, or a folder whose `bot.py` holds the class.

    Raises:
        BotError: There is no such file, or the folder holds what is not the bot's.
    """
    if path.is_dir():
        if not (path / "bot.py").is_file():
            raise BotError(f"{path}: a folder of a bot holds a file bot.py with its class; this one has none")
        return Bundle(files_at(path), "bot.py")
    if path.exists() and not path.is_file():
        raise BotError(f"{path}: no file but a pipe or device; give the path of a bot's Python file")
    try:
        return Bundle({path.name: path.read_bytes()}, path.name)
    except OSError as error:
        raise BotError(
            f"{path}: {(error.strerror or str(error)).lower()}; give the path of a bot's Python file"
        ) from None


def load_file(path: Path) -> list[Entry] | Unloadable:
    """All bots of a stranger's file, or why there are none; nothing of it runs in this process."""
    return describe(bundle_file(path), _origin_of(path))


def _origin_of(path: Path) -> str:
    return str(path / "bot.py" if path.is_dir() else path)


def _load_example(bundle: Bundle, origin: str) -> list[Entry] | Unloadable:
    """All bots of a file that came with the package."""
    try:
        return [entry_of(bot, bundle, origin, True) for bot in bot_classes(module_of(bundle))]
    except Exception as error:
        return explain(error, origin, bundle.main)


_LOADED: dict[tuple[str, str, bool], list[Entry]] = {}
"""What was found in sources so far, by version, origin and whether they came with the package; what failed may load the
next time."""


def _load(bundle: Bundle, origin: str, example: bool = False) -> list[Entry] | Unloadable:
    """The bots of a bundle, which is loaded once a process as long as its content stays."""
    key = (bundle.version, origin, example)
    if key in _LOADED:
        return _LOADED[key]
    found = _load_example(bundle, origin) if example else describe(bundle, origin, bundle.attribute)
    if not isinstance(found, Unloadable):
        _LOADED[key] = found
    return found


def _load_path(path: Path, example: bool = False) -> list[Entry] | Unloadable:
    """The bots of a file of a folder of folders; one that cannot be read stops no others."""
    try:
        return _load(bundle_file(path), _origin_of(path), example)
    except (BotError, UnicodeEncodeError) as error:
        return Unloadable(
            ascii(str(path)) if isinstance(error, UnicodeError) else str(path), None, str(error)
        )


def is_example(bundle: Bundle) -> bool:
    """Whether a bot is one that came with this package, byte for byte."""
    loaded = [_load_path(path, True) for path in _folder_files(examples_folder())]
    return any(
        entry.bundle == bundle for found in loaded if not isinstance(found, Unloadable) for entry in found
    )


def _folder_files(folder: Path) -> Iterable[Path]:
    """The bot files of a folder of folders; `external` holds programs, which are referred to by their command."""
    found = sorted(folder.glob("*/*.py"))
    return [path for path in found if path.name[0] not in "_." and path.parent.name != "external"]


def _load_point(point: EntryPoint) -> list[Entry] | Unloadable:
    """A bot of an installed package; it must be installed wherever the league runs."""
    origin = f"entry point {point.name}"
    source = _source_of(point.module)
    if source is None:
        return Unloadable(origin, None, f"module {point.module} is not installed")
    return _load(Bundle({f"{point.module}.py": source.read_bytes()}, point.module, point.attr), origin)


def _source_of(module: str) -> Path | None:
    """The file of a module, found without importing what it stands in."""
    top, *inner = module.split(".")
    spec = find_spec(top)
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin)
    if inner:
        path = path.parent.joinpath(*inner)
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return path if path.is_file() else None


def find_bots() -> tuple[tuple[Entry, ...], tuple[Unloadable, ...]]:
    """The example bots, those in `bots/` below the current folder, and those of entry points, as they are now.

    Returns:
        What loaded, by game and name, and what did not.

    Raises:
        BotError: Two bots of a game have the same name.
    """
    loaded: list[Entry] = []
    broken: list[Unloadable] = []
    found = [_load_path(path, True) for path in _folder_files(examples_folder())]
    own = Path("bots")
    if own.is_dir() and own.resolve() != examples_folder().resolve():
        found += [_load_path(path) for path in _folder_files(own)]
    found += [_load_point(point) for point in sorted(entry_points(group="league.bots"), key=lambda p: p.name)]
    for each in found:
        if isinstance(each, Unloadable):
            broken.append(each)
        else:
            loaded += each
    loaded = list(
        {(entry.name, entry.game, entry.bundle.version): entry for entry in reversed(loaded)}.values()
    )
    refuse_duplicates([(entry.name, entry.game, entry.origin) for entry in loaded])
    return tuple(sorted(loaded, key=lambda entry: (entry.game, entry.name))), tuple(broken)


def refuse_duplicates(named: Iterable[tuple[str, str, str]]) -> None:
    """Refuse two bots of one game whose names look the same.

    Args:
        named: Name, game and origin of each bot.

    Raises:
        BotError: Two are alike; it names both.
    """
    seen: dict[tuple[str, str], tuple[str, str]] = {}
    for name, game, origin in named:
        key = (game, look_of(name))
        if key in seen:
            other, elsewhere = seen[key]
            called = f"are called '{name}'" if name == other else f"look alike, '{other}' and '{name}'"
            raise BotError(f"two bots {called}: {elsewhere} and {origin}; give one another name")
        seen[key] = (name, origin)


def find_bot(reference: str, game: str | None = None, folder: Path | None = None) -> Entry:
    """The bot a reference means: a name, `name@version`, `file.py`, `file.py:Class` or `cmd:PROGRAM`.

    Args:
        reference: What the user wrote.
        game: Only bots of this game.
        folder: Where relative paths start; the current folder unless given.

    Raises:
        BotError: There is no such bot, it does not load, or it plays another game.
    """
    path, _, attribute = reference.partition(":")
    if path == "cmd":
        return program_entry(attribute, game, folder or Path())
    if path.endswith(".py") or (folder or Path()).joinpath(path).is_dir():
        return _from_file((folder or Path()) / path, attribute, game)
    name, _, version = reference.partition("@")
    found = find_bots()[0]
    entries = [entry for entry in found if game is None or entry.game == game]
    named = [entry for entry in entries if entry.name == name]
    elsewhere = sorted({entry.game for entry in found if entry.name == name})
    if not named and elsewhere:
        raise BotError(
            f"bot '{name}' plays {' and '.join(elsewhere)}, not {game}; `league bots --game {game}` lists those that do"
        )
    if not named:
        _hint_at_file(reference, folder or Path())
        raise BotError(unknown("bot", name, {entry.name for entry in entries}) + _broken_hint())
    if len(named) > 1:
        raise BotError(
            f"bot '{name}' plays {' and '.join(entry.game for entry in named)}: say which, with --game"
        )
    if version and not named[0].bundle.version.startswith(version):
        raise BotError(
            f"bot '{reference}': the version at hand is {named[0].label}; name that, or the file of the other"
        )
    return named[0]


def _hint_at_file(reference: str, folder: Path) -> None:
    """Say so where only the end of a file's name is missing."""
    path, colon, attribute = reference.partition(":")
    if folder.joinpath(f"{path}.py").is_file():
        raise BotError(f"unknown bot '{reference}': did you mean {path}.py{colon}{attribute}?")


def _broken_hint() -> str:
    broken = find_bots()[1]
    return f" (did not load: {'; '.join(map(str, broken))})" if broken else ""


def _from_file(path: Path, attribute: str, game: str | None) -> Entry:
    entries = load_file(path)
    if isinstance(entries, Unloadable):
        raise BotError(str(entries))
    if attribute:
        entries = [entry for entry in entries if entry.bundle.attribute == attribute] or _no_class(
            path, attribute, entries
        )
    playing = [entry for entry in entries if game is None or entry.game == game]
    if not playing:
        raise BotError(f"{path}: its bot plays {entries[0].game}, not {game}; give one that does")
    if len(playing) > 1:
        names = ", ".join(f"{path}:{entry.bundle.attribute}" for entry in playing)
        raise BotError(f"{path}: holds several bots, say which: {names}")
    return playing[0]


def _no_class(path: Path, attribute: str, entries: list[Entry]) -> list[Entry]:
    raise BotError(f"{path}: {unknown('class', attribute, [entry.bundle.attribute for entry in entries])}")

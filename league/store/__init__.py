"""A league's result folder: where everything is, and how it is written so that nothing is ever half there.

The folder is a path or any storage URI that pyarrow or fsspec knows (`s3://…`, `memory://…`). Every file is written
under a temporary name beside its own and then renamed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from league.errors import ResultsError
from league.kept import misfit

if TYPE_CHECKING:
    from pyarrow.fs import FileInfo, FileSystem

FORMAT_VERSION = 2
"""Version of the folder's layout and of the tables' schema."""

LEAGUE = "league.json"
"""The file that says whose folder it is."""

RATINGS, STANDINGS = "ratings.parquet", "standings.json"
"""What its matches come to."""

_FOLDERS = ("matches", "report", "logs", "bots")
"""The folders of a result folder."""


@cache
def open_storage(uri: str) -> tuple[FileSystem, str]:
    """The file system and the path there of a path or URI.

    Raises:
        ResultsError: Nothing knows how to open it.
    """
    from pyarrow import fs

    if not uri.strip():
        raise ResultsError("the name of the folder is empty: give a path or a storage URI")
    if "://" not in uri:
        return fs.LocalFileSystem(), str(Path(uri).absolute())
    try:
        system, path = fs.FileSystem.from_uri(uri)
    except Exception:
        import fsspec

        try:
            found, path = fsspec.core.url_to_fs(uri)
        except (ImportError, ValueError, OSError) as error:
            raise ResultsError(f"{uri}: cannot open this storage: {error}") from None
        system = fs.PyFileSystem(fs.FSSpecHandler(found))
    return system, path


@contextmanager
def told_as_results_error(uri: str) -> Iterator[None]:
    """Turn what the storage raises into one line with the remedy."""
    try:
        yield
    except OSError as error:
        raise ResultsError(f"{uri}: {_reason(error)}") from None


def _reason(error: OSError) -> str:
    text = " ".join(str(error).split())
    if isinstance(error, PermissionError) or "ermission denied" in text or "Read-only" in text:
        return "not writable; choose another folder"
    if error.errno == 28 or "No space left" in text:
        return "the disk is full; free some space and run the same command again, complete batches are kept"
    if isinstance(error, (NotADirectoryError, FileExistsError)) or "Not a directory" in text:
        return "a file stands where a folder must be; choose another folder"
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    return text


@dataclass(frozen=True)
class ResultFolder:
    """One league's results: all paths, and safe reading and writing.

    Args:
        uri: The folder, as a path or URI.
    """

    uri: str

    @classmethod
    def at(cls, place: str | PathLike[str]) -> ResultFolder:
        """The folder of a path or URI, however it ends."""
        uri = fspath(place)
        return cls(uri.rstrip("/") or uri)

    def _at(self, name: str) -> tuple[FileSystem, str]:
        system, root = open_storage(self.uri)
        return system, f"{root}/{name}"

    def place(self, name: str) -> str:
        """A file of the folder, for messages."""
        return f"{self.uri.rstrip('/')}/{name}"

    @staticmethod
    def part(batch: int) -> str:
        """The name of a batch's part."""
        return f"matches/part-{batch:06d}.parquet"

    def list(self, folder: str) -> list[str]:
        """The names of the files in a folder of the results, sorted; none where the folder is missing."""
        return sorted(info.base_name for info in self._inside(folder) if info.is_file)

    def folders(self) -> tuple[str, ...]:
        """The names of the folders in it, sorted."""
        from pyarrow.fs import FileType

        return tuple(sorted(info.base_name for info in self._inside("") if info.type == FileType.Directory))

    def _inside(self, folder: str) -> Sequence[FileInfo]:
        """What lies in a folder of the results, or for "" in the folder of the results itself."""
        from pyarrow.fs import FileSelector

        system, path = self._at(folder)
        with told_as_results_error(self.place(folder)):
            return system.get_file_info(FileSelector(path.rstrip("/"), allow_not_found=True))  # type: ignore[no-any-return]

    def exists(self, name: str) -> bool:
        """Whether there is such a file."""
        from pyarrow.fs import FileType

        system, path = self._at(name)
        with told_as_results_error(self.place(name)):
            return system.get_file_info(path).type == FileType.File  # type: ignore[no-any-return]

    def read(self, name: str) -> bytes:
        """The content of a file."""
        system, path = self._at(name)
        with told_as_results_error(self.place(name)), system.open_input_stream(path) as stream:
            return stream.read()  # type: ignore[no-any-return]

    def open(self, name: str) -> Any:
        """A file for random access."""
        system, path = self._at(name)
        with told_as_results_error(self.place(name)):
            return system.open_input_file(path)

    def write(self, name: str, content: bytes | memoryview) -> None:
        """Write a file aside and rename it."""
        system, path = self._at(name)
        folder, _, base = path.rpartition("/")
        aside = f"{folder}/.{base}.{uuid4().hex[:8]}.tmp"
        with told_as_results_error(self.place(name)):
            system.create_dir(folder, recursive=True)
            try:
                with system.open_output_stream(aside) as stream:
                    stream.write(content)
                system.move(aside, path)
            except BaseException:
                with suppress(OSError):
                    system.delete_file(aside)
                raise

    def set_aside(self, name: str) -> str:
        """Rename a broken file, so that nobody reads it and somebody can look at it; answer its new name."""
        system, path = self._at(name)
        with told_as_results_error(self.place(name)):
            system.move(path, f"{path}.broken")
        return f"{name}.broken"

    def delete(self, name: str) -> None:
        """Delete a file."""
        system, path = self._at(name)
        with told_as_results_error(self.place(name)):
            system.delete_file(path)

    def clear(self) -> None:
        """Delete what a league wrote here, and nothing else.

        Raises:
            ResultsError: It is not a league's folder, or cannot be written.
        """
        system, root = open_storage(self.uri)
        if not self.exists(LEAGUE):
            taken = [name for name in _FOLDERS if self.list(name)]
            if taken:
                raise ResultsError(
                    f"{self.uri}: no league's folder ({LEAGUE} is missing), and {taken[0]} holds files; "
                    "nothing was deleted; choose another folder with --out"
                )
            return
        with told_as_results_error(self.uri):
            for folder in _FOLDERS:
                with suppress(FileNotFoundError):
                    system.delete_dir(f"{root}/{folder}")
            for name in (RATINGS, STANDINGS, LEAGUE):  # what says that it is a league's folder comes last
                with suppress(FileNotFoundError):
                    system.delete_file(f"{root}/{name}")

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other runs out of the folder meanwhile, where it lies in a file system and not in object storage.

        Raises:
            ResultsError: Another run is at it, or it cannot be written.
        """
        if "://" in self.uri:
            yield
            return
        from filelock import FileLock, Timeout

        lock = FileLock(self.place(".lock"), timeout=0)
        with told_as_results_error(self.uri):
            Path(self.uri).mkdir(parents=True, exist_ok=True)
            try:
                lock.acquire()
            except Timeout:
                raise ResultsError(
                    f"{self.uri}: another run plays this league; wait for it, or choose another folder with --out"
                ) from None
        try:
            yield
        finally:
            Path(lock.lock_file).unlink(missing_ok=True)
            lock.release()

    def sweep(self) -> None:
        """Delete what writers that were killed left aside."""
        for folder in ("", "matches/"):
            for name in self.list(folder):
                if name.startswith(".") and name.endswith(".tmp"):
                    system, path = self._at(f"{folder}{name}")
                    with suppress(OSError):
                        system.delete_file(path)

    def read_json(self, name: str) -> Any:
        """A JSON file's value.

        Raises:
            ResultsError: It is no JSON.
        """
        try:
            return json.loads(self.read(name))
        except (ValueError, RecursionError) as error:
            raise ResultsError(
                f"{self.place(name)}: not JSON ({error}); restore it, or start over with --fresh"
            ) from None

    def read_league(self, is_played: bool = False) -> dict[str, Any]:
        """What `league.json` says.

        Args:
            is_played: Whether it must be that of a league file; the matches of a check have less.

        Raises:
            ResultsError: It is no league's, or of another format version.
        """
        kept: dict[str, Any] = self.read_json(LEAGUE)
        version = kept.get("format") if isinstance(kept, dict) else None
        if version is not None and version != FORMAT_VERSION:
            raise ResultsError(
                f"{self.place(LEAGUE)}: format version {version}, this package reads {FORMAT_VERSION}; "
                f"install the package that wrote it (league {kept.get('league_version')})"
            )
        wrong = "no format" if version is None else misfit(kept, is_played)
        if wrong:
            raise ResultsError(
                f"{self.place(LEAGUE)}: not a league's ({wrong}); restore it, or start over with --fresh"
            )
        return kept

    def write_json(self, name: str, value: Any) -> None:
        """Write a value as JSON that people can read."""
        self.write(name, (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode())

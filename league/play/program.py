"""Inside the process of an external program: the last steps before it becomes that program; and what it may read."""

from __future__ import annotations

import os
import pickle
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from league.roster.programs import installed, no_program, on_path
from league.sandbox import Allowance
from league.sandbox.lockdown import interpreter_paths

_SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/dev/null", "/dev/urandom", "/proc/cpuinfo")
_LOADERS = ("/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/lib/ld-musl-x86_64.so.1")
_PLAIN_ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "HOME": "/",
    "OMP_NUM_THREADS": "1",
}


@dataclass(frozen=True)
class Program:
    """A program to become.

    Attributes:
        path: The file to run.
        words: The command line.
        interpreters: The programs that its first line names, if it is a script.
        home: The folder it starts in.
    """

    path: str
    words: Sequence[str]
    interpreters: Sequence[str]
    home: str


def find_program(command: str, home: Path) -> Program:
    """The program that a command line means on this machine.

    Args:
        command: Words as a shell reads them.
        home: The bundle's folder; words without a slash are looked up on the path.

    Raises:
        BotError: There is none.
    """
    words = shlex.split(command)
    found = str(home / words[0]) if "/" in words[0] else installed(words[0], command)
    if not os.access(found, os.X_OK):
        raise no_program(command, words[0])
    return Program(found, words, _interpreters(found), str(home))


def allowance_for(program: Program, memory_mb: int) -> Allowance:
    """What a program may use: itself, its interpreter, the system's libraries, its folder."""
    runnable = [program.path, *program.interpreters]
    folders = {Path(folder) for folder in os.environ.get("PATH", os.defpath).split(os.pathsep) if folder}
    # A stranger's script names interpreters; only those that the user's own path names may bring more than themselves.
    trusted = [program.path, *(path for path in program.interpreters if Path(path).parent in folders)]
    prefixes = [prefix for path in trusted for prefix in _prefixes(path)]
    python = interpreter_paths() if any("python" in Path(path).name for path in runnable) else ()
    readable = [*_SYSTEM, *prefixes, *python, program.home]
    return Allowance(readable, memory_mb, [*runnable, *_LOADERS], threads=True)


def _interpreters(path: str) -> list[str]:
    """The programs that a script's first line names."""
    with Path(path).open("rb") as file:
        first = file.readline(256)
    if not first.startswith(b"#!"):
        return []
    words = first[2:].decode(errors="replace").split()
    found = [words[0]] if words else []
    if found and Path(found[0]).name == "env":
        names = [word for word in words[1:] if "/" not in word]
        found += [there for name in names if (there := on_path(name))]
    return found


def _prefixes(path: str) -> list[str]:
    """Where a program outside the system's folders keeps its libraries: the folder that holds its `bin`.

    None for a program in the user's own `bin`, beside which lies all that the user has.
    """
    user = Path(os.path.realpath(os.path.expanduser("~")))  # noqa: PTH111 - there may be no home, which Path refuses
    binaries = {Path(path).parent, Path(os.path.realpath(path)).parent}
    prefixes = {folder.parent for folder in binaries if folder.name == "bin"}
    return sorted(
        str(prefix) for prefix in prefixes if Path(os.path.realpath(prefix)) not in (user, *user.parents)
    )


def run(argument: bytes, handles: Sequence[int]) -> None:
    """Become the program, with its standard input and output on the two handles."""
    program: Program = pickle.loads(argument)
    for stream, handle in enumerate(handles):
        os.dup2(handle, stream)
        os.close(handle)
    os.chdir(program.home)
    # env, which looks for the others, comes last
    places = [str(Path(interpreter).parent) for interpreter in reversed(program.interpreters)]
    environment = _PLAIN_ENVIRONMENT | {"PATH": ":".join([*places, _PLAIN_ENVIRONMENT["PATH"]])}
    # by its whole path, from which an interpreter tells where its libraries are
    os.execve(program.path, [program.path, *program.words[1:]], environment)

"""What a bot had better not use, for no league can repeat it: found in its source, and by watching it play."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from league.games import Game
from league.play import Batch, Limits
from league.play.inside import Job
from league.play.isolated import rehearsed
from league.play.touching import Touched
from league.roster import Entry
from league.roster.describe import readable_to
from league.roster.load import home_of
from league.sandbox import Allowance
from league.sandbox.listen import answer_of

WATCHED = 2
"""Matches in which a bot is watched."""

WATCHED_S = 20
"""How long they may take; a bot that is slower is not watched to their end."""

UNREPEATABLE: Mapping[str, str] = {
    "time": "the clock",
    "datetime": "the clock",
    "secrets": "the system's randomness",
    "uuid": "the system's randomness",
    "os.urandom": "the system's randomness",
    "random": "the global generator",
    "numpy.random": "the global generator",
    "threading": "threads, which isolated bots cannot have",
    "multiprocessing": "processes, which isolated bots cannot have",
    "subprocess": "processes, which isolated bots cannot have",
    "socket": "the network, which isolated bots cannot reach",
    "urllib": "the network, which isolated bots cannot reach",
}
"""What a bot had better not use, and why."""

_FINE = frozenset({"random.Random", "numpy.random.default_rng", "numpy.random.Generator"})


def unrepeatable(entry: Entry, game: Game, seed: int) -> Iterator[str]:
    """What a bot uses that a league cannot repeat: as its source has it, and as it is seen to do when it plays."""
    if entry.kind == "external":
        return
    found = {
        (path, line): name
        for path, content in sorted(entry.bundle.files.items())
        if path.endswith(".py")
        for line, name in sorted(set(_uses(content)))
    }
    for path, line, name in _touched(entry, game, seed):
        if line or not any(name == _root(known) for known in found.values()):
            found.setdefault((path, line), name)
    for (path, line), name in sorted(found.items()):
        place = f"{path}:{line}: " if line else ""
        yield f"{place}uses {name}, {UNREPEATABLE[_root(name)]}; self.rng repeats"


def _touched(entry: Entry, game: Game, seed: int) -> list[Touched]:
    """What is seen in two matches, in a process of their own."""
    bundle = entry.bundle
    if entry.kind == "compiled" or not bundle.main.endswith(".py"):
        return []
    spec = (game.name, game.seats, game.options.model_dump())
    job = Job(
        spec, entry.kind, home_of(bundle), bundle.main, bundle.attribute, bundle.version, entry.options, seed
    )
    batch = Batch(0, 0, np.arange(WATCHED), np.zeros((WATCHED, game.seats), np.int16))
    told, _ = answer_of(
        "league.play.touching:report",
        (replace(job, code=rehearsed(job, Limits()).code), batch, Limits(), seed),
        Allowance(readable_to(job.home), Limits().memory_mb),
        ("league.play.inside:prepare", (spec, entry.kind)),
        WATCHED_S,
    )
    try:
        return [(str(path), int(line), str(name)) for path, line, name in json.loads(told or b"[]")]
    except (ValueError, TypeError):
        return []


def _root(name: str) -> str:
    return next((root for root in UNREPEATABLE if name == root or name.startswith(f"{root}.")), "")


def _uses(content: bytes) -> Iterator[tuple[int, str]]:
    """Line and full name of each use of something in `UNREPEATABLE`."""
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):
        return
    known = dict(_imports(tree))
    for node in ast.walk(tree):
        name = _dotted(node.func, known) if isinstance(node, ast.Call) else ""
        if _root(name) and name not in _FINE:
            yield node.lineno, name  # type: ignore[attr-defined]


def _imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Local names and what they stand for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.split(".")[0]
                yield alias.asname or top, alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _dotted(node: ast.AST, known: Mapping[str, str]) -> str:
    """The full name of an attribute or name; empty if it does not begin with an import."""
    if isinstance(node, ast.Name):
        return known.get(node.id, "")
    if isinstance(node, ast.Attribute):
        base = _dotted(node.value, known)
        return f"{base}.{node.attr}" if base else ""
    return ""

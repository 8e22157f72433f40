"""Imports point downwards only, and what is costly to load is loaded late."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "league"

FLOORS = {
    5: "league.cli league.cli.* league.__main__",
    4: "league.*",
    3: "league.config league.config.* league.play.*",
    2: "league.schedule.* league.store.* league.rate.* league.games.* league.roster.* league.sandbox.* "
    "league.adapters.openspiel",
    1: "league league.addresses league.bot league.kernels league.games league.games.matches league.games.plain "
    "league.play league.rate league.roster league.sandbox league.schedule league.store",
    0: "league.errors league.kept league.mistakes league.seeds league.clock league.user_cache league.words",
}
"""The floors from the ground; a package's own name is the idea that it defines."""


def floor_of(module: str) -> int:
    """The floor of a module by its own name, else by its package's."""
    floors = {name: floor for floor, names in FLOORS.items() for name in names.split()}
    while module not in floors:
        module = f"{module.removesuffix('.*').rpartition('.')[0]}.*"
    return floors[module]


def modules() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted(PACKAGE.rglob("*.py")):
        parts = file.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        yield name, ast.parse(file.read_text())


def runtime_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those that only type checkers see."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
            continue
        yield child
        yield from runtime_nodes(child)


def imports(tree: ast.AST) -> Iterator[str]:
    """The modules that a module imports, anywhere in it."""
    for node in runtime_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                is_module = (ROOT / whole.replace(".", "/")).is_dir() or (
                    ROOT / f"{whole.replace('.', '/')}.py"
                ).exists()
                yield whole if is_module else node.module


ALL = dict(modules())


@pytest.mark.parametrize("name", ALL)
def test_imports_point_downwards(name: str) -> None:
    here = floor_of(name)
    above = {
        other for other in imports(ALL[name]) if other.split(".")[0] == "league" and floor_of(other) > here
    }
    assert not above, f"{name} stands on floor {here}"


@pytest.mark.parametrize(
    ("package", "allowed"),
    [
        ("ray", "league.run.on_ray"),
        ("click", "league.cli"),
        ("pyspiel", "league.adapters.openspiel"),
        ("jinja2", "league.report"),
        ("altair", "league.report"),
    ],
)
def test_one_place_imports(package: str, allowed: str) -> None:
    users = {
        name for name, tree in ALL.items() if any(found.split(".")[0] == package for found in imports(tree))
    }
    assert {name for name in users if not f"{name}.".startswith(f"{allowed}.")} == set()


def test_games_stand_on_the_ground() -> None:
    for name, tree in ALL.items():
        if name.startswith("league.games."):
            game = ".".join(name.split(".")[:3])
            outside = {
                found for found in imports(tree) if found.startswith("league") and not found.startswith(game)
            }
            assert all(floor_of(found) <= 1 for found in outside), name


@pytest.mark.parametrize("command", [["-c", "import league"], ["-m", "league", "--help"]])
def test_what_is_costly_loads_late(command: list[str]) -> None:
    flags = ["-X", "importtime", *command]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    came = subprocess.run(
        [sys.executable, *flags], capture_output=True, text=True, check=True, env=environment
    )
    loaded = {line.rpartition("|")[2].strip().split(".")[0] for line in came.stderr.splitlines()}
    assert "league" in loaded
    assert not loaded & {"ray", "numba", "pandas", "pyarrow", "pydantic", "rich"}

"""The kernels as plain Python, and compiled with every index checked, each in a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from league.games.find import game_names

ROOT = Path(__file__).parent.parent.parent
OF_KERNELS = (
    "legal_lists or illegal_bytes or inside_their_rows or hidden_things or agree_with_steps or vectors"
)


@pytest.mark.parametrize("mode", ["NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"])
@pytest.mark.parametrize("name", game_names())
def test_rules_of_a_game(name: str, mode: str) -> None:
    places = ["tests/games/test_contract.py", f"tests/games/{name}"]
    chosen = [place for place in places if (ROOT / place).exists()]
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *chosen]
    command += ["-k", f"{name} and ({OF_KERNELS})"]
    found = subprocess.run(command, cwd=ROOT, env=os.environ | {mode: "1"}, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout

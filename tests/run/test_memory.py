"""Memory does not grow with the number of matches."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.run.playing import ROOT

DRIVER = """
import resource, sys
from pathlib import Path
from league.config import config_of
from league.run.league import run_league

for matches in map(int, sys.argv[2:]):
    bots = [{"use": "compiled_random"}, {"use": "compiled_highest_face"}]
    document = {
        "league": {"name": str(matches)},
        "game": {"name": "regenwormen", "seats": 2},
        "schedule": {"matches": matches, "batch": 2000},
        "bots": bots,
    }
    run_league(config_of(document, Path()), sys.argv[1], engine="inline")
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peaks(folder: Path, *matches: int) -> list[int]:
    """Peak memory of the driver, in KiB, after leagues of so many matches."""
    command = [sys.executable, "-c", DRIVER, str(folder), *map(str, matches)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    came = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return [int(line) for line in came.stdout.split()]


def test_ten_times_the_matches_need_no_more_memory(tmp_path: Path) -> None:
    some, many = peaks(tmp_path, 10_000, 100_000)
    assert many < 1.2 * some


@pytest.mark.slow
def test_a_million_matches_need_no_more_memory(tmp_path: Path) -> None:
    some, many = peaks(tmp_path, 100_000, 1_000_000)
    assert many < 1.2 * some

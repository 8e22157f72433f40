"""Playing tiny leagues: in this process, in one of its own, and how to compare what they came to."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from league.config import read_config
from league.progress import Quiet
from league.run.league import Summary, run_league
from tests.tiny import outcome, steady

ROOT = Path(__file__).parent.parent.parent


class Notes(Quiet):
    """Keeps what a run says."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def note(self, text: str) -> None:
        self.said.append(text)


def run(file: Path, out: str = "out", **how: object) -> Summary:
    return run_league(read_config(file), str(file.parent / out), **{"engine": "inline", **how})  # type: ignore[arg-type]


def assert_same(results: Path, reference: Path) -> None:
    assert steady(results).equals(steady(reference))
    assert outcome(results) == outcome(reference)


def start(file: Path, *more: str, parts: int = 2) -> subprocess.Popen[str]:
    """`league run` in a process group of its own, at work once there are so many parts."""
    command = [sys.executable, "-m", "league", "run", str(file), "--out", str(file.parent / "out"), *more]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=environment,
    )
    folder = file.parent / "out" / "tiny" / "matches"
    while len(list(folder.glob("part-*.parquet"))) < parts:
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    return process

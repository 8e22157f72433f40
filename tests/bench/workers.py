"""Two Ray workers beside one, in turn, on a shorter `configs/regenwormen.toml`: `python -m tests.bench.workers`."""

from __future__ import annotations

import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

from league.clock import now_ns
from league.config import config_of
from league.run.league import run_league
from league.run.progress import Quiet

CONFIGS = Path(__file__).parents[2] / "configs"


class Clocked(Quiet):
    """Notes when how many matches were rated."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int]] = []

    def advance(self, folded: int, played: int, leaders: Sequence[str]) -> None:
        """A batch came in."""
        self.seen.append((now_ns(), folded))


def matches_a_second(matches: int, workers: int) -> float:
    """Matches played, logged and rated a second on Ray, from the first batch that came in to the last."""
    document = tomllib.loads((CONFIGS / "regenwormen.toml").read_text())
    document["schedule"] |= {"matches": matches, "batch": 2500}
    clocked = Clocked()
    with tempfile.TemporaryDirectory() as folder:
        run_league(config_of(document, CONFIGS), folder, engine="ray", workers=workers, reporter=clocked)
    (begun, first), (ended, last) = clocked.seen[0], clocked.seen[-1]
    return (last - first) / (ended - begun) * 1e9


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    figures = [(matches_a_second(count, 1), matches_a_second(count, 2)) for _ in range(3)]
    one, two = (max(column) for column in zip(*figures, strict=True))
    print(f"matches a second: one worker {one:,.0f}, two {two:,.0f}, ratio {two / one:.2f}")

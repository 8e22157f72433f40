"""Two Ray workers beside one, in turn: `python -m tests.bench.workers`.

Compiled bots play so fast that on two cores the third process, which rates their matches, takes its share of them.
"""

from __future__ import annotations

import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

from league.clock import now_ns
from league.config import config_of
from league.progress import Quiet
from league.run.league import run_league

CONFIGS = Path(__file__).parents[2] / "configs"


class Clocked(Quiet):
    """Notes when how many matches were rated."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int]] = []

    def advance(self, done: int, now: int, leaders: Sequence[str] = ()) -> None:
        """A batch came in."""
        self.seen.append((now_ns(), done))


def matches_a_second(config: str, matches: int, workers: int) -> float:
    """Matches played, logged and rated a second on Ray, from the first batch that came in to the last."""
    document = tomllib.loads((CONFIGS / config).read_text())
    document["schedule"] |= {"matches": matches, "batch": matches // 80}
    clocked = Clocked()
    with tempfile.TemporaryDirectory() as folder:
        run_league(config_of(document, CONFIGS), folder, engine="ray", workers=workers, reporter=clocked)
    (begun, first), (ended, last) = clocked.seen[0], clocked.seen[-1]
    return (last - first) / (ended - begun) * 1e9


if __name__ == "__main__":
    for config, matches in (("demo.toml", 12_000), ("regenwormen.toml", 400_000)):
        figures = [[matches_a_second(config, matches, workers) for workers in (1, 2)] for _ in range(3)]
        one, two = (max(column) for column in zip(*figures, strict=True))
        print(
            f"{config}: matches a second with one worker {one:,.0f}, with two {two:,.0f}, ratio {two / one:.2f}"
        )

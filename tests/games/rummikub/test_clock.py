"""The time limit of a turn (RK-14) in leagues: too late costs the penalty tiles, and is no fault."""

from __future__ import annotations

from pathlib import Path

import pytest

import league
from league.config import read_config
from league.errors import ConfigError
from league.run.league import run_league

BOTS = """
import time
from league import Bot
from league.games.rummikub.actions import DRAW, Plain

class Quick(Bot):
    game = "rummikub"
    def choose(self, view):
        return DRAW

class Slow(Quick):
    thought = False
    def choose(self, view):
        if not self.thought:
            time.sleep(1.2)
        self.thought = True
        return DRAW

class Cheat(Quick):
    def choose(self, view):
        return Plain(self.options["kind"])
    options = {"kind": "penalty"}
"""


def league_file(folder: Path, *bots: str, isolation: str, decision_ms: int = 5000, limit_s: int = 1) -> Path:
    (folder / "bots.py").write_text(BOTS)
    lines = [
        '[league]\nname = "clock"\nseed = 1\n[schedule]\nmatches = 2\n[limits]',
        f"decision_ms = {decision_ms}",
        f'[game]\nname = "rummikub"\nseats = 2\nmax_turns = 6\ntime_limit_s = {limit_s}',
        *(f'[[bots]]\nuse = "bots.py:{bot}"\nisolation = "{isolation}"' for bot in bots),
    ]
    (folder / "league.toml").write_text("\n".join(lines))
    return folder / "league.toml"


def penalties(folder: Path, match: int) -> list[tuple[int, str]]:
    events = league.replay(folder, match).events()
    return [(event["seat"], event["reason"]) for event in events if event["event"] == "penalty"]


@pytest.mark.parametrize("isolation", ["none", "process"])
def test_too_late_costs_tiles_and_is_no_fault(isolation: str, tmp_path: Path) -> None:
    file = league_file(tmp_path, "Quick", "Slow", isolation=isolation)
    run_league(read_config(file), tmp_path / "out", engine="inline")
    results = tmp_path / "out" / "clock"
    assert [penalties(results, match) for match in (0, 1)] == [[(0, "time_limit")], [(1, "time_limit")]]
    assert {row["bot"]: row["faults"] for row in league.standings(results).to_dict("records")} == {
        "quick": 0,
        "slow": 0,
    }
    assert league.verify(results).wrong == []


@pytest.mark.parametrize("kind", ["penalty", "time_limit"])
def test_nobody_may_choose_a_penalty(kind: str, tmp_path: Path) -> None:
    file = league_file(tmp_path, "Quick", "Cheat", isolation="none")
    file.write_text(f'{file.read_text()}\noptions = {{ kind = "{kind}" }}')
    run_league(read_config(file), tmp_path / "out", engine="inline")
    results = tmp_path / "out" / "clock"
    faults = [event for event in league.replay(results, 0).events() if event["event"] == "fault"]
    assert [(fault["seat"], fault["kind"]) for fault in faults] == [(0, "illegal")]
    assert "only the rules impose that" in faults[0]["message"]
    assert penalties(results, 0) == [(0, "illegal")]
    assert league.verify(results).wrong == []


def test_the_leagues_own_limit_must_stand_above(tmp_path: Path) -> None:
    file = league_file(tmp_path, "Quick", "Slow", isolation="none", decision_ms=1000)
    with pytest.raises(ConfigError, match=r"limits\.decision_ms = 1000: the game's own clock gives 1000"):
        read_config(file)

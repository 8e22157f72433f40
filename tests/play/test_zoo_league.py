"""A real league with the whole zoo in it comes to the same as one in which each beast merely fails where it attacks."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from league.config import read_config
from league.read import standing_rows, tables
from league.run.league import Summary, run_league
from tests.play import zoo
from tests.play.zoo import HONEST, Beast, denied

SHARE = 0.8
"""Each beast attacks in this share of its matches; those that attack at birth do in all of them."""

LEAGUE = """
[league]
name = "zoo"
seed = 5
[game]
name = "regenwormen"
seats = 3
max_turns = 30
[schedule]
format = "gauntlet"
challengers = {names}
matches = {matches}
batch = 60
[limits]
decision_ms = 150
start_s = 1
memory_mb = 200
faults_per_batch = 3
"""
BOT = """
[[bots]]
name = "{name}"
use = "{file}.py"
isolation = "{isolation}"
"""
RAISE, FAIR = "raise RuntimeError", "return self.fair(view)"


def when_played(beast: Beast) -> Beast:
    """One that behaves at its first import, by which the league finds out what it is."""
    return replace(beast, before=f"import sys\nif 'league.play.inside' in sys.modules:\n    {beast.before}")


def beasts(results: Path) -> dict[str, tuple[Beast, Beast]]:
    """All hostile bots, each with a tame one that fails where it should come to nothing else than a fault."""
    own = {"reads_the_results": denied(f"os.listdir({str(results)!r})"), "Вор 盗 🐛": zoo.HARMLESS["reseeds"]}
    nothing = {**zoo.DENIED, **zoo.HARMLESS, **own}
    return {
        **{name: (beast, Beast(attack=RAISE)) for name, beast in zoo.AT_A_DECISION.items()},
        **{name: (beast, Beast(attack=FAIR)) for name, beast in nothing.items()},
        **{name: (beast, Beast(born=RAISE, attack=FAIR)) for name, beast in zoo.AT_BIRTH.items()},
        **{
            name: (when_played(beast), Beast(fair=RAISE, attack=RAISE))
            for name, beast in zoo.AT_IMPORT.items()
        },
    }


def play(folder: Path, sources: dict[str, str], isolation: str) -> Summary:
    """A gauntlet of the bots against two honest ones."""
    folder.mkdir()
    (folder / "honest.py").write_text(HONEST)
    text = LEAGUE.format(names=list(sources), matches=3 * len(sources)).replace("'", '"')
    for number, (name, source) in enumerate(sources.items()):
        (folder / f"beast_{number}.py").write_text(source)
        text += BOT.format(name=name, file=f"beast_{number}", isolation=isolation)
    text += BOT.format(name="honest-apart", file="honest", isolation="process")
    text += BOT.format(name="honest", file="honest", isolation="none")
    (folder / "zoo.toml").write_text(text)
    return run_league(read_config(folder / "zoo.toml"), str(folder / "out"), engine="inline")


def results_of(summary: Summary) -> list[dict[str, Any]]:
    """All matches, without what tells the two leagues apart: versions, kinds of faults, times."""
    rows = [row for table in tables(summary.folder) for row in table.to_pylist()]
    for row in rows:
        row["bots"] = [label.rpartition("@")[0] for label in row["bots"]]
        row["faults"] = [
            (each["seat"], each["decision"], each["kind"] == "forfeit") for each in row["faults"]
        ]
        del row["think_us"], row["worker"]
    return rows


def standings_of(summary: Summary) -> list[dict[str, Any]]:
    return [{**row, "version": ""} for row in standing_rows(summary.folder)]


def traces() -> list[object]:
    """All that could be left behind outside of the league's own folder."""
    children = [child.pid for child in psutil.Process().children(recursive=True)]
    return [children, sorted(os.listdir("/dev/shm")), sorted(Path("/tmp").glob("left_behind*"))]  # noqa: PTH208


@pytest.fixture(scope="module")
def leagues(tmp_path_factory: pytest.TempPathFactory) -> tuple[Summary, Summary, list[object], list[object]]:
    """The wild league, the tame one, and what there was besides before and after."""
    folder = tmp_path_factory.mktemp("zoo")
    pairs = beasts(folder)
    share = {name: 2 if name in zoo.AT_BIRTH else SHARE for name in pairs}
    tame = play(
        folder / "tame", {name: tame.source(share[name]) for name, (_, tame) in pairs.items()}, "none"
    )
    before = traces()
    wild = play(
        folder / "wild", {name: wild.source(share[name]) for name, (wild, _) in pairs.items()}, "process"
    )
    return wild, tame, before, traces()


def test_every_match_comes_to_the_same(leagues: tuple[Summary, Summary, list[object], list[object]]) -> None:
    wild, tame, _, _ = leagues
    assert wild.complete
    assert wild.faults > len(zoo.AT_A_DECISION)
    assert results_of(wild) == results_of(tame)
    assert standings_of(wild) == standings_of(tame)


def test_nothing_is_left(leagues: tuple[Summary, Summary, list[object], list[object]]) -> None:
    wild, _, before, after = leagues
    assert after == before
    left = {path.name for path in Path(wild.folder).iterdir()}
    assert left == {"bots", "league.json", "logs", "matches", "ratings.parquet", "standings.json"}


def test_every_beast_is_charged_with_what_it_did(
    leagues: tuple[Summary, Summary, list[object], list[object]], tmp_path: Path
) -> None:
    found: dict[str, set[str]] = {}
    for table in tables(leagues[0].folder):
        for row in table.to_pylist():
            for fault in row["faults"]:
                found.setdefault(row["bots"][fault["seat"]].rpartition("@")[0], set()).add(fault["kind"])
    expected = {name: wild.kinds for name, (wild, _) in beasts(tmp_path).items() if wild.kinds}
    assert found == expected

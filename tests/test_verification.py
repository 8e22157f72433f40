"""Verification replays what was logged, and finds whatever was tampered with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import league
from league.errors import LeagueError, ResultsError
from league.report import build
from tests.run.playing import run
from tests.tiny import NAMES, write_league

Row = dict[str, Any]


@pytest.fixture
def results(tmp_path: Path) -> str:
    run(write_league(tmp_path, matches=40))
    return str(tmp_path / "out" / "tiny")


def tamper(results: str, match: int, change: Callable[[Row], object]) -> None:
    """Change a match in its part, as a forger with Parquet tools would."""
    part = Path(results) / "matches" / f"part-{match // 20:06d}.parquet"
    table = pq.read_table(part)
    found = table.to_pylist()
    change(found[match % 20])
    pq.write_table(pa.Table.from_pylist(found, schema=table.schema), part)


def cut(row: Row) -> None:
    row["actions"] = row["actions"][:-3]


def bend(row: Row) -> None:
    row["actions"] = bytes([row["actions"][0] % 6 + 1]) + row["actions"][1:]


FORGERIES: dict[str, Callable[[Row], object]] = {
    "scores": lambda row: row["scores"].__setitem__(0, row["scores"][0] + 1),
    "ranks": lambda row: row["ranks"].reverse(),
    "turns": lambda row: row.update(turns=row["turns"] + 1),
    "decisions": lambda row: row.update(decisions=1),
    "termination": lambda row: row.update(termination="truncated"),
    "deal": lambda row: row.update(deal=row["deal"] + 1),
    "a decision cut off": cut,
    "another decision": bend,
    "a fault denied": lambda row: row.update(
        faults=[{"seat": 0, "decision": 0, "kind": "illegal", "message": ""}]
    ),
}


def test_an_honest_league_verifies(results: str) -> None:
    assert league.verify(results) == league.verify(results, bots=True)
    assert (league.verify(results).checked, league.verify(results).wrong) == (40, [])
    assert league.verify(results, sample=7).checked == 7
    assert league.verify(results, sample=500).checked == 40


@pytest.mark.parametrize("what", FORGERIES)
def test_a_tampered_match_is_found(what: str, results: str) -> None:
    match = next(
        row["match"]
        for row in league.matches(results, ["match", "ranks", "scores"]).to_dict("records")
        if row["match"] > 20 and row["ranks"].tolist() == [0, 1]
    )
    tamper(results, match, FORGERIES[what])
    verdict = league.verify(results)
    assert verdict.checked == 40
    (line,) = verdict.wrong
    assert line.startswith(f"match {match}: ")


def test_lost_and_damaged_files_are_told_by_whoever_reads(results: str) -> None:
    folder = Path(results)
    (folder / "matches" / "part-000001.parquet").rename(folder / "aside")
    for ask in (league.verify, build):
        with pytest.raises(
            ResultsError, match=r"20 of the rated matches are not there; run the league again"
        ):
            ask(folder)
    with pytest.raises(ResultsError, match=r"match 25 is not in .* run the league again"):
        league.replay(folder, 25)
    (folder / "aside").rename(folder / "matches" / "part-000001.parquet")
    assert league.verify(folder).checked == 40
    assert len(league.matches(folder, ["turns"], first=30, end=2**70)) == 10
    with pytest.raises(LeagueError, match="unknown column 'turn': did you mean 'turns'"):
        league.matches(folder, ["turn"])
    for name, reader in (("ratings.parquet", league.ratings), ("standings.json", league.standings)):
        (folder / name).write_text("[]")
        for reads in (reader, build):
            with pytest.raises(ResultsError, match=rf"{name}: .*run the league again, which rates it anew"):
                reads(folder)


def test_bots_that_act_otherwise_are_found(tmp_path: Path) -> None:
    run(write_league(tmp_path, matches=40, bots=NAMES[:2]))
    results = str(tmp_path / "out" / "tiny")
    for file in (Path(results) / "bots").glob("*/tiny.py"):
        file.write_text(file.read_text().replace("view.legal[-1]", "view.legal[0]"))
    assert league.verify(results).wrong == []
    wrong = league.verify(results, bots=True).wrong
    assert wrong
    assert all("the bots now act otherwise" in line and "last@" in line for line in wrong)


def test_replays_need_actions_and_the_same_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(write_league(tmp_path, matches=20, log={"level": "results"}))
    results = str(tmp_path / "out" / "tiny")
    for ask in (lambda: league.verify(results), lambda: league.replay(results, 0)):
        with pytest.raises(ResultsError, match=r'log\.level = "results"'):
            ask()
    monkeypatch.setattr("league.games.regenwormen.Regenwormen.version", 99)
    with pytest.raises(ResultsError, match="version 1 of regenwormen, this package has version 99; install"):
        league.verify(results)

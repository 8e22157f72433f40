"""A bot that fails too often forfeits the rest of its batch, as the last words, standings and report say."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from league.cli import main
from league.read import standing_rows, tables
from tests.tiny import write_league

FALLING = """
from league import Bot

class Falling(Bot):
    game = "regenwormen"

    def choose(self, view):
        print("about to fall")
        raise RuntimeError("fell over")
"""
BOT = """
[[bots]]
use = "falling.py"
isolation = "process"
"""


def test_a_bot_over_its_budget_is_forfeited_and_shown_with_its_log(tmp_path: Path) -> None:
    (tmp_path / "falling.py").write_text(FALLING)
    file = write_league(
        tmp_path, matches=36, batch=36, bots=("First", "Last"), limits={"faults_per_batch": 3}
    )
    file.write_text(file.read_text() + BOT)
    came = CliRunner().invoke(main, ["run", str(file), "--engine", "inline", "--out", str(tmp_path / "out")])
    assert came.exit_code == 1, came.stderr
    results = tmp_path / "out" / "tiny"
    faults = [fault for table in tables(str(results)) for row in table.to_pylist() for fault in row["faults"]]
    forfeits = sum(fault["kind"] == "forfeit" for fault in faults)
    assert {fault["kind"] for fault in faults} == {"exception", "forfeit"}
    assert len(faults) == 24
    assert f"{24 - forfeits} faults, {forfeits} matches forfeited: falling" in came.stderr.splitlines()
    assert [(row["faults"], row["forfeits"]) for row in standing_rows(str(results))] == [
        (0, 0),
        (0, 0),
        (24 - forfeits, forfeits),
    ]
    heading, *_, last = [line.split() for line in came.stdout.splitlines() if line.strip()][:5]
    assert (heading[-1], last[-1]) == ("forfeits", str(forfeits))
    page = (results / "report" / "bots" / "falling.html").read_text()
    assert "RuntimeError: fell over (falling.py:9)" in page
    assert f"forfeited the matches that were left there: {forfeits} in all" in page
    (log,) = (results / "logs").glob("falling@*/batch-000000.log")
    assert log.read_text().startswith("about to fall\n")
    assert f"logs/{log.parent.name}" in page
    assert "quarantined" in (results / "report" / "index.html").read_text()

"""Verification replays what was logged, and finds whatever was tampered with."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import league
from league.cli import main
from league.errors import LeagueError, ResultsError
from league.logged import open_league
from league.report import build
from league.roster import Bundle, label_of
from league.verification import Verdict, seated_from
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
    """One that draws from the global generators, unguarded in the league, does so when it is asked apart."""
    run(write_league(tmp_path, matches=40, bots=NAMES[1:]))
    results = str(tmp_path / "out" / "tiny")
    assert league.verify(results).wrong == []
    wrong = league.verify(results, bots=True).wrong
    assert wrong
    assert all("the bots now act otherwise" in line and "chance@" in line for line in wrong)


def test_bots_that_act_the_same_verify_whether_trusted_or_not(tmp_path: Path) -> None:
    file = write_league(tmp_path, matches=40, bots=NAMES[:2])
    with file.open("a") as more:
        more.write('[[bots]]\nuse = "highest_face"\nisolation = "none"\n')
    run(file)
    opened = open_league(tmp_path / "out" / "tiny")
    seated = [seated_from(opened.folder, bot).isolation for bot in opened.kept["bots"]]
    assert seated == ["process", "process", "none"]
    assert league.verify(tmp_path / "out" / "tiny", bots=True) == Verdict(40, [])


HARMFUL = """
import os
from pathlib import Path
from league import Bot

class First(Bot):
    game = "regenwormen"
    def choose(self, view):
        return view.legal[0]

try:
    Path("MARK").write_text(str(os.getpid()))
except OSError:
    pass
"""


def forge(results: Path, place: int, source: str) -> dict[str, Any]:
    """Put another source in the place of a bot's, and let everything in `league.json` say that it was always there."""
    kept = json.loads((results / "league.json").read_text())
    bot = kept["bots"][place]
    forged = Bundle({bot["main"]: source.encode()}, bot["main"], bot["attribute"])
    (results / "bots" / forged.version).mkdir()
    (results / "bots" / forged.version / bot["main"]).write_text(source)
    bot |= {"version": forged.version, "isolation": "none", "label": label_of(bot["name"], forged.version)}
    (results / "league.json").write_text(json.dumps(kept))
    return bot  # type: ignore[no-any-return]


def test_code_from_a_result_folder_runs_apart_whatever_the_folder_says(tmp_path: Path) -> None:
    run(write_league(tmp_path, matches=20, bots=NAMES[:2]))
    results, mark = tmp_path / "out" / "tiny", tmp_path / "mark"
    before = json.loads((results / "league.json").read_text())["bots"][0]["label"]
    forged = forge(results, 0, HARMFUL.replace("MARK", str(mark)))
    with pytest.raises(
        ResultsError, match=r"part-000000\.parquet: played by first@\w{6}, which .*league\.json does not"
    ):
        league.verify(results, bots=True)
    for part in (results / "matches").iterdir():
        table = pq.read_table(part)
        found = table.to_pylist()
        for row in found:
            row["bots"] = [forged["label"] if label == before else label for label in row["bots"]]
        pq.write_table(pa.Table.from_pylist(found, schema=table.schema), part)
    assert league.verify(results, bots=True) == Verdict(20, [])
    assert not mark.exists()


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        (None, None, r"bots/\w{12}: not the source of first@\w{6} that was played; restore it"),
        ("main", "other.py", "not the source of first"),
        ("label", "first@000000", "not the source of first"),
        ("files", ["../../../../tiny.py"], "cannot hold '../../../../tiny.py'; restore the file"),
    ],
)
def test_sources_that_are_not_those_that_were_played_are_refused(
    key: str | None, value: object, told: str, tmp_path: Path
) -> None:
    run(write_league(tmp_path, matches=20, bots=NAMES[:2]))
    results = tmp_path / "out" / "tiny"
    kept = json.loads((results / "league.json").read_text())
    if key is not None:
        kept["bots"][0][key] = value
        (results / "league.json").write_text(json.dumps(kept))
    else:
        file = results / "bots" / kept["bots"][0]["version"] / "tiny.py"
        file.write_text(file.read_text() + HARMFUL.replace("MARK", str(tmp_path / "mark")))
    with pytest.raises(ResultsError, match=told):
        league.verify(results, bots=True)
    assert not (tmp_path / "mark").exists()
    assert league.verify(results).checked == 20


DAMAGE: list[tuple[str, object, str]] = [
    ("matches", "many", "matches = 'many': give a whole number"),
    ("batch", -1, "batch = -1: give at least 0"),
    ("league_version", None, "league_version = None: give a text"),
    ("config", [], r"config = \[\]: "),
    ("config.league.seed", "7", r"config\.league\.seed = '7': give a whole number"),
    ("config.league.name", "\x1b[31m", r"config\.league\.name: holds what cannot be printed"),
    ("config.game.version", "1", r"config\.game\.version = '1': give a whole number"),
    ("config.game", {}, r"config\.game\.name is missing"),
    ("config.log.level", "all", r"config\.log\.level: unknown value 'all'"),
    ("bots", {}, r"bots = \{\}: give a list"),
    ("bots.0", "first", r"bots\.0 = 'first': "),
    ("bots.0.name", "\ud800", r"bots\.0\.name"),
    ("bots.0.label", "first", r"bots: the label 'first' is not that of 'first'"),
    ("bots.0.files", "tiny.py", r"bots\.0\.files = 'tiny\.py': give a list"),
    ("bots.0.options", {"a": []}, r"bots\.0\.options"),
    ("bots.0.isolation", "None", r"bots\.0\.isolation: unknown value 'None'"),
]
DAMAGE_TO_A_LEAGUE: list[tuple[str, object, str]] = [
    ("config.bots", {"first": 1}, r"config\.bots\.first = 1: "),
    ("config.limits", None, r"config\.limits = None: "),
    ("config.limits.match_s", "60", r"config\.limits\.match_s = '60': give a whole number"),
    ("config.rating.tau", "0", r"config\.rating\.tau = '0': give a number"),
]


def damage(results: Path, key: str, value: object) -> None:
    """Change one place of `league.json`."""
    kept = json.loads((results / "league.json").read_text())
    inner, (*way, last) = kept, [int(word) if word.isdecimal() else word for word in key.split(".")]
    for word in way:
        inner = inner[word]
    inner[last] = value
    (results / "league.json").write_text(json.dumps(kept))


@pytest.mark.parametrize(("key", "value", "told"), [*DAMAGE, *DAMAGE_TO_A_LEAGUE])
def test_a_damaged_league_file_is_told_in_one_line_by_whoever_reads_it(
    key: str, value: object, told: str, results: str
) -> None:
    damage(Path(results), key, value)
    commands = [["verify", "--bots"], ["report"]]
    if (key, value, told) in DAMAGE:
        commands += [["verify"], ["replay", "0"], ["export", "--what", "events"]]
    for name, *rest in commands:
        done = CliRunner().invoke(main, [name, results, *rest])
        assert (done.exit_code, type(done.exception)) == (2, SystemExit), done.exception
        assert re.fullmatch(
            rf"league: .*league\.json: not a league's \({told}.*\); restore it, .*\n", done.output
        )


def test_replays_need_actions_and_the_same_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(write_league(tmp_path, matches=20, log={"level": "results"}))
    results = str(tmp_path / "out" / "tiny")
    for ask in (lambda: league.verify(results), lambda: league.replay(results, 0)):
        with pytest.raises(ResultsError, match=r'log\.level = "results"'):
            ask()
    monkeypatch.setattr("league.games.regenwormen.Regenwormen.version", 99)
    with pytest.raises(ResultsError, match="version 1 of regenwormen, this package has version 99; install"):
        league.verify(results)

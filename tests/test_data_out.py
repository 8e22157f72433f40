"""Data out: the same matches in every format, the same events as a replay."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

import league
from league.cli import main
from tests.run.playing import run
from tests.tiny import write_league


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("data")
    run(write_league(folder, matches=60))
    return str(folder / "out" / "tiny")


def command(*words: str, status: int = 0) -> Result:
    came = CliRunner().invoke(main, list(words))
    assert came.exit_code == status, came.output
    return came


def test_matches_in_every_format_are_the_same(results: str, tmp_path: Path) -> None:
    frame = league.matches(results)
    for name in ("m.parquet", "m.csv", "m.jsonl"):
        command("export", results, "--what", "matches", "--to", str(tmp_path / name))
    parquet = pq.read_table(tmp_path / "m.parquet").to_pandas()
    lines = [json.loads(line) for line in (tmp_path / "m.jsonl").read_text().splitlines()]
    rows = list(csv.DictReader(io.StringIO((tmp_path / "m.csv").read_text())))
    assert len(frame) == len(parquet) == len(lines) == len(rows) == 60
    for place in (0, 59):
        for other in (
            parquet["scores"][place].tolist(),
            lines[place]["scores"],
            json.loads(rows[place]["scores"]),
        ):
            assert other == frame["scores"][place].tolist()
        assert lines[place]["actions"] == rows[place]["actions"] == frame["actions"][place].hex()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["m.csv", "m.jsonl", "m.parquet"]


def test_a_pipe_stays_one_and_a_link_points_where_it_did(results: str, tmp_path: Path) -> None:
    pipe, link, target = tmp_path / "pipe.csv", tmp_path / "link.csv", tmp_path / "target.csv"
    os.mkfifo(pipe)
    link.symlink_to(target)
    with ThreadPoolExecutor() as pool:
        heard = pool.submit(pipe.read_text)
        for place in (pipe, link):
            command("export", results, "--what", "matches", "--to", str(place))
        assert heard.result() == target.read_text()
    assert pipe.is_fifo()
    assert link.is_symlink()


def test_a_league_without_matches_yet_has_its_columns(results: str, tmp_path: Path) -> None:
    """So has a range that holds none."""
    begun = tmp_path / "begun"
    begun.mkdir()
    shutil.copy(Path(results) / "league.json", begun)
    names = list(league.matches(results).columns)
    for place, span in ((begun, ":"), (begun, "3:9"), (Path(results), "59:59")):
        for name in ("m.parquet", "m.csv", "m.jsonl"):
            to = str(tmp_path / name)
            command("export", str(place), "--what", "matches", "--matches", span, "--to", to)
        table = pq.read_table(tmp_path / "m.parquet")
        assert (table.num_rows, table.column_names) == (0, names)
        assert (tmp_path / "m.csv").read_text() == ",".join(names) + "\n"
        assert (tmp_path / "m.jsonl").read_text() == ""


def test_events_are_those_of_the_replays(results: str) -> None:
    came = command("export", results, "--what", "events", "--matches", "19:21")
    lines = [json.loads(line) for line in came.stdout.splitlines()]
    assert {line["match"] for line in lines} == {19, 20}
    for match in (19, 20):
        mine = [
            {key: line[key] for key in line if key != "match"} for line in lines if line["match"] == match
        ]
        replayed = [
            json.loads(line)
            for line in command("replay", results, str(match), "--format", "jsonl").stdout.splitlines()
        ]
        assert replayed[0].pop("match") == match
        assert mine == replayed
        assert (mine[0]["event"], mine[-1]["event"]) == ("match", "result")


def test_a_range_may_be_open(results: str) -> None:
    for span, count in [(":", 60), ("50:", 10), (":5", 5), ("20:40", 20), ("39:41", 2)]:
        lines = command("export", results, "--what", "matches", "--matches", span).stdout.splitlines()
        assert len(lines) == count, span


def test_ratings_have_no_range(results: str) -> None:
    came = command("export", results, "--what", "ratings", "--matches", "0:1", status=2)
    assert came.stderr.startswith("league: --matches: ratings are those of the whole league")


def test_frames_are_filtered_and_by_column(results: str) -> None:
    frame = league.matches(results, ["scores"], 18, 23)
    assert list(frame.columns) == ["scores"]
    assert len(frame) == 5
    assert isinstance(league.ratings(results), pd.DataFrame)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["export", "RESULTS", "--what", "events", "--format", "csv"], "use --format jsonl"),
        (["export", "RESULTS", "--what", "matches", "--to", "x.txt"], "say --format"),
        (["export", "RESULTS", "--what", "matches", "--matches", "5"], "write A:B"),
        (["export", "RESULTS", "--what", "matches", "--matches", "²:9"], "write A:B"),
        (["export", "RESULTS", "--what", "matches", "--matches", "60:"], "has matches 0 to 59"),
        (["export", "RESULTS", "--what", "events", "--matches", "9:3"], "ends before it begins"),
        (["export", "RESULTS", "--what", "matches", "--to", "nowhere/x.csv"], "no such file or directory"),
        (["replay", "RESULTS", "60"], "match 60 is not there: "),
        (["replay", "nowhere", "0"], "nowhere: no league was played here"),
        (["standings", "nowhere"], "give a folder such as results/NAME"),
        (["verify", "nowhere"], "no league.json"),
    ],
)
def test_bad_use_is_told(words: list[str], told: str, results: str) -> None:
    came = command(*[results if word == "RESULTS" else word for word in words], status=2)
    assert told in came.stderr
    assert came.stdout == ""


def test_ratings_that_are_not_there_yet_are_told(tmp_path: Path) -> None:
    run(write_league(tmp_path, matches=20))
    results = tmp_path / "out" / "tiny"
    (results / "ratings.parquet").unlink()
    came = command("export", str(results), "--what", "ratings", "--to", str(tmp_path / "r.csv"), status=2)
    assert came.stderr == f"league: {results}: no ratings yet; run the league again, it resumes\n"
    assert not list(tmp_path.glob("*r.csv*"))


def test_a_part_that_is_not_parquet_is_told(tmp_path: Path) -> None:
    run(write_league(tmp_path, matches=20))
    part = tmp_path / "out" / "tiny" / "matches" / "part-000000.parquet"
    part.write_text("hello")
    for words in (["verify"], ["replay", "3"], ["export", "--what", "matches"]):
        came = command(words[0], str(tmp_path / "out" / "tiny"), *words[1:], status=2)
        assert came.stderr.startswith(f"league: {part}: not a whole Parquet file")
        assert came.stderr.count("\n") == 1


def test_standings_in_every_format(results: str) -> None:
    rows = json.loads(command("standings", results, "--format", "json").stdout)
    keys = "rank rank_low rank_high bot version mu sigma rating matches wins ties losses mean_rank mean_score faults"
    assert set(keys.split()) <= set(rows[0])
    assert [row["rank"] for row in rows] == [1, 2, 3]
    table = list(csv.DictReader(io.StringIO(command("standings", results, "--format", "csv").stdout)))
    assert [row["bot"] for row in table] == [row["bot"] for row in rows]
    markdown = command("standings", results, "--format", "md").stdout.splitlines()
    assert markdown[1].startswith("|")
    assert len({line.count("|") for line in markdown}) == 1
    plain = command("standings", results).stdout
    assert all(row["bot"] in plain for row in rows)
    assert "\x1b" not in plain

"""A league comes to the same whatever happens to it: batches, kills, breaks, extensions, other workers."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar
from uuid import uuid4

import pyarrow.parquet as pq
import pytest

from league.cli.terminal import standings_text
from league.config import read_config
from league.errors import ConfigError, LeagueError, ResultsError
from league.progress import Quiet
from league.read import matches, ratings, standing_rows, standings
from league.roster.find import find_bot
from league.roster.shelf import Roster
from league.run import Job, Outcome, RunError, Runner, Span
from league.run.batches import play_span
from league.run.inline import InlineRunner
from league.run.league import run_league
from league.schedule import Schedule
from league.store import ResultFolder
from tests.run.playing import Notes, assert_same, run, start
from tests.tiny import NAMES, flip_bit, outcome, steady, write_league

ROOT = Path(__file__).parent.parent.parent


def test_a_league_is_complete(whole: Path) -> None:
    results = whole / "whole" / "tiny"
    assert sorted(path.name for path in results.iterdir()) == [
        "bots", "league.json", "matches", "ratings.parquet", "standings.json",
    ]  # fmt: skip
    assert len(list((results / "matches").iterdir())) == 6
    frame = matches(str(results), ["match", "batch", "deal", "bots", "ranks"])
    assert frame["match"].tolist() == list(range(120))
    assert frame["deal"].value_counts().to_dict() == dict.fromkeys(range(60), 2)
    assert not frame.duplicated(["batch", "deal"]).any()
    table = standings(str(results))
    assert table["bot"].tolist()[0] == "last"
    assert (table["matches"] == 80).all()
    assert (table["wins"] + table["ties"] + table["losses"] == 80).all()
    assert (table["rank_low"] <= table["rank"]).all()
    assert (table["rank"] <= table["rank_high"]).all()
    assert table["rating"].sub(table["mu"] - 3 * table["sigma"]).abs().max() < 1e-5
    kept = ratings(str(results))
    assert kept["matches"].max() == 120
    assert len(kept) == 3 * kept["checkpoint"].nunique()


def test_a_rerun_plays_nothing(whole: Path) -> None:
    before = outcome(whole / "whole" / "tiny")
    summary = run(whole / "tiny.toml", "whole")
    assert (summary.played, summary.matches, summary.complete) == (0, 120, True)
    assert outcome(whole / "whole" / "tiny") == before


def test_results_in_memory_are_the_same(whole: Path) -> None:
    uri = f"memory://{uuid4().hex}"
    run_league(read_config(whole / "tiny.toml"), uri, engine="inline")
    assert steady(f"{uri}/tiny").equals(steady(whole / "whole" / "tiny"))
    assert standing_rows(f"{uri}/tiny") == standing_rows(str(whole / "whole" / "tiny"))


def test_broken_parts_are_set_aside_and_played_again(whole: Path) -> None:
    run(whole / "tiny.toml", "broken")
    results = whole / "broken" / "tiny"
    parts = sorted((results / "matches").iterdir())
    parts[0].write_bytes(parts[0].read_bytes()[:500])
    parts[1].write_bytes(b"not Parquet")
    foreign = pq.read_table(parts[2])
    pq.write_table(
        foreign.replace_schema_metadata({**foreign.schema.metadata, b"league_identity": b"x"}), parts[2]
    )
    parts[3].unlink()
    flip_bit(parts[4], "ranks")
    notes = Notes()
    summary = run(whole / "tiny.toml", "broken", reporter=notes)
    assert summary.complete
    assert_same(results, whole / "whole" / "tiny")
    told = ["not a whole Parquet file", "not a whole Parquet file", "from another league", "part-000004"]
    assert len(notes.said) == len(told)
    assert all(text in said and "played again" in said for text, said in zip(told, notes.said, strict=True))
    kept = sorted(path.name for path in (results / "matches").glob("*.broken"))
    assert kept == [f"part-00000{number}.parquet.broken" for number in (0, 1, 2, 4)]


def test_a_league_is_extended(whole: Path) -> None:
    """The short last batch of the shorter league is played over, and is not called broken."""
    file = write_league(whole, matches=70)
    assert run(file, "longer").matches == 70
    notes = Notes()
    summary = run(write_league(whole), "longer", reporter=notes)
    assert (summary.matches, summary.played, notes.said) == (120, 80, [])
    assert_same(whole / "longer" / "tiny", whole / "whole" / "tiny")
    assert not list(whole.glob("longer/tiny/matches/*.broken"))
    with pytest.raises(ResultsError, match=r"schedule\.matches was 120, now 70: .* not shortened"):
        run(write_league(whole, matches=70), "longer")
    write_league(whole)


def test_a_league_that_was_extended_and_interrupted_has_every_match_once(tmp_path: Path) -> None:
    """The last block of the shorter league had short parts, of which none may stay beside a longer one."""
    run(write_league(tmp_path, matches=70), "out")
    with pytest.raises(KeyboardInterrupt):
        run(write_league(tmp_path), "out", reporter=Impatient(50))
    found = matches(str(tmp_path / "out" / "tiny"), ["match", "batch", "deal"])
    assert found["match"].is_unique
    assert found["match"].is_monotonic_increasing
    assert not found.duplicated(["batch", "deal"]).any()
    run(write_league(tmp_path), "out")
    run(write_league(tmp_path), "anew")
    assert_same(tmp_path / "out" / "tiny", tmp_path / "anew" / "tiny")


class Impatient(Quiet):
    """Somebody who stops a run at once when so many matches are played."""

    def __init__(self, most: int) -> None:
        self._most = most

    def advance(self, done: int, played: int, leading: Sequence[str] = ()) -> None:
        if done >= self._most:
            raise KeyboardInterrupt


@pytest.mark.parametrize("kind", ["swiss", "ladder", "focus"])
def test_an_adaptive_league_is_resumed_in_any_round(kind: str, tmp_path: Path) -> None:
    """Rounds are as the standings before them ask, also for one that finds them half played."""
    file = write_league(tmp_path, matches=240, batch=10, schedule={"format": kind})
    reference = Path(run(file).folder)
    parts = sorted(path.name for path in (reference / "matches").iterdir())
    for kept in (1, len(parts) // 2, len(parts) - 1):
        folder = tmp_path / f"after{kept}" / "tiny"
        shutil.copytree(reference, folder, ignore=shutil.ignore_patterns(*parts[kept:], "standings.json"))
        summary = run(file, folder.parent.name)
        assert summary.complete
        assert 0 < summary.played < summary.matches
        assert_same(folder, reference)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"league": {"seed": 8}}, "league.seed was 7, now 8"),
        ({"game": {"seats": 3}}, "game.seats was 2, now 3"),
        ({"game": {"max_turns": 9}}, "game.max_turns was 1000, now 9"),
        ({"batch": 40}, "schedule.batch was 20, now 40"),
        ({"log": {"level": "results"}}, "log.level was 'actions', now 'results'"),
        ({"bots": NAMES[:2]}, "bots.chance is gone"),
        ({"bots": (NAMES[1], NAMES[0], NAMES[2])}, "bots.first.place was 0, now 1"),
        ({"limits": {"faults_per_batch": 3}}, "limits.faults_per_batch was 10, now 3"),
    ],
)
def test_a_changed_league_is_refused(
    change: dict[str, object], told: str, whole: Path, tmp_path: Path
) -> None:
    (tmp_path / "tiny.py").write_bytes((whole / "tiny.py").read_bytes())
    file = write_league(tmp_path, **change)  # type: ignore[arg-type]
    before = outcome(whole / "whole" / "tiny")
    with pytest.raises(ResultsError) as refused:
        run_league(read_config(file), str(whole / "whole"), engine="inline")
    assert told in str(refused.value)
    assert "--fresh" in str(refused.value)
    assert outcome(whole / "whole" / "tiny") == before


def test_a_changed_bot_is_refused_and_fresh_starts_over(tmp_path: Path) -> None:
    file = write_league(tmp_path, matches=20)
    run(file)
    kept = len(list((tmp_path / "out" / "tiny" / "bots").iterdir()))
    source = (tmp_path / "tiny.py").read_text()
    (tmp_path / "tiny.py").write_text(source.replace("view.legal[0]", "view.legal[1 % len(view.legal)]"))
    with pytest.raises(ResultsError, match=r"bots\.first\.version was '\w{12}', now '\w{12}'"):
        run(file)
    summary = run(file, fresh=True)
    assert (summary.played, summary.complete) == (20, True)
    assert len(list((tmp_path / "out" / "tiny" / "bots").iterdir())) == kept


def test_more_options_of_a_run_do_not_change_the_league(whole: Path) -> None:
    file = write_league(whole, run={"engine": "ray", "workers": 2})
    assert run(file, "whole").played == 0
    write_league(whole)


class Shuffled(Runner):
    """Plays spans ahead and in another order than it was given them, as many workers do."""

    def __init__(self, runner: Runner, ahead: int) -> None:
        self._runner, self._ahead = runner, ahead

    def play(self, schedule: Schedule, spans: Iterable[Span]) -> Iterator[Outcome]:
        taken: list[Span] = []
        for span in [*spans, None]:
            if span is not None:
                taken.append(span)
            if len(taken) == self._ahead or span is None:
                backwards = list(self._runner.play(schedule, taken[::-1]))
                yield from backwards[::-1]
                taken = []


@pytest.mark.parametrize("ahead", [2, 4])
def test_the_order_in_which_batches_are_played_does_not_matter(
    ahead: int, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.run.league.InlineRunner", lambda job: Shuffled(InlineRunner(job), ahead))
    run(whole / "tiny.toml", f"shuffled{ahead}")
    assert_same(whole / f"shuffled{ahead}" / "tiny", whole / "whole" / "tiny")


class Counted(InlineRunner):
    """Notes how often a runner is opened and closed; stands in for any other."""

    said: ClassVar[list[str]] = []

    def __init__(self, job: Job, *how: object) -> None:
        super().__init__(job)

    def __enter__(self) -> Runner:
        self.said.append("open")
        return self

    def __exit__(self, *error: object) -> None:
        self.said.append("close")

    def play(self, schedule: Schedule, spans: Iterable[Span]) -> Iterator[Outcome]:
        self.said.append("round")
        return super().play(schedule, spans)


@pytest.mark.parametrize("engine", ["ray", "auto"])
def test_a_runner_is_opened_once_for_all_rounds(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`auto` judges by the whole league, not by the hundredth of it that a round is; nothing is opened in vain."""
    file = write_league(tmp_path, matches=60, batch=10, schedule={"format": "ladder"})
    reference = run(file)
    alone: list[int] = []

    def play_alone(job: Job, schedule: Schedule, span: Span) -> Outcome:
        alone.append(span.number)
        return play_span(job, schedule, span)

    monkeypatch.setattr(Counted, "said", [])
    monkeypatch.setattr("league.run.on_ray.RayRunner", Counted)
    monkeypatch.setattr("league.run.league.warm", lambda job: Counted.said.append("warm"))
    monkeypatch.setattr("league.run.league.play_span", play_alone)
    monkeypatch.setattr("league.run.league.WORTH_RAY_S", 0)
    again = run(file, "again", engine=engine, workers=2)
    rounds = Counted.said.count("round")
    assert rounds > 2
    assert Counted.said == ["warm", "open", *["round"] * rounds, "close"]
    assert alone == ([0] if engine == "auto" else [])
    assert_same(Path(again.folder), Path(reference.folder))
    Counted.said.clear()
    assert run(file, "again", engine=engine, workers=2).complete
    assert Counted.said == []


class Late(Notes):
    """Ctrl-C once so many matches are complete."""

    def __init__(self, matches: int) -> None:
        super().__init__()
        self._matches = matches

    def advance(self, done: int, now: int, leaders: Sequence[str] = ()) -> None:
        if done >= self._matches and not self.said:
            signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("kind", ["round_robin", "ladder"])
def test_an_interruption_that_comes_too_late_leaves_the_league_complete(kind: str, tmp_path: Path) -> None:
    file = write_league(tmp_path, matches=72, batch=20, schedule={"format": kind})
    reference = run(file)
    stopped = Late(reference.matches)
    summary = run(file, "stopped", reporter=stopped)
    assert stopped.said == ["stopping once the batches in flight are complete; Ctrl-C again stops at once"]
    assert (summary.complete, summary.matches) == (True, reference.matches)
    assert_same(Path(summary.folder), Path(reference.folder))
    early = run(file, "early", reporter=Late(20))
    assert not early.complete
    assert early.matches < reference.matches


def test_parts_that_nobody_here_can_see(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[bool] = []
    monkeypatch.setattr("league.run.league.close_zygote", lambda: closed.append(True))
    monkeypatch.setattr("league.run.batches.write_table", lambda *args: None)
    with pytest.raises(RunError, match="cannot see it; give --out a folder that all nodes share"):
        run(whole / "tiny.toml", "elsewhere")
    assert closed == [True]


def test_inline_joins_no_cluster(whole: Path) -> None:
    with pytest.raises(ConfigError, match="joins no cluster"):
        run(whole / "tiny.toml", "whole", cluster="10.0.0.1:6379")


def test_a_cluster_that_is_not_there_costs_nothing(tmp_path: Path) -> None:
    config = write_league(tmp_path, matches=20)
    before = outcome(Path(run(config).folder))
    with pytest.raises(RunError, match="nobody answers"):
        run(config, engine="ray", cluster="127.0.0.1:9", fresh=True)
    assert outcome(tmp_path / "out" / "tiny") == before


def test_what_cannot_be_written_is_told(whole: Path) -> None:
    (whole / "taken").write_text("")
    with pytest.raises(LeagueError, match="a file stands where a folder must be; choose another folder"):
        run(whole / "tiny.toml", "taken")
    matches_only = whole / "strange" / "tiny" / "matches"
    matches_only.mkdir(parents=True)
    (matches_only / "x").write_text("")
    with pytest.raises(ResultsError, match=r"holds matches but no league\.json"):
        run(whole / "tiny.toml", "strange")


def test_kill_9_loses_nothing_that_was_complete(whole: Path, tmp_path: Path) -> None:
    (tmp_path / "tiny.py").write_bytes((whole / "tiny.py").read_bytes())
    file = write_league(tmp_path)
    source = (tmp_path / "tiny.py").read_text()
    (whole / "gate").touch()  # the bots of `whole` wait for the gate there
    try:
        process = start(file, "--engine", "inline")
        process.kill()
        process.wait()
    finally:
        (whole / "gate").unlink()
    assert (tmp_path / "tiny.py").read_text() == source
    kept = len(list((tmp_path / "out" / "tiny" / "matches").glob("part-*.parquet")))
    assert 2 <= kept < 6
    assert not (tmp_path / "out" / "tiny" / "standings.json").exists()
    summary = run(file)
    assert summary.played <= 120 - 20 * kept + 20
    assert_same(tmp_path / "out" / "tiny", whole / "whole" / "tiny")


def test_ctrl_c_finishes_in_order(whole: Path, tmp_path: Path) -> None:
    (tmp_path / "tiny.py").write_bytes((whole / "tiny.py").read_bytes())
    file = write_league(tmp_path)
    (whole / "gate").touch()
    try:
        process = start(file, "--engine", "inline")
        os.killpg(process.pid, signal.SIGINT)
        out, told = process.communicate(timeout=60)
    finally:
        (whole / "gate").unlink()
    assert process.returncode == 130, told
    assert "stopping once the batches in flight are complete" in told
    assert told.strip().endswith("interrupted; the same command goes on from here")
    assert "Traceback" not in told
    assert "last@" in out
    results = tmp_path / "out" / "tiny"
    kept = len(list((results / "matches").iterdir()))
    assert 2 <= kept < 6
    assert ratings(str(results))["matches"].max() == 20 * kept
    assert run(file).played == 120 - 20 * kept
    assert_same(results, whole / "whole" / "tiny")


@pytest.mark.parametrize(
    ("method", "record"),
    [("trueskill", "online_mu"), ("trueskill_batch", "fit_mu"), ("plackett_luce", "fit_mu")],
)
def test_the_method_of_record_ranks_and_the_other_stands_beside_it(
    method: str, record: str, tmp_path: Path
) -> None:
    assert run(write_league(tmp_path, rating={"method": method})).complete
    rows = standing_rows(str(tmp_path / "out" / "tiny"))
    assert [row["mu"] for row in rows] == [row[record] for row in rows]
    assert [row["rating"] for row in rows] == sorted((row["rating"] for row in rows), reverse=True)
    assert any(row["online_mu"] != row["fit_mu"] for row in rows)
    assert sum(row["mu"] - row["fit_mu"] for row in rows) == pytest.approx(0, abs=1e-4)
    assert all(row["fit_low"] < row["fit_mu"] < row["fit_high"] for row in rows)
    heads = standings_text(rows, "md").splitlines()[0]
    assert "| online | order-free |" in heads


def test_two_runs_of_one_league_do_not_meet(tmp_path: Path) -> None:
    config = write_league(tmp_path, matches=20)
    with (
        ResultFolder(str(tmp_path / "out" / "tiny")).held(),
        pytest.raises(ResultsError, match="another run plays this league; wait for it"),
    ):
        run(config)
    assert run(config).complete


@pytest.mark.parametrize(("seed", "is_told"), [(7, True), (-(2**63), True), (3**80, False)])
def test_a_seed_that_can_be_guessed_is_told_where_strangers_play(
    seed: int, is_told: bool, tmp_path: Path
) -> None:
    file = write_league(tmp_path, matches=8, league={"seed": seed}, roster={"path": "shelf"})
    submitted = replace(find_bot("tiny.py:Last", "regenwormen", tmp_path), name="submitted")
    Roster(str(tmp_path / "shelf")).add(submitted, {"passed": True})
    notes = Notes()
    run(file, "out", reporter=notes)
    assert any("league.seed" in said and "guessed" in said for said in notes.said) == is_told

"""Commands: each has help, data goes to stdout and talk to stderr, and starting is quick."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from league.cli import main
from league.errors import ConfigError
from league.games import Game
from league.rate.sprt import Sprt
from tests.run.playing import ROOT, run
from tests.tiny import write_league


def commands() -> dict[str, click.Command]:
    return dict(main.commands)


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_has_help(name: str) -> None:
    command = commands()[name]
    assert (command.help or "").strip().endswith(".")
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            text = parameter.help or "".join(getattr(parameter.type, "choices", ()))
            assert text, f"{name} {parameter.opts[0]}"
    came = CliRunner().invoke(main, [name, "--help"])
    assert came.exit_code == 0
    assert came.stdout.startswith("Usage: ")


@pytest.mark.parametrize("name", sorted(commands()))
def test_every_command_is_in_the_readme(name: str) -> None:
    assert re.search(rf"`league {name}\b", (ROOT / "README.md").read_text())


def test_help_takes_less_than_half_a_second_of_cpu() -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(
        [sys.executable, "-m", "league", "--help"], check=True, capture_output=True, env=environment
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.5


def test_data_on_stdout_talk_on_stderr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.report.build", lambda results: f"{results}/report/index.html")
    file = write_league(tmp_path, matches=20)
    words = ["run", str(file), "--engine", "inline", "--out", str(tmp_path / "out")]
    came = CliRunner().invoke(main, words)
    assert came.exit_code == 0
    assert "last@" in came.stdout
    assert "20 matches" in came.stderr
    assert "last@" not in came.stderr
    quiet = CliRunner().invoke(
        main, ["run", str(file), "--engine", "inline", "--out", str(tmp_path / "out"), "--quiet"]
    )
    assert quiet.stderr.splitlines() == [f"20 matches, 0 of them now, in {tmp_path}/out/tiny"]


@pytest.mark.parametrize("form", ["table", "csv", "json", "md"])
def test_standings_say_that_a_league_is_partial_beside_the_data(tmp_path: Path, form: str) -> None:
    run(write_league(tmp_path, matches=20))
    words = ["standings", str(tmp_path / "out/tiny"), "--format", form]
    whole = CliRunner().invoke(main, words)
    assert whole.stderr == ""
    kept = tmp_path / "out/tiny/league.json"
    kept.write_text(json.dumps(json.loads(kept.read_text()) | {"matches": 1000}))
    partial = CliRunner().invoke(main, words)
    assert partial.stdout == whole.stdout
    assert partial.stderr.startswith("20 of 1,000 matches so far")


def test_a_duel_takes_negative_bounds_and_options_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def fought(game: Game, bots: object, deals: int, sprt: object, **how: object) -> None:
        asked.extend([game.options, sprt, how["seed"]])
        raise ConfigError("enough")

    monkeypatch.setattr("league.duel.duel", fought)
    words = ["duel", "random", "odds", "--sprt", "-10", "-.5", "--seed", "3"]
    words += ["--set", "fast_variant=auto", "--set", "max_turns=90", "--set", "soft_landing=true"]
    came = CliRunner().invoke(main, words)
    assert came.stderr == "league: enough\n"
    options, sprt, seed = asked
    assert (options.fast_variant, options.max_turns, options.soft_landing) == ("auto", 90, True)
    assert (sprt, seed) == (Sprt(-10.0, -0.5), 3)


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["--to", "e.csv"], "league: --to e.csv: events are JSON lines; end the name in .jsonl"),
        (["--format", "csv"], "league: --format csv: events are JSON lines; use --format jsonl"),
    ],
)
def test_a_wrong_form_of_events_is_told_as_it_was_typed(tmp_path: Path, typed: list[str], told: str) -> None:
    run(write_league(tmp_path, matches=20))
    came = CliRunner().invoke(main, ["export", str(tmp_path / "out/tiny"), "--what", "events", *typed])
    assert came.exit_code == 2
    assert came.stderr.startswith(told)


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    run(write_league(tmp_path, matches=120))
    command = f"{sys.executable} -m league export {tmp_path}/out/tiny --what events | head -1"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    came = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, env=environment
    )
    assert came.stdout.startswith('{"event":"match"')
    assert came.stderr == ""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["games", "domino"], "did you mean 'dominoes'"),
        (["bots", "--game", "domino"], "did you mean 'dominoes'"),
        (["run"], "Missing argument"),
        (["run", "x.toml", "--engine", "rya"], "rya"),
        (["run", "x.toml", "--workers", "0"], "0"),
        (["rum"], "No such command 'rum'"),
        (["duel", "random", "odds", "--sprtt"], "No such option"),
        (["duel", "random", "odds", "--set", "max_turns"], "write KEY=VALUE"),
        (
            ["duel", "random", "odds", "--set", "max_turn=9"],
            "--set max_turn: unknown option 'max_turn': did you mean",
        ),
        (["duel", "random", "odds", "--set", "max_turns=few"], "max_turns = 'few': give a whole number"),
        (["play", "regenwormen", "--set", "steal=maybe"], "unknown value 'maybe'. Known: forced, optional"),
        (["play", "dominoes", "--set", "boneyard_reserve=1"], "boneyard_reserve"),
    ],
)
def test_bad_use_ends_with_2(words: list[str], told: str) -> None:
    came = CliRunner().invoke(main, words)
    assert came.exit_code == 2
    assert told in came.stderr

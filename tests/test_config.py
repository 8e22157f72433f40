"""Every mistake in a league file gets one line that names file, key and remedy, and status 2."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from pydantic import BaseModel

from league.cli import main
from league.config import config_of, format_keys, read_config
from league.config.sections import LeagueFile
from league.errors import ConfigError, LeagueError
from league.schedule import find_format, format_names
from tests.tiny import NAMES, write_league

ROOT = Path(__file__).parent.parent

Edit = Callable[[str], str]


def edit(old: str, new: str) -> Edit:
    def edited(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return edited


MISTAKES: dict[str, tuple[Edit, list[str]]] = {
    "unknown section": (edit("[game]", "[gam]"), ["gam:", "did you mean 'game'"]),
    "missing section": (edit("[schedule]\nmatches = 120\nbatch = 20", ""), ["schedule is missing"]),
    "unknown key": (edit("seed", "sed"), ["league.sed", "did you mean 'seed'"]),
    "unknown key of a bot": (edit("use", "ude"), ["[[bots]] number 1, ude", "did you mean 'use'"]),
    "text for a number": (edit("120", '"many"'), ["schedule.matches = 'many'", "whole number"]),
    "number for a text": (edit('"regenwormen"', "3"), ["game.name = 3", "text in quotes"]),
    "a half match": (edit("120", "1.5"), ["schedule.matches = 1.5", "whole number"]),
    "no matches": (edit("120", "0"), ["schedule.matches = 0", "more than 0"]),
    "too many batches": (edit("120", "99000000"), ["schedule", "batches", "raise batch"]),
    "huge batch": (edit("batch = 20", "batch = 1000000"), ["schedule.batch", "at most 100000"]),
    "section as value": (edit("[league]", "limits = 3\n[league]"), ["limits = 3", "table"]),
    "a number beyond reason": (edit("seed = 7", f"seed = {'9' * 5000}"), ["not TOML", "digits"]),
    "a seed beyond reason": (
        edit("seed = 7", f"seed = 0x{'f' * 6000}"),
        ["league.seed", "thousands of digits"],
    ),
    "nested beyond reason": (edit("[league]", f"x = {'[' * 20000}\n[league]"), ["not TOML"]),
    "a drift without end": (
        edit("[league]", "[rating]\ntau = inf\n[league]"),
        ["rating.tau = inf", "at most"],
    ),
    "always a draw": (
        edit("[league]", "[rating]\ndraw_probability = 0.9999999999999999\n[league]"),
        ["rating.draw_probability", "at most 0.99"],
    ),
    "a NUL in a path": (edit('use = "', 'use = "\\u0000'), ["number 1, use", "NUL character"]),
    "the whole disk": (edit('use = "', 'use = "/"\nname = "'), ["holds a file bot.py"]),
    "not TOML": (edit("[league]", "[league"), ["not TOML", "line 1"]),
    "folder in the name": (edit('"tiny"', '"../up"'), ["league.name = '../up'", "without /"]),
    "dots for a name": (edit('"tiny"', '".."'), ["league.name = '..'", "dot"]),
    "unknown game": (edit('"regenwormen"', '"regenworm"'), ["unknown game", "did you mean 'regenwormen'"]),
    "unknown game option": (edit("seats", "steel = true\nseats"), ["game.steel", "did you mean 'steal'"]),
    "wrong game option": (
        edit("seats", 'fast_variant = "of"\nseats'),
        ["game.fast_variant", "did you mean 'off'"],
    ),
    "too many seats": (edit("seats = 2", "seats = 9"), ["game.seats = 9", "2 to 7 seats"]),
    "too few bots": (edit("seats = 2", "seats = 4"), ["3 given", "4 seats", "add bots"]),
    "unknown format": (edit("batch", 'format = "swis"\nbatch'), ["schedule.format", "did you mean 'swiss'"]),
    "key of another format": (edit("batch", "rounds = 3\nbatch"), ["schedule.rounds", "Known: batch"]),
    "format's key missing": (
        edit("batch", 'format = "gauntlet"\nbatch'),
        ["schedule.challengers is missing"],
    ),
    "format's key of a wrong type": (
        edit("batch", 'format = "swiss"\nrounds = "x"\nbatch'),
        ["schedule.rounds = 'x'", "whole number"],
    ),
    "unknown challenger": (
        edit("batch", 'format = "gauntlet"\nchallengers = ["frist"]\nbatch'),
        ["schedule.challengers", "did you mean 'first'"],
    ),
    "challenger named twice": (
        edit("batch", 'format = "gauntlet"\nchallengers = ["first", "first"]\nbatch'),
        ["schedule.challengers", "'first' is named twice"],
    ),
    "unknown engine": (edit("[game]", '[run]\nengine = "rya"\n[game]'), ["run.engine", "did you mean 'ray'"]),
    "unknown rating": (edit("[game]", '[rating]\nmethod = "truskill"\n[game]'), ["did you mean 'trueskill'"]),
    "unknown isolation": (edit('"none"', '"nune"'), ["isolation", "did you mean 'none'"]),
    "unknown bot": (edit('"tiny.py:First"', '"firts"'), ["unknown bot 'firts'"]),
    "unknown class": (edit("tiny.py:First", "tiny.py:Frist"), ["tiny.py", "did you mean 'First'"]),
    "several bots in a file": (edit("tiny.py:First", "tiny.py"), ["tiny.py:First", "say which"]),
    "no such file": (edit("tiny.py:First", "nix.py"), ["nix.py", "no such file"]),
    "one bot twice": (edit("tiny.py:Last", "tiny.py:First"), ["two bots are called 'first'", "another name"]),
    "look-alike names": (
        edit('use = "tiny.py:First"', 'name = "Ｌast"\nuse = "tiny.py:First"'),
        ["two bots look alike, 'Ｌast' and 'last'", "another name"],
    ),
    "unusable name": (edit("isolation", 'name = "a@b"\nisolation'), ["'a@b'", "without @"]),
    "invisible name": (edit("isolation", 'name = "a\\u202Eb"\nisolation'), ["printable"]),
    "unknown bot option": (edit("isolation", "options = { risk = 1 }\nisolation"), ["bots.options.risk"]),
    "table as bot option": (edit("isolation", "options = { risk = [1] }\nisolation"), ["options.risk = [1]"]),
    "one bot, not a list": (
        lambda text: text[: text.index("[[bots]]")] + '[bots]\nuse = "x"\n',
        ["write [[bots]] once for each bot"],
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_get_one_line(mistake: str, tmp_path: Path) -> None:
    spoil, told = MISTAKES[mistake]
    file = write_league(tmp_path)
    file.write_text(spoil(file.read_text()))
    came = CliRunner().invoke(main, ["run", str(file), "--out", str(tmp_path / "out")])
    assert came.exit_code == 2, came.output
    assert came.stderr.count("\n") == 1
    for text in [f"league: {file}: ", *told]:
        assert text in came.stderr
    assert came.stdout == ""
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("name", "told"), [("nix.toml", "no such file"), (".", "is a directory")])
def test_no_league_file(name: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=told):
        read_config(tmp_path / name)


def test_bot_options_have_the_type_of_their_default(tmp_path: Path) -> None:
    document = tomllib.loads(write_league(tmp_path, bots=("First", "Chance")).read_text())
    document["bots"][1]["options"] = {"global_share": 1}
    (_, chance) = config_of(document, tmp_path).bots
    assert chance.options == {"global_share": 1.0}
    assert type(chance.options["global_share"]) is float
    document["bots"][1]["options"] = {"global_share": "high"}
    with pytest.raises(LeagueError, match=r"bots\.options\.global_share = 'high': chance wants float"):
        config_of(document, tmp_path)


def test_the_order_of_bots_belongs_to_the_league(tmp_path: Path) -> None:
    forth = read_config(write_league(tmp_path))
    back = read_config(write_league(tmp_path, bots=tuple(reversed(NAMES))))
    assert forth.frozen != back.frozen


def test_a_league_is_whole_mirror_sets(tmp_path: Path) -> None:
    config = read_config(write_league(tmp_path, matches=121, batch=25))
    assert (config.matches, config.batch) == (122, 25)


def test_a_bot_that_does_not_load_is_named_with_its_line(tmp_path: Path) -> None:
    file = write_league(tmp_path)
    (tmp_path / "tiny.py").write_text("from league import Bot\n\nimport nowhere\n")
    with pytest.raises(ConfigError, match=r"tiny\.py:3: ModuleNotFoundError: No module named 'nowhere'"):
        read_config(file)


def test_a_bad_bot_in_the_folder_stops_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "bots" / "regenwormen"
    folder.mkdir(parents=True)
    (folder / "broken.py").write_text("class X(:\n")
    (folder / "bad_name.py").write_text(
        "from league import Bot\nclass X(Bot):\n    game = 'regenwormen'\n    name = 'a\\tb'\n"
        "    def choose(self, view): return view.legal[0]\n"
    )
    (folder / "empty.py").write_text("")
    (folder / "fine.py").write_text(
        "from league import Bot\nclass Würmchen虫(Bot):\n    game = 'regenwormen'\n"
        "    def choose(self, view): return view.legal[0]\n"
    )
    monkeypatch.chdir(tmp_path)
    came = CliRunner().invoke(main, ["bots"])
    assert came.exit_code == 0
    assert "würmchen虫" in came.stdout
    assert came.stderr.count("did not load") == 3
    assert "broken.py:1: SyntaxError" in came.stderr


def sections() -> list[tuple[str, type[BaseModel]]]:
    """The sections of a league file with their models."""
    found = []
    for name, field in LeagueFile.model_fields.items():
        kind: Any = field.annotation
        found.append(
            (name, kind if isinstance(kind, type) and issubclass(kind, BaseModel) else kind.__args__[0])
        )
    return found


def test_the_reference_names_every_key() -> None:
    text = (ROOT / "configs" / "reference.toml").read_text()
    for name, model in sections():
        for key in model.model_fields:
            assert f"\n{key} =" in text or f"\n# {key} =" in text, f"{name}.{key}"
    for name in format_names():
        assert f'"{name}"' in text
        for key in format_keys(find_format(name)):
            assert f"\n# {key} =" in text, f"schedule.{key} of {name}"


def test_the_reference_shows_the_defaults() -> None:
    document = tomllib.loads((ROOT / "configs" / "reference.toml").read_text())
    for name, model in sections():
        if name == "bots":
            continue
        for key, field in model.model_fields.items():
            if not field.is_required() and key in document.get(name, {}) and name != "league":
                assert document[name][key] == field.default or key in ("seats",), f"{name}.{key}"


@pytest.mark.parametrize("file", sorted((ROOT / "configs").glob("*.toml")), ids=lambda file: file.stem)
def test_ready_leagues_load(file: Path) -> None:
    config = read_config(file)
    assert len(config.bots) >= config.game.seats

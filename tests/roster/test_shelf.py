"""Rosters keep every version, whoever submits at the same time, and play what a league file asks for."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from league.config import config_of
from league.errors import BotError, ConfigError, LeagueError
from league.roster import Bundle, Entry
from league.roster.shelf import Roster

CHECK = {"passed": True}


def entry(name: str, content: str = "1", game: str = "regenwormen") -> Entry:
    source = f"from league import Bot\nclass Mine(Bot):\n    game = '{game}'\n    choose = {content}\n"
    return Entry(name, game, "python", Bundle({"mine.py": source.encode()}, "mine.py", "Mine"), "mine.py")


@pytest.fixture(params=["folder", "memory"])
def roster(request: pytest.FixtureRequest, tmp_path: Path) -> Roster:
    return Roster(str(tmp_path / "roster") if request.param == "folder" else f"memory://{tmp_path}/roster")


def test_versions_stay(roster: Roster) -> None:
    first, second = entry("älpha 1"), entry("älpha 1", "2")
    assert [roster.add(each, CHECK) for each in (first, second, first)] == [True, True, False]
    found, broken = roster.versions()
    assert broken == ()
    assert {each.entry.bundle.version for each in found} == {first.bundle.version, second.bundle.version}
    assert (
        found[0].entry.bundle.files == first.bundle.files or found[1].entry.bundle.files == first.bundle.files
    )
    assert found[0].check == CHECK


def test_no_place_is_made_up_for_a_roster(tmp_path: Path) -> None:
    with pytest.raises(LeagueError, match="the name of the folder is empty"):
        Roster("").versions()
    (tmp_path / "file").touch()
    with pytest.raises(BotError, match="file: a file; a roster is a folder"):
        Roster(str(tmp_path / "file")).versions()


def test_many_submit_at_once(tmp_path: Path) -> None:
    roster = Roster(str(tmp_path / "roster"))
    entries = [entry("same", str(number % 5)) for number in range(20)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda each: roster.add(each, CHECK), entries))
    assert len(roster.versions()[0]) == 5
    assert not list((tmp_path / "roster").rglob("*.tmp"))


def test_names_that_look_alike_are_refused(roster: Roster) -> None:
    roster.add(entry("greedy"), CHECK)
    for other in (entry("Greedy", "2"), entry("greedy", "2", "dominoes")):
        with pytest.raises(BotError, match="take another name"):
            roster.add(other, CHECK)


def test_what_was_changed_afterwards_is_refused(tmp_path: Path) -> None:
    roster = Roster(str(tmp_path))
    roster.add(entry("mine"), CHECK)
    (file,) = tmp_path.rglob("mine.py")
    file.write_text("changed")
    assert "changed after it was submitted" in refused(roster)


def refused(roster: Roster) -> str:
    """Why the only version of a roster is refused, to which an honest one is added: in one line for a terminal."""
    roster.add(entry("honest"), CHECK)
    (honest,), (broken,) = roster.versions()
    assert honest.entry.name == "honest"
    assert str(broken).isprintable()
    assert [each.name for each in roster.take(["honest"], "regenwormen")] == ["honest"]
    with pytest.raises(BotError, match=r"in roster\.take"):
        roster.take("latest", "regenwormen")
    return str(broken)


FORGED: dict[str, list[object]] = {
    "format": [2, None, "\x1b[31m"],
    "files": [["../../evil"], ["/etc/passwd"], [1], 1, None, ["\ud800"], ["a\0b"], ["gone"]],
    "name": ["a/b", "..", "\x1b[31mred", "\ud800", 1, None, [], "x" * 1000],
    "kind": ["magic", 1, [], {}, None],
    "game": [1, None, []],
    "main": ["other.py", "\ud800", None, 1],
    "attribute": ["no name", 1, None],
    "options": [[1], 1, "x", {"a": [1]}, {"a": None}, {"\ud800": 1}, {"a": "\ud800"}],
    "author": [1, None, {}],
    "submitted": [1, None, []],
    "check": [1, None, "x", [1], {"decision_us": "1"}, {"decision_us": 1e999}, {"warnings": "\x1b[31m"}],
}


@pytest.mark.parametrize(
    ("key", "value"), [(key, value) for key, values in FORGED.items() for value in values]
)
def test_a_forged_entry_is_refused_and_stops_no_other(tmp_path: Path, key: str, value: object) -> None:
    roster = Roster(str(tmp_path))
    roster.add(entry("mine"), CHECK)
    (file,) = tmp_path.rglob("entry.json")
    kept = json.loads(file.read_text())
    file.write_text(json.dumps(kept | {key: value}))
    assert "not as it was submitted" in refused(roster)
    file.write_text(json.dumps({name: kept[name] for name in kept if name != key}))
    assert "not as it was submitted" in refused(roster)


@pytest.mark.parametrize(
    "content", ["[" * 100_000, '"\\ud800"', "{", "\x1b[31m", "[]", "1" * 10_000, "\ufeff{}", ""]
)
def test_what_is_no_entry_is_refused(content: str, tmp_path: Path) -> None:
    roster = Roster(str(tmp_path))
    roster.add(entry("mine"), CHECK)
    (file,) = tmp_path.rglob("entry.json")
    file.write_text(content)
    assert "not as it was submitted" in refused(roster)


@pytest.mark.parametrize("name", ["entry.json", "mine.py"])
@pytest.mark.parametrize("what", ["pipe", "device", "folder"])
def test_what_is_no_file_is_refused(what: str, name: str, tmp_path: Path) -> None:
    roster = Roster(str(tmp_path))
    roster.add(entry("mine"), CHECK)
    (file,) = tmp_path.rglob(name)
    file.unlink()
    {"pipe": os.mkfifo, "device": lambda place: place.symlink_to("/dev/zero"), "folder": Path.mkdir}[what](
        file
    )
    assert "is no file; delete the folder or submit again" in refused(roster)


def test_control_characters_reach_no_terminal(tmp_path: Path) -> None:
    roster = Roster(str(tmp_path))
    roster.add(entry("mine"), CHECK)
    (file,) = tmp_path.rglob("entry.json")
    kept = json.loads(file.read_text()) | {
        "submitted": "\x1b[31mnow",
        "author": "\x1b[31mme",
        "licence": "\x07",
    }
    file.write_text(json.dumps(kept))
    ((found,), _) = roster.versions()
    assert (found.submitted, found.entry.author, found.entry.licence) == ("[31mnow", "[31mme", "")


def test_a_file_whose_name_is_no_text_stops_nothing(tmp_path: Path) -> None:
    roster = Roster(str(tmp_path))
    roster.add(entry("mine"), CHECK)
    strange = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff"), "000000000000")
    strange.mkdir(parents=True)
    (strange / "entry.json").touch()
    assert [each.entry.name for each in roster.versions()[0]] == ["mine"]


def league_of(folder: Path, take: object) -> list[str]:
    document = {
        "league": {"name": "spring"},
        "game": {"name": "regenwormen", "seats": 2},
        "schedule": {"matches": 10},
        "roster": {"path": "roster", "take": take},
    }
    return [bot.name for bot in config_of(document, folder).bots]


def test_a_league_takes_the_latest_or_named_versions(tmp_path: Path) -> None:
    roster = Roster(str(tmp_path / "roster"))
    old, new, other = entry("mine"), entry("mine", "2"), entry("other")
    for each in (old, new, other, entry("third", game="dominoes")):
        roster.add(each, CHECK)
    assert league_of(tmp_path, "latest") == ["mine", "other"]
    versions = [each.bundle.version[:6] for each in (old, new)]
    assert league_of(tmp_path, [f"mine@{version}" for version in versions]) == [f"mine-{v}" for v in versions]
    with pytest.raises(BotError, match="did you mean 'mine'"):
        league_of(tmp_path, ["mien"])
    with pytest.raises(ConfigError, match="no bot of regenwormen"):
        league_of(tmp_path / "nowhere", "latest")

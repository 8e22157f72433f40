"""Bots are found as they are now: files change, folders are changed, packages come, also while a notebook runs."""

from __future__ import annotations

import os
import shutil
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from league.errors import BotError
from league.roster import Bundle, Entry, Unloadable
from league.roster import find as finding
from league.roster.describe import describe
from league.roster.find import examples_folder, find_bot, find_bots

BOT = """
from league import Bot
class Mine(Bot):
    game = "regenwormen"
    notes = "{}"
    def choose(self, view):
        return view.legal[0]
"""


@pytest.fixture
def described(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The origins of what strangers' processes were asked."""
    asked: list[str] = []

    def counted(bundle: Bundle, origin: str, attribute: str = "") -> list[Entry] | Unloadable:
        asked.append(origin)
        return describe(bundle, origin, attribute)

    monkeypatch.setattr(finding, "describe", counted)
    return asked


def test_the_own_folder_is_looked_at_every_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, described: list[str]
) -> None:
    file = tmp_path / "here" / "bots" / "regenwormen" / "mine.py"
    file.parent.mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    examples = find_bots()
    file.write_text(BOT.format("one"))
    first = find_bot("mine")
    assert (first.notes, first.origin) == ("one", "bots/regenwormen/mine.py")
    assert find_bot("mine").bundle == first.bundle
    assert described == ["bots/regenwormen/mine.py"]  # it did not change
    file.write_text(BOT.format("two"))
    assert find_bot("mine").notes == "two"
    assert find_bot("mine").label != first.label
    file.write_text("class Mine(:\n")
    with pytest.raises(BotError, match=r"did not load: bots/regenwormen/mine\.py:1: SyntaxError"):
        find_bot("mine")
    file.write_text(BOT.format("one"))
    assert find_bot("mine") == first
    assert len(described) == 4  # the broken one is tried again for the message
    monkeypatch.chdir(tmp_path)
    assert find_bots() == examples


@pytest.mark.parametrize(("typed", "meant"), [("mine", "mine.py"), ("mine:Mine", "mine.py:Mine")])
def test_who_forgets_the_end_of_a_file_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, meant: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(BOT.format("one"))
    with pytest.raises(BotError) as refused:
        find_bot(typed)
    assert str(refused.value) == f"unknown bot '{typed}': did you mean {meant}?"
    assert find_bot(meant).name == "mine"


def test_the_same_bot_twice_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the package is installed and its source is the current folder."""
    examples = find_bots()[0]
    shutil.copytree(examples_folder(), tmp_path / "bots")
    monkeypatch.chdir(tmp_path)
    assert find_bots()[0] == examples


def test_what_is_no_file_is_listed_and_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    examples = find_bots()[0]
    folder = tmp_path / "bots" / "regenwormen"
    folder.mkdir(parents=True)
    (folder / ".#mine.py").symlink_to("an editor's lock, which points nowhere")
    (folder / "gone.py").symlink_to("nowhere")
    (folder / "loop.py").symlink_to("loop.py")
    (folder / "folder.py").mkdir()
    os.mkfifo(folder / "pipe.py")
    Path(os.fsdecode(bytes(folder) + b"/\xff.py")).write_text(BOT.format("odd"))
    monkeypatch.chdir(tmp_path)
    loaded, broken = find_bots()
    assert loaded == examples
    assert len(broken) == 5
    assert all(found.origin.isprintable() and "\n" not in found.reason for found in broken)


def test_what_failed_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "bots" / "regenwormen" / "mine.py"
    file.parent.mkdir(parents=True)
    file.write_text(BOT.format("patient"))
    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as slow:
        slow.setattr(finding, "describe", lambda bundle, origin, attribute: Unloadable(origin, None, "slow"))
        assert [broken.reason for broken in find_bots()[1]] == ["slow"]
    assert find_bot("mine").notes == "patient"


def test_packages_may_come(monkeypatch: pytest.MonkeyPatch) -> None:
    before = find_bots()
    points = [EntryPoint("late", "nowhere_to_be_found:Late", "league.bots")]
    monkeypatch.setattr(finding, "entry_points", lambda group: points)
    assert find_bots() == (before[0], (*before[1], *find_bots()[1]))
    assert str(find_bots()[1][-1]) == "entry point late: module nowhere_to_be_found is not installed"


@pytest.fixture
def strange(tmp_path: Path) -> Path:
    """A stranger's folder, beside a secret of whoever bundles it."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "secret.txt").write_text("a password")
    folder = tmp_path / "mine"
    (folder / "lib").mkdir(parents=True)
    (folder / "bot.py").write_text(
        "from league import Bot\nclass Mine(Bot):\n    game = 'dominoes'\n    def choose(self, view): pass\n"
    )
    (tmp_path / "tool").write_text("#!/bin/sh\n")
    (tmp_path / "tool").chmod(0o755)
    return folder


@pytest.mark.parametrize("reference", ["mine", "cmd:./tool mine"])
def test_a_link_out_of_a_bots_folder_is_refused(reference: str, strange: Path) -> None:
    """Who bundles a stranger's folder must not hand it files that the stranger only points at."""
    (strange / "lib" / "data.txt").symlink_to("../../home/secret.txt")
    with pytest.raises(BotError, match=r"lib/data\.txt: a link out of the bot's folder; put a copy"):
        find_bot(reference, "dominoes", strange.parent)


@pytest.mark.parametrize("reference", ["mine", "cmd:./tool mine"])
def test_links_inside_are_files_and_links_to_folders_outside_are_refused(
    reference: str, strange: Path
) -> None:
    (strange / "lib" / "again.py").symlink_to("../bot.py")
    (strange / ".data").write_text("hidden")
    files = find_bot(reference, "dominoes", strange.parent).bundle.files
    assert {path.removeprefix("mine/") for path in files} >= {".data", "bot.py", "lib/again.py"}
    assert (
        files[next(path for path in files if path.endswith("again.py"))] == (strange / "bot.py").read_bytes()
    )
    (strange / "data").symlink_to(strange.parent / "home", target_is_directory=True)
    with pytest.raises(BotError, match=r"mine/data: a link out of the bot's folder"):
        find_bot(reference, "dominoes", strange.parent)


def test_a_program_names_no_link_out_of_its_folder(strange: Path) -> None:
    (strange / "book.txt").symlink_to("../home/secret.txt")
    with pytest.raises(BotError, match=r"book\.txt: a link out of the bot's folder"):
        find_bot("cmd:./bot.py book.txt", "dominoes", strange)

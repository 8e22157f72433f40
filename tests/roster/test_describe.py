"""A stranger's file is described from outside: nothing of it runs here, and nothing it says is believed unseen."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from league.errors import BotError
from league.roster import Bundle, Entry, Unloadable
from league.roster.find import load_file
from league.roster.load import bot_class


def test_a_version_stands_for_all_that_is_run() -> None:
    files = {"mine.py": b""}
    run = [Bundle(files, "mine.py", "A"), Bundle(files, "mine.py", "B"), Bundle(files, "./mine.py --depth 1")]
    assert len({bundle.version for bundle in [*run, Bundle(files, "./mine.py --depth 9")]}) == 4


TWO_BOTS = '''
import numpy as np
from league.bot import Bot, CompiledBot
from league.games.regenwormen.kernels import legal
from league.kernels import below, kernel

class Careful(Bot):
    """Takes few risks.

    And more."""
    game = "regenwormen"
    author = "A. Uthor"
    options = {"risk": 0.5, "brave": False}
    def choose(self, view):
        return view.legal[0]

@kernel
def double(number):
    return number + number

class QuickOne(CompiledBot):
    game = "regenwormen"
    name = "быстрый"
    notes = str(double(21) + below(np.uint64(1), 1))
'''


def load(folder: Path, source: str) -> list[Entry] | Unloadable:
    file = folder / "mine.py"
    file.write_text(source)
    return load_file(file)


def test_a_file_of_two_bots(tmp_path: Path) -> None:
    before = set(sys.modules)
    found = load(tmp_path, TWO_BOTS)
    assert isinstance(found, list)
    careful, quick = found
    assert (careful.name, careful.kind, careful.summary) == ("careful", "python", "Takes few risks.")
    assert (careful.options, careful.author) == ({"risk": 0.5, "brave": False}, "A. Uthor")
    assert (quick.name, quick.kind, quick.bundle.attribute) == ("быстрый", "compiled", "QuickOne")
    assert careful.bundle.files == quick.bundle.files
    assert quick.notes == "42"
    assert not any(name.startswith("league_bot_") for name in set(sys.modules) - before)


BOT = """
from league.bot import Bot
class Mine(Bot):
    game = "regenwormen"
    {}
    def choose(self, view): ...
"""
BABBLE = """
import os
for handle in range(3, 100):
    try:
        os.write(handle, b"[" * 100000)
    except OSError:
        pass
"""


@pytest.mark.parametrize(
    ("source", "line", "reason"),
    [
        ("x = 1\ny = 1 / 0\n", 2, "ZeroDivisionError"),
        ("def f(:\n", 1, "SyntaxError"),
        ("import nowhere_to_be_found\n", 1, "ModuleNotFoundError"),
        ("import os; os._exit(0)\n", None, "left with status 0"),
        ("import os; os.abort()\n", None, "aborted"),
        ("raise SystemExit\n", 1, "SystemExit"),
        ("open('/tmp/left_behind', 'w')\n", 1, "PermissionError"),
        ("x = 1\n", None, "no bot in it"),
        (BOT.format("name = 'a/b'"), None, "'a/b' is no name for a bot"),
        (BOT.format("name = 'a\\x1b[31mb'"), None, "'a\\x1b[31mb' is no name for a bot"),
        (BOT.format("name = 7"), None, "its name must be text"),
        (BOT.format("options = {'a': [1]}"), None, "option a"),
        (BOT.format("options = {'a': float('nan')}"), None, "option a is nan"),
        (BOT.format("options = {'a': chr(0xd800)}"), None, "cannot be used"),
        (BOT.format("name = chr(0x1f600) * 51"), None, "200 bytes"),
        (BOT.format("notes = 3"), None, "text expected"),
        (BABBLE, None, "cannot be used"),
    ],
)
def test_why_a_file_does_not_load(tmp_path: Path, source: str, line: int | None, reason: str) -> None:
    found = load(tmp_path, source)
    assert isinstance(found, Unloadable)
    assert (found.line, reason in found.reason) == (line, True), found


SEVERAL = """
from league.bot import Bot
import helper
from . import other

class Mine(Bot):
    game = "regenwormen"
    notes = f"{helper.WORD} {other.WORD}"
    def choose(self, view):
        return helper.pick(view)
"""


def write_folder(folder: Path, word: str) -> Path:
    folder.mkdir()
    (folder / "bot.py").write_text(SEVERAL)
    (folder / "helper.py").write_text(f"WORD = '{word}'\ndef pick(view):\n    return view.legal[0]\n")
    (folder / "other.py").write_text("WORD = 'other'\n")
    return folder


def test_a_bot_of_several_files(tmp_path: Path) -> None:
    for word in ("one", "two"):
        (found,) = load_file(write_folder(tmp_path / word, word))  # type: ignore[misc]
        assert isinstance(found, Entry)
        assert found.notes == f"{word} other"
        assert bot_class(found.bundle).notes == f"{word} other"
    assert "helper" not in sys.modules


@pytest.mark.parametrize(
    ("helper", "reason"),
    [
        ("def f(:\n", "bot.py:3: SyntaxError: invalid syntax (helper.py:1)"),
        ("WORD = 1\n\nx = 1 / 0\n", "bot.py:3: ZeroDivisionError: division by zero (helper.py:3)"),
        ("eval('1 +')\n", "bot.py:3: SyntaxError: invalid syntax (<string>:1)"),
    ],
)
def test_a_broken_file_beside_it_is_named(tmp_path: Path, helper: str, reason: str) -> None:
    (write_folder(tmp_path / "mine", "") / "helper.py").write_text(helper)
    assert str(load_file(tmp_path / "mine")) == f"{tmp_path}/mine/{reason}"


def test_a_folder_without_a_bot(tmp_path: Path) -> None:
    with pytest.raises(BotError, match=r"holds a file bot\.py"):
        load_file(tmp_path)

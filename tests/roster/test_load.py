"""Bundles are unpacked once, however many do so at once, and leave nothing else behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from league.roster import Bundle
from league.roster.load import unpack

BUNDLE = Bundle({"mine.py": b"pass\n", "words/start": b"#!/bin/sh\n"}, "mine.py", "Mine")


def test_who_comes_second_takes_what_the_first_unpacked_and_tidies_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = Path.rename

    def beaten(aside: Path, home: Path) -> Path:
        monkeypatch.setattr(Path, "rename", rename)
        unpack(BUNDLE, tmp_path)
        return rename(aside, home)

    monkeypatch.setattr(Path, "rename", beaten)
    home = unpack(BUNDLE, tmp_path)
    assert list(tmp_path.iterdir()) == [home]
    assert {path: (home / path).read_bytes() for path in BUNDLE.files} == BUNDLE.files
    assert (home / "words" / "start").stat().st_mode & 0o111
    assert unpack(BUNDLE, tmp_path) == home


def test_what_cannot_be_unpacked_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="a bundle cannot hold"):
        unpack(Bundle({"../else": b""}, "mine.py", "Mine"), tmp_path)
    assert not list(tmp_path.iterdir())


def test_reading_leaves_no_trace_in_an_unpacked_bundle(tmp_path: Path) -> None:
    """A file whose time of access told that it was read would be a bit that outlives a batch."""
    home = unpack(Bundle({"bot.py": b"", "bits/0.txt": b"0", "bits/1.txt": b"1"}, "bot.py"), tmp_path)
    paths = [home, home / "bits", home / "bits" / "1.txt"]
    before = [path.stat().st_atime_ns for path in paths]
    assert (home / "bits" / "1.txt").read_bytes() == b"1"
    assert len([*(home / "bits").iterdir()]) == 2
    assert [path.stat().st_atime_ns for path in paths] == before

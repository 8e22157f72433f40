from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import platformdirs
import pytest

from league.user_cache import user_cache


@pytest.fixture(autouse=True)
def nowhere_but_temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The usual folder would lie below a file, which not even root can write to."""
    (tmp_path / "file").touch()
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: tmp_path / "file" / name)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    user_cache.cache_clear()
    yield
    user_cache.cache_clear()


def test_another_folder_is_for_this_user_alone(tmp_path: Path) -> None:
    folder = user_cache()
    assert folder == tmp_path / f"league-{os.getuid()}"
    assert folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("what", ["folder", "nothing", "file"])
def test_what_is_not_this_users_folder_is_left_alone(what: str, tmp_path: Path) -> None:
    elsewhere = tmp_path / what
    if what == "folder":
        elsewhere.mkdir()
    (tmp_path / f"league-{os.getuid()}").symlink_to(elsewhere)
    folder = user_cache()
    assert folder.parent == tmp_path
    assert folder.is_dir()
    assert not folder.is_symlink()
    assert what == "nothing" or not elsewhere.is_dir() or list(elsewhere.iterdir()) == []

"""A league that was played in one go, to compare others with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.run.playing import run
from tests.tiny import write_league


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a league that was played in one go, to `whole/tiny`."""
    folder = tmp_path_factory.mktemp("whole")
    assert run(write_league(folder), "whole").complete
    return folder

"""Leagues to report on: one with every trouble, played once; its forms with less in them; and a browser."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from playwright.sync_api import Browser, sync_playwright

import league
from league import config as config_files
from league.report import build

EVIL = "<script>alert(1)</script>"
TRAP = "<img src=x onerror=alert(3)>"
LONG = "a-bot-with-a-name-that-somebody-made-as-long-as-the-league-file-allows-and-then-some"

BOTS = """
from league import Bot

class Domino(Bot):
    game = "dominoes"
    author = "Ada <b>L.</b>"
    def choose(self, view):
        return view.legal[0]

class Last(Domino):
    "Plays the last legal tile & hopes."
    def choose(self, view):
        return view.legal[-1]

class Faulty(Domino):
    def choose(self, view):
        if self.rng.random() < 0.02:
            raise RuntimeError("</script><script>alert(2)</script>")
        return view.legal[-1]
"""

LEAGUE = f"""
[league]
name = "trouble"
seed = 5
[game]
name = "dominoes"
seats = 2
target = 35
[schedule]
matches = 48
batch = 12
[limits]
faults_per_batch = 2
[[bots]]
use = "dominoes.py:Domino"
name = "{EVIL}"
isolation = "none"
[[bots]]
use = "dominoes.py:Last"
name = "{LONG}"
isolation = "none"
[[bots]]
use = "dominoes.py:Faulty"
name = "{TRAP}"
isolation = "none"
[[bots]]
use = "dominoes.py:Last"
name = "fine"
isolation = "none"
"""

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
]


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a small league: odd names, faults, forfeits, two versions of a bot, hidden hands."""
    folder = tmp_path_factory.mktemp("trouble")
    (folder / "dominoes.py").write_text(BOTS)
    file = folder / "league.toml"
    file.write_text(LEAGUE)
    with pytest.MonkeyPatch.context() as lax:  # leagues refuse a slash in a name; pages do not count on that
        lax.setattr(config_files, "require_name", lambda name: None)
        config = league.read_config(file)
    summary = league.run_league(config, str(folder / "results"), engine="inline")
    return Path(summary.folder)


@pytest.fixture(scope="session")
def site(played: Path) -> Path:
    """Its report."""
    return Path(build(str(played))).parent


def copied(played: Path, to: Path, files: tuple[str, ...]) -> Path:
    """A result folder with only some of the files."""
    to.mkdir(parents=True)
    for name in files:
        (to / name).parent.mkdir(exist_ok=True)
        shutil.copy(played / name, to / name)
    return to


@pytest.fixture(scope="session")
def empty(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of which nothing has been played."""
    return copied(played, tmp_path_factory.mktemp("empty") / "trouble", ("league.json",))


@pytest.fixture(scope="session")
def lonely(empty: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league with one bot."""
    folder = copied(empty, tmp_path_factory.mktemp("lonely") / "trouble", ("league.json",))
    kept = json.loads((folder / "league.json").read_text())
    kept["bots"] = kept["bots"][:1]
    (folder / "league.json").write_text(json.dumps(kept))
    return folder


@pytest.fixture(scope="session")
def single(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league with one match."""
    files = ("league.json", "standings.json", "ratings.parquet", "matches/part-000000.parquet")
    folder = copied(played, tmp_path_factory.mktemp("single") / "trouble", files)
    part = folder / "matches/part-000000.parquet"
    pq.write_table(pq.read_table(part).slice(0, 1), part)
    standings = folder / "standings.json"
    standings.write_text(json.dumps(json.loads(standings.read_text()) | {"matches": 1}))
    return folder


@pytest.fixture(scope="session")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of forty bots whose decisions are not logged."""
    folder = tmp_path_factory.mktemp("crowd")
    lines = ['[league]\nname = "crowd"\nseed = 1\n[game]\nname = "regenwormen"\nseats = 2']
    lines += ['[schedule]\nmatches = 1560\nbatch = 1560\n[log]\nlevel = "results"']
    lines += [f'[[bots]]\nuse = "compiled_random"\nname = "bot {number:02}"' for number in range(40)]
    file = folder / "league.toml"
    file.write_text("\n".join(lines))
    summary = league.run_league(league.read_config(file), str(folder / "results"), engine="inline")
    return Path(summary.folder)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A real Chromium."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not found:
        pytest.skip("no Chromium on this machine")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield running
        running.close()

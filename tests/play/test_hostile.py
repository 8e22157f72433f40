"""No bot can stop a league, change another's result, see what it must not, or leave anything behind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import psutil
import pytest

from league.games import Game
from league.games.find import find_game
from league.play import Batch, Limits, Played, table
from league.play.hosts import Isolation, host_for
from league.play.table import play_batch
from league.roster import Bundle
from tests.play import zoo
from tests.play.zoo import HONEST, Beast

LIMITS = Limits(decision_ms=150, start_s=1, memory_mb=200, faults_per_batch=20)
MATCHES = 48


@cache
def game() -> Game:
    return find_game("regenwormen")(3)


def play(bundle: Bundle, isolation: Isolation, log: Path | None = None) -> Played:
    """A bot among two honest ones."""
    honest = Bundle({"honest.py": HONEST.encode()}, "honest.py", "Honest")
    seats = np.array([np.roll([0, 1, 2], match) for match in range(MATCHES)], np.int16)
    batch = Batch(0, 0, np.arange(MATCHES) // 3, seats)
    hosts = [
        host_for(game(), bundle, "python", {}, isolation, LIMITS, log),
        host_for(game(), honest, "python", {}, "process", LIMITS),
        host_for(game(), honest, "python", {}, "none", LIMITS),
    ]
    try:
        return play_batch(game(), batch, hosts, LIMITS, league_seed=15)
    finally:
        for host in hosts:
            host.close()


@cache
def as_if(attack: str, born: str, fair: str = Beast.fair) -> Played:
    """What happens when the bot does nothing worse than this, in this process."""
    return play(Beast(attack=attack, born=born, fair=fair).bundle, "none")


def assert_equal(played: Played, expected: Played) -> None:
    assert np.array_equal(played.scores, expected.scores)
    assert np.array_equal(played.ranks, expected.ranks)
    assert np.array_equal(played.decisions, expected.decisions)
    assert played.actions.tobytes() == expected.actions.tobytes()
    assert where(played) == where(expected)


def where(played: Played) -> dict[int, list[tuple[int, int]]]:
    return {
        match: [(fault.seat, fault.decision) for fault in faults] for match, faults in played.faults.items()
    }


def kinds(played: Played) -> set[str]:
    return {fault.kind for faults in played.faults.values() for fault in faults}


def traces() -> list[object]:
    """All that a bot could leave behind."""
    zygotes = psutil.Process().children()
    started = [child.pid for zygote in zygotes for child in zygote.children(recursive=True)]
    files = [path for folder in (Path("/tmp"), Path("/dev/shm")) for path in folder.glob("left_behind*")]
    segments = [path.name for path in Path("/dev/shm").glob("psm_*")]
    return [started, files, segments, len(list(Path("/proc/self/fd").iterdir()))]


@pytest.fixture(autouse=True)
def _in_two_shifts(monkeypatch: pytest.MonkeyPatch) -> None:
    """So few matches would all step together."""
    monkeypatch.setattr(table, "WORTH_A_SHIFT", 5)


@pytest.fixture(autouse=True)
def _leaves_nothing() -> Iterator[None]:
    play(zoo.Beast().bundle, "process")
    before = traces()
    yield
    assert traces() == before


FAIR = "return self.fair(view)"
RAISE = "raise RuntimeError"


@pytest.mark.parametrize("name", zoo.AT_A_DECISION)
def test_a_fault_at_a_decision_costs_that_match_alone(name: str) -> None:
    beast = zoo.AT_A_DECISION[name]
    played = play(beast.bundle, "process")
    assert_equal(played, as_if(RAISE, "pass"))
    assert kinds(played) == beast.kinds
    assert all(fault.message.isprintable() for faults in played.faults.values() for fault in faults)


@pytest.mark.parametrize("name", [*zoo.DENIED, *zoo.HARMLESS])
def test_what_is_denied_changes_nothing(name: str) -> None:
    played = play({**zoo.DENIED, **zoo.HARMLESS}[name].bundle, "process")
    assert played.faults == {}
    assert_equal(played, as_if(FAIR, "pass"))


@pytest.mark.parametrize("way", zoo.HOARDING)
def test_no_way_leads_to_more_memory(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    beast = Beast(attack=zoo.HOARDING[way], before=zoo.MAPPING)
    expected = as_if(RAISE, "pass")
    monkeypatch.setattr("tests.play.test_hostile.LIMITS", replace(LIMITS, decision_ms=20_000))
    played = play(beast.bundle, "process")
    assert kinds(played) == {"memory"}
    assert_equal(played, expected)


@pytest.mark.parametrize("name", zoo.AT_BIRTH)
def test_a_fault_at_birth_is_charged_at_the_first_decision(name: str) -> None:
    played = play(zoo.AT_BIRTH[name].bundle, "process")
    assert kinds(played) == zoo.AT_BIRTH[name].kinds
    assert_equal(played, as_if(FAIR, RAISE))


@pytest.mark.parametrize("name", zoo.AT_IMPORT)
def test_a_bot_that_does_not_load_is_charged_everywhere(name: str) -> None:
    played = play(zoo.AT_IMPORT[name].bundle, "process")
    assert kinds(played) == zoo.AT_IMPORT[name].kinds | {"forfeit"}
    assert_equal(played, as_if(FAIR, "pass", "raise RuntimeError"))


def test_a_forger_of_its_progress_is_charged_in_its_own_matches() -> None:
    played = play(zoo.FORGER.bundle, "process")
    assert "died" in kinds(played) <= {"died", "forfeit"}

"""Time that is added up in bulk, and a past that is lived through again, from little memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from league.games.find import find_game
from league.kernels import rows
from league.play import Ask, Batch, Limits, Played
from league.play.apart import _Asked, _Thought
from league.play.hosts import Isolation, host_for
from league.play.table import play_batch
from league.roster import Bundle
from league.sandbox.spawn import close_zygote
from tests.games import race
from tests.play.test_hostile import assert_equal

CHAIRS = 50


def test_thinking_time_adds_up_whoever_looks_and_sits_down_between() -> None:
    rng = np.random.default_rng(1)
    thought, sums = _Thought(CHAIRS), np.zeros(CHAIRS, np.int64)
    for turn in range(200):
        chairs = rng.permutation(CHAIRS)[: rng.integers(CHAIRS)].astype(np.int32)
        each = rng.integers(10**15, size=len(chairs)) if turn % 3 and len(chairs) else int(turn)
        thought.add(chairs, each)
        sums[chairs] += each
        chairs[:] = 0  # its place in memory is used again
        assert thought.at_most_ns >= sums.max()
        if turn % 7 == 0:
            assert np.array_equal(thought.of(np.arange(CHAIRS)), sums)
            assert thought.at_most_ns == sums.max()
        if turn % 11 == 0:
            leaving = rng.permutation(CHAIRS)[:9]
            thought.forget(leaving)
            sums[leaving] = 0


@pytest.fixture
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    race.install(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    close_zygote()
    yield
    close_zygote()


MINDFUL = """
import os
from league import Bot

class Mindful(Bot):
    game = "race"
    seen = ()
    def choose(self, view):
        self.seen += ((view.die, view.at, view.hand),)
        if len(self.seen) == 3 and view.die == 6:
            BAD
        return view.legal[sum(map(hash, self.seen)) % len(view.legal)]
"""


@pytest.mark.usefixtures("_installed")
def test_who_dies_at_a_game_of_large_views_lives_through_its_past_again() -> None:
    def play(isolation: Isolation, bad: str) -> Played:
        game, limits = find_game("race")(3), Limits(faults_per_batch=100)
        bundle = Bundle({"mine.py": MINDFUL.replace("BAD", bad).encode()}, "mine.py", "Mindful")
        host = host_for(game, bundle, "python", {}, isolation, limits)
        try:
            seats = np.zeros((12, 3), np.int16)
            return play_batch(game, Batch(0, 0, np.arange(12), seats), [host], limits, 1)
        finally:
            host.close()

    died, raised = play("process", "os._exit(3)"), play("none", "raise ValueError")
    assert_equal(died, raised)
    assert 2 <= len(died.faults) < 12


@pytest.mark.usefixtures("_installed")
def test_large_views_are_kept_in_little_memory() -> None:
    game, numbers = find_game("race")(3), np.arange(1000)
    views = rows(len(numbers), game.view_dtype)
    for view in views:
        game.kernels.observe(game.start(0)[0], view)
    tracemalloc.start()
    asked = _Asked(Ask(views, numbers.astype(np.int32), numbers.astype(np.uint64)))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < views.nbytes / 10
    part = asked.part(numbers % 3 == 0)
    assert (part.views == views[::3]).all()
    assert part.chairs.tolist() == part.seeds.tolist() == numbers[::3].tolist()

"""Thinking time is added up in bulk to what adding it round by round comes to."""

from __future__ import annotations

import numpy as np

from league.play.apart import _Thought

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

"""How fast ratings are, against the `trueskill` package on the same machine in the same minute."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import trueskill

from league.clock import now_ns
from league.rate import Columns
from league.rate.calibration import ModelGame
from league.rate.trueskill import Online, Parameters

ROUNDS = 9
"""How often each is measured."""


@dataclass(frozen=True)
class Speed:
    """Nanoseconds a match, and how many times as fast the kernel is as the package."""

    kernel_ns: float
    package_ns: float

    @property
    def ratio(self) -> float:
        """Times as fast."""
        return self.package_ns / self.kernel_ns


def against_package(seats: int = 4, matches: int = 20_000, package_matches: int = 100) -> Speed:
    """Rate the same matches with the compiled kernel and, the first few of them, with the package.

    Both are measured in turn, several times, and the round in the middle counts: the machine may be slow at times.
    """
    league = ModelGame(np.linspace(0, 2, 20), seats).play(matches // seats, seed=1)
    rounds = [Speed(_kernel_ns(league), _package_ns(league[:package_matches])) for _ in range(ROUNDS)]
    return sorted(rounds, key=lambda speed: speed.ratio)[ROUNDS // 2]


def _kernel_ns(league: Columns) -> float:
    Online.start(20, Parameters()).fold(league[:1])
    online, start = Online.start(20, Parameters()), now_ns()
    online.fold(league)
    return (now_ns() - start) / len(league)


def _package_ns(league: Columns) -> float:
    package = trueskill.TrueSkill(tau=0)
    ratings = [package.create_rating() for _ in range(20)]
    start = now_ns()
    for bots, ranks in zip(league.bots, league.ranks, strict=True):
        rated = package.rate([(ratings[bot],) for bot in bots], ranks)
        for bot, (rating,) in zip(bots, rated, strict=True):
            ratings[bot] = rating
    return (now_ns() - start) / len(league)

"""Fold outcomes, in batch order, into ratings and counts whose size depends on the bots alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from league.config import LeagueConfig
from league.rate import Columns, Estimate, Rater, rater
from league.rate.tally import Tally
from league.rate.trueskill import Online, Parameters
from league.run import Outcome
from league.schedule import Standing

DIGITS = 6
"""Digits after the point in published numbers."""


@dataclass
class Fold:
    """What a league came to so far.

    Attributes:
        tally: Counts of outcomes.
        online: The online rating.
        score_sums: `int64[bots]`.
        faults: `int64[bots]`.
        forfeits: `int64[bots]`.
    """

    tally: Tally
    online: Online
    record: Rater
    score_sums: Any = field(init=False)
    faults: Any = field(init=False)
    forfeits: Any = field(init=False)

    def __post_init__(self) -> None:
        """Start from no matches."""
        self.score_sums, self.faults, self.forfeits = np.zeros((3, self.tally.bots), np.int64)

    @classmethod
    def start(cls, config: LeagueConfig) -> Fold:
        """Nothing folded yet."""
        bots, seats = len(config.bots), config.game.seats
        draw = draw_probability(config)
        online = Online.start(bots, Parameters(draw_probability=draw, tau=config.rating.tau))
        method = config.rating.method
        record = online if method == "trueskill" else rater(method, bots, seats, draw)
        return cls(Tally(bots, seats), online, record)

    def add(self, outcome: Outcome) -> None:
        """Fold the next batch."""
        columns = Columns(outcome.bots, outcome.ranks, outcome.deals)
        self.tally.fold(columns)
        self.online.fold(columns)
        if self.record is not self.online:
            self.record.fold(columns)
        np.add.at(self.score_sums, outcome.bots, outcome.scores)
        self.faults += outcome.faults
        self.forfeits += outcome.forfeits

    def estimate(self) -> Estimate:
        """The ratings of record."""
        return self.record.estimate()

    def standings(self) -> list[Standing]:
        """What an adaptive schedule wants to know, by bot."""
        estimate = self.estimate()
        low, high = interval(estimate)
        pairs = self.tally.pairs()
        points = (2 * pairs.wins + pairs.ties).sum(axis=1) / np.maximum(2 * pairs.matches.sum(axis=1), 1)
        return [
            Standing(bot, float(points[bot]), float(estimate.mu[bot]), float(low[bot]), float(high[bot]))
            for bot in range(self.tally.bots)
        ]


def interval(estimate: Estimate) -> tuple[Any, Any]:
    """Lower and upper ends of 95 % intervals of `mu`."""
    return estimate.mu - 1.96 * estimate.sigma, estimate.mu + 1.96 * estimate.sigma


def draw_probability(config: LeagueConfig) -> float:
    """The config's, or the constant of the game and its seats."""
    if config.rating.draw_probability is not None:
        return config.rating.draw_probability
    return config.game.draw_probabilities[config.game.seats]


def standings_of(config: LeagueConfig, fold: Fold) -> list[dict[str, Any]]:
    """The ranking, best first; rank ranges are where bots with overlapping ratings could stand."""
    estimate, records = fold.estimate(), fold.tally.records()
    matches = np.maximum(records.matches, 1)
    low, high = rank_ranges(estimate)
    order = sorted(
        range(len(config.bots)),
        key=lambda bot: (-estimate.mu[bot] + 3 * estimate.sigma[bot], config.bots[bot].name),
    )
    return [
        {
            "rank": place + 1,
            "rank_low": int(low[bot]),
            "rank_high": int(high[bot]),
            "bot": config.bots[bot].name,
            "version": config.bots[bot].entry.bundle.version,
            "mu": round(float(estimate.mu[bot]), DIGITS),
            "sigma": round(float(estimate.sigma[bot]), DIGITS),
            "rating": round(float(estimate.mu[bot] - 3 * estimate.sigma[bot]), DIGITS),
            "matches": int(records.matches[bot]),
            "wins": int(records.wins[bot]),
            "ties": int(records.ties[bot]),
            "losses": int(records.losses[bot]),
            "mean_rank": round(float(records.mean_rank[bot]), DIGITS),
            "mean_score": round(float(fold.score_sums[bot] / matches[bot]), DIGITS),
            "faults": int(fold.faults[bot]),
            "forfeits": int(fold.forfeits[bot]),
        }
        for place, bot in enumerate(order)
    ]


def rank_ranges(estimate: Estimate) -> tuple[Any, Any]:
    """Best and worst rank of each bot, from 1."""
    lower, upper = interval(estimate)
    better = (lower[None, :] > upper[:, None]).sum(axis=1)
    worse = (upper[None, :] < lower[:, None]).sum(axis=1)
    return 1 + better, len(lower) - worse

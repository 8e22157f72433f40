"""Fold outcomes, in batch order, into ratings and counts whose size depends on the bots alone."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from league.config import LeagueConfig
from league.rate import Columns, Estimate, Method
from league.rate.fit import Fit, groups
from league.rate.intervals import Intervals, intervals
from league.rate.order_free import order_free
from league.rate.resamples import Resamples
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
        method: `rating.method`, which ranks the bots.
        draw_probability: How often two equal neighbours in the ranking tie.
        tally: Counts of outcomes.
        online: The online rating.
        resamples: What the intervals are made from, drawn block by block, for then mirror sets are whole.
        score_sums: `int64[bots]`.
        faults: `int64[bots]`.
        forfeits: `int64[bots]`.
    """

    method: Method
    draw_probability: float
    tally: Tally
    online: Online
    resamples: Resamples
    score_sums: Any = field(init=False)
    faults: Any = field(init=False)
    forfeits: Any = field(init=False)
    _block: list[Columns] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Start from no matches."""
        self.score_sums, self.faults, self.forfeits = np.zeros((3, self.tally.bots), np.int64)

    @classmethod
    def start(cls, config: LeagueConfig) -> Fold:
        """Nothing folded yet."""
        bots, seats = len(config.bots), config.game.seats
        draw = config.game.draw_probability(config.rating.draw_probability)
        return cls(
            config.rating.method,
            draw,
            Tally(bots, seats),
            Online.start(bots, Parameters(draw_probability=draw, tau=config.rating.tau)),
            Resamples(bots, seats, config.seed),
        )

    def add(self, outcome: Outcome) -> None:
        """Fold the next batch."""
        columns = Columns(outcome.bots, outcome.ranks, outcome.deals)
        self.tally.fold(columns)
        self.online.fold(columns)
        self._block.append(columns)
        if (outcome.number + 1) % self.tally.seats == 0:
            self._draw()
        scores = np.bincount(outcome.bots.ravel(), outcome.scores.ravel(), len(self.score_sums))
        self.score_sums += scores.astype(np.int64)
        self.faults += outcome.faults
        self.forfeits += outcome.forfeits

    def _draw(self) -> None:
        """Draw the batches of a block, set by set."""
        if self._block:
            columns = Columns.join(self._block)
            self.resamples.fold(columns[np.argsort(columns.deals, kind="stable")])
            self._block = []

    def intervals(self, fit: Fit) -> Intervals:
        """How sure the fit is; an unfinished block counts as far as it goes."""
        self._draw()
        return intervals(fit, self.tally, self.resamples)

    def fit(self) -> Fit:
        """The order-free fit whose intervals stand beside the rating of record."""
        return order_free(self.method, self.tally, self.draw_probability)

    def standings(self) -> list[Standing]:
        """What an adaptive schedule wants to know, by bot."""
        fit = self.fit()
        sure = self.intervals(fit)
        pairs = self.tally.pairs()
        points = (2 * pairs.wins + pairs.ties).sum(axis=1) / np.maximum(2 * pairs.matches.sum(axis=1), 1)
        return [
            Standing(bot, float(points[bot]), float(fit.mu[bot]), float(sure.low[bot]), float(sure.high[bot]))
            for bot in range(self.tally.bots)
        ]


def standings_of(config: LeagueConfig, fold: Fold) -> list[dict[str, Any]]:
    """The ranking, best first.

    `mu`, `sigma` and `rating` are those of the method of record; `online_*` and `fit_*` show the online rating and the
    order-free fit side by side, `fit_low` and `fit_high` the latter's 95 % interval, from which the range of ranks
    follows. Matches tell only differences of ratings within bots that met; there the mean of the fit is put where that
    of the ratings of record is. `disputed` marks a bot whose online rank lies outside its range.
    """
    fit = fold.fit()
    sure = fold.intervals(fit)
    fitted, online = fit.estimate(), fold.online.estimate()
    record = online if fold.method == "trueskill" else fitted
    level = _level(record.mu - fitted.mu, fit)
    records = fold.tally.records()
    matches = np.maximum(records.matches, 1)
    places = _places(record)
    online_ranks = np.argsort(_places(online)) + 1
    rows = []
    for place, bot in enumerate(places.tolist()):
        low, high = int(sure.rank_low[bot]), int(sure.rank_high[bot])
        numbers = {
            "mu": record.mu[bot],
            "sigma": record.sigma[bot],
            "rating": record.mu[bot] - 3 * record.sigma[bot],
            "mean_rank": records.mean_rank[bot] + 1,
            "mean_score": fold.score_sums[bot] / matches[bot],
            "online_mu": online.mu[bot],
            "online_sigma": online.sigma[bot],
            "fit_mu": fitted.mu[bot] + level[bot],
            "fit_sigma": fitted.sigma[bot],
            "fit_low": sure.low[bot] + level[bot],
            "fit_high": sure.high[bot] + level[bot],
            "narrowing": sure.narrowing[bot],
        }
        rows.append(
            {
                "rank": place + 1,
                "rank_low": low,
                "rank_high": high,
                "bot": config.bots[bot].name,
                "version": config.bots[bot].entry.bundle.version,
                "matches": int(records.matches[bot]),
                "wins": int(records.wins[bot]),
                "ties": int(records.ties[bot]),
                "losses": int(records.losses[bot]),
                "faults": int(fold.faults[bot]),
                "forfeits": int(fold.forfeits[bot]),
                "component": config.bots[int(fit.components[bot])].name,
                "disputed": not low <= int(online_ranks[bot]) <= high,
            }
            | {key: round(float(value), DIGITS) for key, value in numbers.items()}
        )
    return rows


def _level(gaps: Any, fit: Fit) -> Any:
    """By bot the mean of the gaps among the bots that it met, `float64[bots]` both."""
    level = np.zeros_like(gaps)
    for members in groups(fit.components):
        level[members] = gaps[members].mean()
    return level


def _places(estimate: Estimate) -> Any:
    """The bots by `mu - 3 sigma`, best first; equal ones in the order of the league."""
    return np.argsort(3 * estimate.sigma - estimate.mu, kind="stable")

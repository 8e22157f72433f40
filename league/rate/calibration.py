"""Do the intervals keep their word? Many leagues of a model game, whose bots have known strength, are rated.

The model game is Thurstone's: a bot's performance is its skill, plus what its seat is worth in this deal,
plus noise of its own, and performances decide the ranks (Thurstone, "A law of comparative judgment",
Psychological Review 34, 1927). The luck of seats is shared by the matches of a mirror set, so matches are
not independent, as in real games. True ratings and scores follow from the skills in closed form; no rating
code takes part in the game.

`python -m league.rate.calibration` prints the table of the README.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from league.rate import Columns, Floats, Ints
from league.rate.intervals import intervals
from league.rate.pairwise import pairwise
from league.rate.resamples import Resamples
from league.rate.tally import Tally
from league.rate.trueskill import Parameters
from league.rate.trueskill_batch import fit
from league.seeds import seed_of

LEAGUES = 400


@dataclass(frozen=True)
class ModelGame:
    """A game between bots of known skill.

    Attributes:
        skills: `[B]` mean performances; a bot's own noise has standard deviation 1.
        seats: Seats of a match.
        luck: Standard deviation of what a seat is worth in a deal.
        margin: Neighbours in the order of performance tie when they are less than this apart.
    """

    skills: Floats
    seats: int
    luck: float = 0.0
    margin: float = 0.0

    def play(self, sets: int, seed: int) -> Columns:
        """Whole mirror sets of random line-ups."""
        rng = np.random.default_rng(seed)
        lineups = np.argsort(rng.random((sets, len(self.skills))), axis=1)[:, : self.seats]
        seated = np.stack([np.roll(lineups, turn, axis=1) for turn in range(self.seats)], axis=1)
        luck = rng.normal(0, self.luck, (sets, 1, self.seats))
        played = self.skills[seated] + luck + rng.standard_normal(seated.shape)
        ranks = self._ranks(played.reshape(-1, self.seats))
        return Columns(seated.reshape(-1, self.seats), ranks, np.repeat(np.arange(sets), self.seats))

    @property
    def spread(self) -> float:
        """Standard deviation of one bot's performances."""
        return math.hypot(1, self.luck)

    def true_scores(self) -> Floats:
        """`[B, B]` expected score of row against column."""
        gap = (self.skills[:, None] - self.skills) / self.spread / math.sqrt(2)
        margin = self.margin / self.spread / math.sqrt(2)
        return np.asarray((ndtr(gap + margin) + ndtr(gap - margin)) / 2)

    def _ranks(self, played: Floats) -> Ints:
        """`[N, S]` competition ranks of performances `[N, S]`."""
        order = np.argsort(-played, axis=1)
        fallen = -np.diff(np.take_along_axis(played, order, axis=1), axis=1, prepend=np.inf)
        starts = np.where(fallen >= self.margin, np.arange(self.seats), 0)
        ranks = np.zeros_like(order)
        np.put_along_axis(ranks, order, np.maximum.accumulate(starts, axis=1), axis=1)
        return ranks


@dataclass(frozen=True)
class Calibration:
    """What share of intervals held the truth over many leagues, all between 0 and 1.

    Attributes:
        ratings: Of ratings, relative to the mean of the bots.
        scores: Of pairwise scores.
        ranks: Of ranges of ranks.
        narrowing: Mean width of rating intervals over that of independent matches.
        order: Mean share of pairs of bots that the ranking has in the true order.
    """

    ratings: float
    scores: float
    ranks: float
    narrowing: float
    order: float


def calibrate(game: ModelGame, sets: int, leagues: int, seed: int) -> Calibration:
    """Play and rate `leagues` leagues of `sets` mirror sets each; the game must be without ties."""
    found = [_one_league(game, sets, seed_of(seed, "league", league)) for league in range(leagues)]
    return Calibration(*np.mean(found, axis=0).tolist())


def _one_league(game: ModelGame, sets: int, seed: int) -> list[float]:
    bots = len(game.skills)
    parameters = Parameters(draw_probability=0.0, backend="exact")
    columns = game.play(sets, seed)
    tally, resamples = Tally(bots, game.seats), Resamples(bots, game.seats, seed)
    tally.fold(columns)
    resamples.fold(columns)
    fitted = fit(tally, parameters)
    sure, compared = intervals(fitted, tally, resamples), pairwise(fitted, tally, resamples)
    truth = game.skills / game.spread * parameters.beta
    truth = truth - truth.mean() + fitted.mu.mean()
    true_ranks = 1 + (truth[None] > truth[:, None]).sum(axis=1)
    upper = np.triu_indices(bots, 1)
    scores = game.true_scores()[upper]
    right = (fitted.mu[upper[0]] > fitted.mu[upper[1]]) == (truth[upper[0]] > truth[upper[1]])
    held = (
        (sure.low <= truth) & (truth <= sure.high),
        (compared.low[upper] <= scores) & (scores <= compared.high[upper]),
        (sure.rank_low <= true_ranks) & (true_ranks <= sure.rank_high),
        sure.narrowing,
        right,
    )
    return [float(np.mean(share)) for share in held]


def table(leagues: int = LEAGUES) -> str:
    """The calibration table in Markdown."""
    lines = [
        "| bots | seats | mirror sets | luck | ratings held | scores held | ranks held | width | order |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for bots, seats, sets, luck in ((8, 2, 400, 1.0), (8, 4, 200, 0.5), (8, 4, 1000, 1.0), (12, 3, 600, 0.5)):
        game = ModelGame(np.linspace(0, 1.5, bots), seats, luck)
        result = calibrate(game, sets, leagues, seed=1)
        shares = (result.ratings, result.scores, result.ranks, result.narrowing, result.order)
        lines.append(
            f"| {bots} | {seats} | {sets} | {luck} | " + " | ".join(f"{s:.1%}" for s in shares) + " |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())

"""Run every kernel of the package on a small league and print what comes out; see `test_modes`."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from league.rate import Columns, plackett_luce, trueskill_batch
from league.rate.calibration import ModelGame
from league.rate.intervals import intervals
from league.rate.pairwise import pairwise
from league.rate.resamples import Resamples
from league.rate.seats import null_test
from league.rate.sprt import SetScores, Sprt
from league.rate.tally import Tally
from league.rate.trueskill import Online, Parameters


def numbers(columns: Columns, bots: int) -> list[Any]:
    """Results of all that is rated, as nested lists."""
    exact = Parameters(draw_probability=0.2, backend="exact")
    raters = [Online.start(bots, parameters) for parameters in (Parameters(), exact)]
    tally, resamples = Tally(bots, columns.bots.shape[1]), Resamples(bots, columns.bots.shape[1], 1, 16)
    for fold in (raters[0].fold, raters[1].fold, tally.fold, resamples.fold):
        fold(columns)
    fits = [trueskill_batch.fit(tally, exact), plackett_luce.fit(tally)]
    sure = [intervals(fit, tally, resamples) for fit in fits]
    found: list[Any] = [rater.mu for rater in raters] + [fit.mu for fit in fits]
    found += [array for one in sure for array in (one.low, one.high, one.rank_low, one.narrowing)]
    found += [pairwise(fits[0], tally, resamples).low, tally.rank_counts(), tally.records().wins]
    found += [null_test(tally, resamples).seats.low]
    return [array.tolist() for array in found] + [
        Sprt().verdict(SetScores(np.array([0.25, 0.5, 1.0]), np.ones(3))).ratio
    ]


if __name__ == "__main__":
    games = [
        ModelGame(np.linspace(0, 1, 5), seats, 0.5, margin)
        for seats, margin in ((2, 0.4), (4, 0.0), (4, 0.4))
    ]
    print(json.dumps([numbers(game.play(6, seed=1), 5) for game in games]))

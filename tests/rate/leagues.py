"""Small made-up leagues for tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from league.rate import Columns
from league.rate.sprt import SetScores
from league.rate.tally import Tally


def competition_ranks(scores: Any) -> Any:
    """`[..., S]` competition ranks from 0 of `scores`, lower being better."""
    scores = np.asarray(scores)
    return (scores[..., None, :] < scores[..., :, None]).sum(axis=-1)


@st.composite
def columns(draw: st.DrawFn, bots: int = 6, seats: int | None = None, most: int = 40) -> Columns:
    """Whole mirror sets of any outcome, ties of every kind included."""
    seats = seats or draw(st.integers(2, min(bots, 7)))
    sets = draw(st.integers(0, most // seats))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    levels = draw(st.integers(1, 8))
    lineups = np.array([rng.permutation(bots)[:seats] for _ in range(sets)], int).reshape(sets, seats)
    seated = np.stack([np.roll(lineups, turn, axis=1) for turn in range(seats)], axis=1).reshape(-1, seats)
    ranks = competition_ranks(rng.integers(0, levels, seated.shape))
    return Columns(seated, ranks, np.repeat(np.arange(sets), seats))


def tally_of(league: Columns, bots: int = 6) -> Tally:
    tally = Tally(bots, league.bots.shape[1])
    tally.fold(league)
    return tally


def matches(*outcomes: tuple[list[int], list[int], int]) -> Columns:
    """Matches from (bots, ranks, how often); every match is a deal of its own."""
    bots = [lineup for lineup, _, count in outcomes for _ in range(count)]
    ranks = [places for _, places, count in outcomes for _ in range(count)]
    return Columns(np.array(bots), np.array(ranks), np.arange(len(bots)))


def set_scores_of(scores: Iterable[float]) -> SetScores:
    """The scores of single mirror sets, counted."""
    values, counts = np.unique(np.fromiter(scores, float), return_counts=True)
    return SetScores(values, counts.astype(float))

"""Small made-up leagues: hypothesis strategies, and matches drawn from the Thurstone model."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from league.rate import Columns, Floats


def competition_ranks(scores: Any) -> Any:
    """`[..., S]` competition ranks from 0 of `scores`, higher being better."""
    scores = np.asarray(scores)
    return (scores[..., None, :] > scores[..., :, None]).sum(axis=-1)


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


def thurstone(
    skills: Floats, seats: int, sets: int, seed: int, deal_spread: float = 0.0, margin: float = 0.0
) -> Columns:
    """Mirror sets of bots of known skill: performance = skill + luck of the seat in this deal + noise.

    The noise has spread 1. Two neighbours in the order of performance tie when they are less than `margin` apart.
    """
    rng = np.random.default_rng(seed)
    lineups = np.argsort(rng.random((sets, len(skills))), axis=1)[:, :seats]
    turns = [np.roll(lineups, turn, axis=1) for turn in range(seats)]
    seated = np.stack(turns, axis=1)
    luck = rng.normal(0, deal_spread, (sets, 1, seats))
    played = skills[seated] + luck + rng.normal(0, 1, seated.shape)
    ordered = -np.sort(-played, axis=-1)
    apart = np.concatenate([np.zeros_like(ordered[..., :1]), -np.diff(ordered)], axis=-1) >= margin
    apart[..., 0] = False
    place = (played[..., None] < ordered[..., None, :]).sum(axis=-1)
    group = np.take_along_axis(np.cumsum(apart, axis=-1), place, axis=-1)
    ranks = (group[..., None, :] < group[..., :, None]).sum(axis=-1)
    return Columns(seated.reshape(-1, seats), ranks.reshape(-1, seats), np.repeat(np.arange(sets), seats))

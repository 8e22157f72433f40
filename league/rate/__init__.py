"""Ratings: what is measured of the matches of a league, and how sure one can be of it.

Everything here receives `Columns`, chunks of matches, and folds them into something whose
size depends on the bots and not on the number of matches. A *rating method* is one file of this package; a
league file names it by the file's name:

    trueskill        online: `Online` rates one match after another
    trueskill_batch  the same model, all matches at once, whatever their order: `fit` of a tally
    plackett_luce    another model, maximum likelihood, on the same tally: `fit`
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

Floats: TypeAlias = "np.ndarray[Any, np.dtype[np.float64]]"
Ints: TypeAlias = "np.ndarray[Any, np.dtype[np.int64]]"

Method: TypeAlias = Literal["trueskill", "trueskill_batch", "plackett_luce"]
"""The files of this package that are rating methods."""


@dataclass(frozen=True)
class Columns:
    """A chunk of matches in the form in which every part of this package takes them.

    Attributes:
        bots: `[N, S]` integers, the bot in each seat; the bots of one match differ.
        ranks: `[N, S]` integers, competition ranks from 0, equal for ties (0, 1, 1, 3).
        deals: `[N]` integers; the `S` matches of one mirror set share their deal.
    """

    bots: np.ndarray[Any, np.dtype[np.integer[Any]]]
    ranks: np.ndarray[Any, np.dtype[np.integer[Any]]]
    deals: np.ndarray[Any, np.dtype[np.integer[Any]]]

    def __post_init__(self) -> None:
        """Bring the columns to the types that kernels are compiled for.

        Raises:
            ValueError: The shapes do not belong together.
        """
        for field, dtype in (("bots", np.int32), ("ranks", np.int8), ("deals", np.int64)):
            object.__setattr__(self, field, np.ascontiguousarray(getattr(self, field), dtype))
        if (
            self.bots.ndim != 2
            or self.ranks.shape != self.bots.shape
            or self.deals.shape != self.bots.shape[:1]
        ):
            raise ValueError(
                f"bots {self.bots.shape}, ranks {self.ranks.shape} and deals {self.deals.shape} do not match"
            )

    def __len__(self) -> int:
        return len(self.deals)

    def require(self, bots: int) -> None:
        """Refuse bots that are not among 0 to `bots` - 1; compiled code would write outside its arrays.

        Raises:
            ValueError: There is such a bot, or a match with fewer than two seats.
        """
        if self.bots.shape[1] < 2:
            raise ValueError("a match has at least two seats")
        if len(self) and not 0 <= self.bots.min() <= self.bots.max() < bots:
            raise ValueError(f"bots run from 0 to {bots - 1}, not {self.bots.min()} to {self.bots.max()}")

    @classmethod
    def join(cls, chunks: Sequence[Columns]) -> Columns:
        """Several chunks as one."""
        fields = ([getattr(each, name) for each in chunks] for name in ("bots", "ranks", "deals"))
        return cls(*map(np.concatenate, fields))

    def __getitem__(self, matches: Any) -> Columns:
        """Some of the matches, by slice, mask or index array."""
        return Columns(self.bots[matches], self.ranks[matches], self.deals[matches])


@dataclass(frozen=True)
class Estimate:
    """What a rating method believes of every bot: `mu` and `sigma`, `[B]` each, in the method's own unit."""

    mu: Floats
    sigma: Floats

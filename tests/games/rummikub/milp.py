"""The same questions as integer programs, for positions too large to try everything."""

from __future__ import annotations

import itertools
from collections import Counter
from functools import cache
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from tests.games.rummikub.brute import COLOURS, JOKER, AnySet, catalogue, read_set

KINDS = [f"{colour}{n}" for colour in COLOURS for n in range(1, 14)] + [JOKER]


@cache
def _matrix(maths: bool) -> tuple[list[AnySet], Any]:
    """The sets, and how many tiles of each kind they hold: `[53, sets]`. Runs above five tiles can be split."""
    parts = [part for part in catalogue(maths) if part.kind != "run" or len(part.tiles) <= 5]
    rows, columns, data = [], [], []
    for at, part in enumerate(parts):
        for tile, count in Counter(part.tiles).items():
            rows.append(KINDS.index(tile))
            columns.append(at)
            data.append(count)
    return parts, csr_array((data, (rows, columns)), shape=(len(KINDS), len(parts)))


def _best(
    least: Counter[str], most: Counter[str], weights: dict[str, int], maths: bool, fixed: int
) -> int | None:
    """The most weight above `fixed` of tiles that make sets, between the least and the most of each kind."""
    parts, matrix = _matrix(maths)
    low = [least[kind] for kind in KINDS]
    high = [most[kind] for kind in KINDS]
    worth = np.array([sum(weights[tile] for tile in part.tiles) for part in parts])
    answer = milp(
        -worth,
        constraints=LinearConstraint(matrix, low, high),
        integrality=np.ones(len(parts), np.int64),
        bounds=Bounds(0, 4),
    )
    return round(-answer.fun) - fixed if answer.success else None


def most_weight(
    rack: tuple[str, ...],
    table: tuple[tuple[str, ...], ...],
    weights: dict[str, int],
    policy: str,
    maths: bool = False,
) -> int:
    """The most weight of rack tiles that can be laid in a later turn, 0 when none can.

    Each old joker is either kept, which makes it a tile of one of its kinds, or released by such a tile.
    """
    before: Counter[str] = Counter(JOKER if t.startswith("j") else t for part in table for t in part)
    held: Counter[str] = Counter(rack)
    jokers = [stands for part in table for stands in read_set(part, maths).jokers]
    if policy == "free":
        jokers = []
    best = 0
    for fates in itertools.product(
        *[[(keep, t) for keep in (True, False) for t in sorted(j)] for j in jokers]
    ):
        least, most = before.copy(), before + held
        for keep, tile in fates:
            least[JOKER] -= keep
            most[JOKER] -= keep
            least[tile] += keep
            most[tile] += keep
        for tile, count in Counter(tile for keep, tile in fates if not keep).items():
            kept = sum(keep and other == tile for keep, other in fates)
            from_rack = before[tile] + count if policy == "rack_only" else max(before[tile], count)
            least[tile] = from_rack + kept
        if any(least[kind] > most[kind] for kind in KINDS):
            continue
        found = _best(
            least,
            most,
            weights,
            maths,
            sum(weights[kind] * before[kind] for kind in KINDS)
            + sum(weights[tile] - weights[JOKER] for keep, tile in fates if keep),
        )
        best = max(best, found or 0)
    return best

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.rate import Columns
from league.rate.calibration import ModelGame
from league.rate.tally import Tally
from tests.rate.leagues import columns, tally_of


def contents(tally: Tally) -> list[Any]:
    outcomes = tally.outcomes()
    seats = (tally.seat_matches, tally.seat_ranks, tally.seat_points)
    return [array.tolist() for array in (outcomes.bots, outcomes.ranks, outcomes.counts, *seats)]


@given(columns())
def test_outcomes_are_what_counting_by_hand_gives(league: Columns) -> None:
    by_hand: Counter[tuple[tuple[int, int], ...]] = Counter()
    for bots, ranks in zip(league.bots.tolist(), league.ranks.tolist(), strict=True):
        by_hand[tuple(sorted(zip(bots, ranks, strict=True)))] += 1
    outcomes = tally_of(league).outcomes()
    found = {
        tuple(zip(bots, ranks, strict=True)): count
        for bots, ranks, count in zip(
            outcomes.bots.tolist(), outcomes.ranks.tolist(), outcomes.counts.tolist(), strict=True
        )
    }
    assert found == by_hand


@given(columns())
def test_pairs_and_records_are_what_counting_by_hand_gives(league: Columns) -> None:
    tally = tally_of(league)
    pairs, records = tally.pairs(), tally.records()
    wins, ties, first = np.zeros((6, 6), int), np.zeros((6, 6), int), np.zeros((3, 6), int)
    for bots, ranks in zip(league.bots, league.ranks, strict=True):
        for i, a in enumerate(bots):
            alone = (ranks == 0).sum() == 1
            first[2 if ranks[i] else (0 if alone else 1), a] += 1
            for j, b in enumerate(bots):
                wins[a, b] += ranks[i] < ranks[j]
                ties[a, b] += i != j and ranks[i] == ranks[j]
    np.testing.assert_array_equal(pairs.wins, wins)
    np.testing.assert_array_equal(pairs.ties, ties)
    np.testing.assert_array_equal([records.wins, records.ties, records.losses], first)
    np.testing.assert_array_equal(records.matches, np.bincount(league.bots.ravel(), minlength=6))
    np.testing.assert_array_equal(tally.rank_counts() @ np.arange(tally.seats), records.rank_sum)
    np.testing.assert_array_equal(tally.seat_points.sum(1), (2 * pairs.wins + pairs.ties).sum(1))
    assert np.isfinite(pairs.score).all()
    assert np.isfinite(records.mean_rank).all()


@given(columns(), st.data())
def test_neither_order_nor_chunks_matter(league: Columns, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(league))))
    cut = data.draw(st.integers(0, len(league)))
    whole = contents(tally_of(league))
    assert contents(tally_of(league[np.array(order, int)])) == whole
    halves = tally_of(league[:cut])
    halves.fold(league[cut:])
    assert contents(halves) == whole


def test_size_does_not_grow_with_matches() -> None:
    tally = Tally(5, 3)
    league = ModelGame(np.zeros(5), 3, margin=0.3).play(4000, seed=1)
    for _ in range(10):
        tally.fold(league)
    assert tally.matches == 120_000
    assert len(tally.outcomes()) <= 10 * 13


def test_many_outcomes_make_the_table_grow() -> None:
    league = ModelGame(np.zeros(12), 5).play(4000, seed=2)
    tally = tally_of(league, bots=12)
    assert tally.matches == len(league)
    order = np.argsort(league.bots, axis=1)
    rows = np.hstack([np.take_along_axis(a, order, axis=1) for a in (league.bots, league.ranks)])
    assert len(tally.outcomes()) == len(np.unique(rows, axis=0))


def test_no_matches_and_wrong_matches() -> None:
    tally = Tally(3, 2)
    assert tally.matches == 0
    assert len(tally.outcomes()) == 0
    assert tally.pairs().score.tolist() == [[0.5] * 3] * 3
    with pytest.raises(ValueError, match="3 seats in a tally of 2"):
        tally.fold(Columns(np.array([[0, 1, 2]]), np.array([[0, 1, 2]]), np.zeros(1, int)))
    with pytest.raises(ValueError, match="do not match"):
        Columns(np.array([[0, 1]]), np.array([[0]]), np.zeros(1, int))

"""Schedules: every prefix balanced, every rotation, random access, no memory."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from itertools import islice
from math import comb, factorial, gcd
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.errors import ConfigError
from league.schedule import (
    Listed,
    Schedule,
    circle,
    find_format,
    first_turns,
    format_names,
    permutation,
    rotated,
)
from league.schedule.gauntlet import Gauntlet
from league.schedule.round_robin import RoundRobin, combination, stride

batches = st.integers(1, 40)


@st.composite
def round_robins(draw: st.DrawFn) -> RoundRobin:
    seats = draw(st.integers(2, 5))
    bots = draw(st.integers(seats, 8))
    sets = draw(st.integers(1, 3 * comb(bots, seats)))
    return RoundRobin(bots, seats, sets, draw(batches), draw(st.integers(0, 5)))


@st.composite
def gauntlets(draw: st.DrawFn) -> Gauntlet:
    seats, challengers = draw(st.integers(2, 4)), draw(st.integers(1, 3))
    field = draw(st.integers(seats - 1, 6))
    order = draw(st.permutations(range(challengers + field)))
    sets = draw(st.integers(1, 60))
    return Gauntlet(list(order[:challengers]), list(order[challengers:]), seats, sets, draw(batches))


@st.composite
def listed(draw: st.DrawFn) -> Listed:
    lineups = draw(
        st.lists(st.permutations(range(5)).map(lambda order: tuple(order[:3])), min_size=1, max_size=6)
    )
    return Listed(lineups, draw(st.integers(1, 30)), draw(batches), draw(st.integers(0, 5)))


schedules = round_robins() | gauntlets() | listed()


@given(schedules)
def test_random_access_is_iteration(schedule: Schedule) -> None:
    walked = list(schedule)
    assert len(walked) == len(schedule) == schedule.sets * schedule.seats
    assert [schedule[index] for index in range(len(schedule))] == walked
    assert schedule[-1] == walked[-1]
    assert schedule[1:5] == walked[1:5]
    with pytest.raises(IndexError):
        schedule[len(schedule)]


@given(schedules, st.data())
def test_columns_are_the_same_matches(schedule: Schedule, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(schedule) - 1))
    deals, bots = schedule.columns(first, data.draw(st.integers(1, len(schedule) - first)))
    assert deals.dtype == np.int64
    assert bots.dtype == np.int16
    matches = islice(schedule, first, None)
    assert all(
        (deal, tuple(lineup)) == (match.deal, match.bots)
        for deal, lineup, match in zip(deals, bots, matches, strict=False)
    )


@given(schedules)
def test_a_mirror_set_is_one_deal_in_every_rotation(schedule: Schedule) -> None:
    sets: dict[int, list[tuple[int, ...]]] = {}
    for match in schedule:
        sets.setdefault(match.deal, []).append(match.bots)
    assert sorted(sets) == list(range(schedule.first_set, schedule.first_set + schedule.sets))
    for deal, lineups in sets.items():
        lineup = schedule.lineup(deal - schedule.first_set)
        assert len(set(lineup)) == schedule.seats
        assert sorted(lineups) == sorted(rotated(lineup, turn) for turn in range(schedule.seats))


@given(schedules)
def test_batches_follow_each_other_and_none_has_two_matches_of_a_mirror_set(schedule: Schedule) -> None:
    first = 0
    for number in range(schedule.batches):
        begin, count = schedule.span(number)
        assert begin == first
        assert 0 < count <= schedule.batch
        deals, _ = schedule.columns(begin, count)
        assert len(set(deals.tolist())) == count
        first += count
    assert first == len(schedule)


@given(schedules)
def test_the_batches_of_a_block_have_the_same_deals_in_the_same_places(schedule: Schedule) -> None:
    deals = [schedule.columns(*schedule.span(number))[0].tolist() for number in range(schedule.batches)]
    for number, found in enumerate(deals):
        assert found == deals[number // schedule.seats * schedule.seats]


@given(st.integers(2, 5), st.integers(1, 7), st.integers(0, 10_000))
def test_a_stretch_of_mirror_sets_favours_no_seat(seats: int, step: int, first: int) -> None:
    """Also not one that takes each `step`-th set, as those of one group of bots are."""
    count = 500 * seats
    turns = first_turns(first + step * np.arange(count), seats)
    assert np.bincount(turns, minlength=seats) == pytest.approx(count / seats, rel=0.25)


@given(round_robins())
def test_every_prefix_of_a_round_robin_is_balanced(schedule: RoundRobin) -> None:
    """Groups, and seats of a bot, differ by at most one mirror set however early one stops."""
    met: Counter[tuple[int, ...]] = Counter()
    for index in range(schedule.sets):
        met[tuple(sorted(schedule.lineup(index)))] += 1
        counts = set(met.values()) | ({0} if len(met) < schedule.groups else set())
        assert max(counts) - min(counts) <= 1


@given(gauntlets())
def test_every_prefix_of_a_gauntlet_is_balanced(schedule: Gauntlet) -> None:
    met: Counter[tuple[int, frozenset[int]]] = Counter()
    for index in range(schedule.sets):
        lineup = schedule.lineup(index)
        (challenger,) = set(lineup) & set(schedule.challengers)
        met[challenger, frozenset(lineup)] += 1
        everyone = len(schedule.challengers) * schedule.groups
        assert max(met.values()) - (0 if len(met) < everyone else min(met.values())) <= 1


def test_neighbours_around_the_table_change() -> None:
    schedule = RoundRobin(4, 4, factorial(3), 10)
    orders = {schedule.lineup(index) for index in range(schedule.sets)}
    assert len(orders) == factorial(3)
    assert len({rotated(order, turn) for order in orders for turn in range(4)}) == factorial(4)


@given(st.integers(1, 10**7))
def test_stride_visits_every_group(groups: int) -> None:
    assert gcd(stride(groups), groups) == 1
    assert 1 <= stride(groups) <= max(1, groups)


@given(st.integers(1, 5), st.integers(0, 5))
def test_combinations_and_orders_are_complete(size: int, spare: int) -> None:
    items = size + spare
    found = [combination(index, items, size) for index in range(comb(items, size))]
    assert found == sorted(set(found))
    orders = [permutation(index, tuple(range(size))) for index in range(factorial(size))]
    assert orders == sorted(set(orders))
    circles = {circle(tuple(range(size)), turn) for turn in range(factorial(size - 1))}
    assert len(circles) == factorial(size - 1)


def test_millions_of_matches_cost_no_memory() -> None:
    tracemalloc.start()
    try:
        schedule = RoundRobin(50, 4, 10**12, 2000)
        assert len(schedule) == 4 * 10**12
        assert schedule[3 * 10**12].deal == 3 * 10**12 // 4  # the first of a block
        assert schedule[-1].deal == 10**12 - 1
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


def test_early_matches_spread_over_all_bots() -> None:
    schedule = RoundRobin(12, 4, 24, 10)
    seen = Counter(bot for index in range(24) for bot in schedule.lineup(index))
    assert len(seen) == 12
    assert max(seen.values()) <= 3 * min(seen.values())


@pytest.mark.parametrize("name", format_names())
def test_formats_refuse_too_few_bots(name: str) -> None:
    keys: dict[str, Any] = {"challengers": ["a"]} if name == "gauntlet" else {}
    with pytest.raises(ConfigError, match="bots"):
        find_format(name)(["a", "b"], 4, 10, 10, **keys)  # type: ignore[call-arg]


def test_unknown_format_names_the_nearest() -> None:
    with pytest.raises(ConfigError, match=r"schedule\.format.*did you mean 'round_robin'"):
        find_format("round_robbin")

"""Schedules that adapt, on bots of known strength: what they promise, and what focus saves."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise, product

import numpy as np
import pytest

from league.errors import ConfigError
from league.rate import Columns
from league.rate.intervals import intervals
from league.rate.resamples import Resamples
from league.rate.tally import Tally
from league.rate.trueskill import Parameters
from league.rate.trueskill_batch import fit
from league.schedule import Format, Schedule, Standing
from league.schedule.focus import FocusFormat
from league.schedule.ladder import LadderFormat
from league.schedule.round_robin import RoundRobin
from league.schedule.swiss import SwissFormat

SKILLS = np.array([0.0, 0.4, 0.55, 1.0, 1.4, 1.8, 1.95, 2.4, 2.8, 3.2, 3.6, 4.0])
"""Twelve bots, two pairs of them close together: there the matches are needed."""

NAMES = [f"bot{place}" for place in range(len(SKILLS))]


BATCH = 100


class Field:
    """A league of model bots, folded round by round."""

    def __init__(self, bots: int, seats: int, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.tally, self.resamples = Tally(bots, seats), Resamples(bots, seats, seed, 200)
        self.matches = 0

    def play(self, schedule: Schedule, first: int = 0, count: int | None = None) -> None:
        """Play some of a round: performances are skills plus noise, and decide the ranks."""
        deals, bots = schedule.columns(first, len(schedule) if count is None else count)
        played = SKILLS[bots] + self.rng.standard_normal(bots.shape)
        ranks = (played[:, None, :] > played[:, :, None]).sum(axis=2)
        columns = Columns(bots, ranks, deals)
        self.tally.fold(columns)
        self.resamples.fold(columns)
        self.matches += len(deals)

    def standings(self) -> list[Standing]:
        """What the rounds came to."""
        found = fit(self.tally, Parameters(draw_probability=0.01, backend="exact"))
        sure = intervals(found, self.tally, self.resamples)
        pairs = self.tally.pairs()
        points = pairs.wins.sum(axis=1) / np.maximum(pairs.matches.sum(axis=1), 1)
        return [
            Standing(
                bot, float(points[bot]), float(found.mu[bot]), float(sure.low[bot]), float(sure.high[bot])
            )
            for bot in range(self.tally.bots)
        ]


def is_clear(standings: Sequence[Standing]) -> bool:
    """Whether no two intervals overlap."""
    order = sorted(standings, key=lambda standing: standing.mu)
    return all(below.high < above.low for below, above in pairwise(order))


def run(made: Format, field: Field) -> list[Schedule]:
    """All rounds of a format."""
    rounds: list[Schedule] = []
    sets = 0
    standings: Sequence[Standing] = ()
    while (schedule := made.round(len(rounds), sets, standings)) is not None:
        assert schedule.first_set == sets
        field.play(schedule)
        rounds.append(schedule)
        sets += schedule.sets
        standings = field.standings()
    return rounds


def matches_of_round_robin(budget: int, seed: int) -> int:
    """How many matches a round robin plays until every rank is clear, looked at in steps of a hundredth."""
    field, schedule = Field(len(SKILLS), 2, seed), RoundRobin(len(SKILLS), 2, budget, BATCH)
    step = budget // 100 * 2
    for first in range(0, len(schedule), step):
        field.play(schedule, first, step)
        if is_clear(field.standings()):
            break
    return field.matches


def test_focus_separates_the_same_ranks_with_at_most_60_percent_of_the_matches() -> None:
    budget = 40_000
    focused = plain = 0
    for seed in range(12):
        field = Field(len(SKILLS), 2, seed)
        run(FocusFormat(NAMES, 2, budget, BATCH), field)
        assert is_clear(field.standings())
        focused += field.matches
        plain += matches_of_round_robin(budget, seed)
    assert focused <= 0.6 * plain, f"{focused} matches against {plain}"


def test_in_a_small_budget_too_focus_has_matches_for_others_than_equals_that_nobody_tells_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "SKILLS", np.array([0.0, 0.5, 1.0, 1.5, 2.0, 2.0, 2.0]))
    for seed in range(4):
        field = Field(7, 2, seed)
        first = run(FocusFormat(NAMES[:7], 2, 600, BATCH), field)[0]
        in_first = Counter(bot for match in first for bot in match.bots)
        played = field.tally.seat_matches.sum(axis=1)
        assert all(played[bot] >= 2 * in_first[bot] for bot in range(7)), played


def test_rounds_are_whole_and_never_fewer_matches_than_asked_for() -> None:
    for kind, bots, seats, sets in product((SwissFormat, LadderFormat), (4, 5, 9), (2, 4), (757, 1000)):
        made, field = kind(NAMES[:bots], seats, sets, BATCH), Field(bots, seats, seed=1)
        run(made, field)
        assert field.matches == made.sets * seats
        assert sets <= made.sets
    with pytest.raises(ConfigError, match=r"6 rounds of 126 meetings are at least 3,024 matches"):
        LadderFormat(NAMES[:9], 4, 25, BATCH)
    with pytest.raises(
        ConfigError, match=r"100,000,000 rounds of 1 meetings are at least 200,000,000 matches"
    ):
        SwissFormat(NAMES[:2], 2, 50, BATCH, rounds=100_000_000)


def test_focus_keeps_to_its_budget() -> None:
    field = Field(4, 2, seed=1)
    run(FocusFormat(NAMES[:4], 2, 50, BATCH), field)
    assert field.matches <= 100


@pytest.mark.parametrize(("bots", "seats", "rounds"), [(12, 2, 7), (11, 2, 6), (9, 3, 3), (12, 4, 3)])
def test_swiss_repeats_no_pair_while_it_can_and_shares_byes(bots: int, seats: int, rounds: int) -> None:
    field = Field(bots, seats, seed=bots)
    played = run(SwissFormat(NAMES[:bots], seats, 400, BATCH, rounds), field)
    assert len(played) == rounds
    met: Counter[tuple[int, int]] = Counter()
    seen: Counter[int] = Counter()
    for schedule in played:
        lineups = {tuple(sorted(match.bots)) for match in schedule}
        assert len(lineups) == bots // seats
        met.update(pair for lineup in lineups for pair in combinations(lineup, 2))
        seen.update(bot for lineup in lineups for bot in lineup)
    assert max(seen.values()) - min(seen[bot] for bot in range(bots)) <= 1
    if seats == 2:
        assert max(met.values()) == 1


def test_ladder_brings_the_best_to_the_top() -> None:
    field = Field(12, 2, seed=5)
    made = LadderFormat(NAMES, 2, 12_000, BATCH, rounds=12, division=4, movers=1)
    run(made, field)
    assert {11, 10} <= set(made.divisions[0])
    assert {0, 1} & set(made.divisions[-1])


@pytest.mark.parametrize("made", [SwissFormat, LadderFormat, FocusFormat])
def test_asked_again_a_format_answers_the_same(made: type[Format]) -> None:
    chosen = made(NAMES[:6], 3, 120, BATCH)  # type: ignore[call-arg]
    first, again = run(chosen, Field(6, 3, seed=2)), run(chosen, Field(6, 3, seed=2))
    anew = run(made(NAMES[:6], 3, 120, BATCH), Field(6, 3, seed=2))  # type: ignore[call-arg]
    assert [list(schedule) for schedule in first] == [list(schedule) for schedule in again]
    assert [list(schedule) for schedule in first] == [list(schedule) for schedule in anew]

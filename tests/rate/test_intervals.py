from __future__ import annotations

from pathlib import Path
from time import process_time

import numpy as np
import pytest
from hypothesis import given, settings

from league.rate import Columns, plackett_luce
from league.rate.calibration import ModelGame, calibrate, table
from league.rate.fit import Fit, components
from league.rate.intervals import Intervals, intervals, rank_ranges
from league.rate.pairwise import pairwise
from league.rate.resamples import Resamples
from league.rate.tally import Tally
from league.rate.trueskill import Parameters
from league.rate.trueskill_batch import fit
from tests.rate.leagues import columns, matches, tally_of

README = Path(__file__).parents[2] / "README.md"
PARAMETERS = Parameters(draw_probability=0.05, backend="exact")


def measured(league: Columns, bots: int = 6, seed: int = 1) -> tuple[Fit, Tally, Resamples]:
    tally, drawn = tally_of(league, bots), Resamples(bots, league.bots.shape[1], seed, 400)
    drawn.fold(league)
    return fit(tally, PARAMETERS), tally, drawn


def intervals_of(league: Columns, bots: int = 6) -> Intervals:
    return intervals(*measured(league, bots))


def test_rank_ranges_count_who_is_surely_above_and_below() -> None:
    low, high = np.array([5.0, 4.0, 1.0, 0.0]), np.array([6.0, 5.5, 2.0, 0.5])
    best, worst = rank_ranges(low, high, np.zeros(4, int))
    assert best.tolist() == [1, 1, 3, 4]
    assert worst.tolist() == [2, 2, 3, 4]
    best, worst = rank_ranges(low, high, np.array([0, 1, 1, 3]))
    assert best.tolist() == [1, 1, 2, 1]
    assert worst.tolist() == [4, 3, 4, 4]


def test_components_are_named_by_their_smallest_bot() -> None:
    met = np.zeros((6, 6), int)
    for one, other in ((0, 3), (3, 5), (1, 4)):
        met[one, other] = met[other, one] = 1
    assert components(met).tolist() == [0, 1, 2, 0, 1, 0]


@settings(max_examples=30)
@given(columns())
def test_any_league_has_finite_intervals_around_its_ratings(league: Columns) -> None:
    for method in (lambda tally: fit(tally, PARAMETERS), plackett_luce.fit):
        _, tally, drawn = measured(league)
        fitted = method(tally)
        found = intervals(fitted, tally, drawn)
        for array in (found.low, found.high, found.narrowing):
            assert np.isfinite(array).all()
        assert (found.low < fitted.mu).all()
        assert (fitted.mu < found.high).all()
        assert (found.rank_low >= 1).all()
        assert (found.rank_low <= found.rank_high).all()
        assert (found.rank_high <= 6).all()


def test_bots_that_never_met_exclude_no_rank() -> None:
    found = intervals_of(matches(([0, 1], [0, 1], 500), ([2, 3], [0, 1], 500)), 5)
    assert found.rank_low.tolist() == [1, 2, 1, 2, 1]
    assert found.rank_high.tolist() == [4, 5, 4, 5, 5]


def test_intervals_are_as_wide_as_fits_to_resampled_leagues_are_spread() -> None:
    game = ModelGame(np.linspace(0, 1.5, 6), 4, luck=0.7)
    league = game.play(150, seed=2)
    found = intervals_of(league)
    rng = np.random.default_rng(3)
    refitted = []
    for _ in range(200):
        sets = rng.integers(0, 150, 150)
        mu = fit(tally_of(league[(4 * sets[:, None] + np.arange(4)).ravel()]), PARAMETERS).mu
        refitted.append(mu - mu.mean())
    # The widening for 100 sets a bot is 2 %, and 200 fits know their spread to 5 %.
    ratio = (found.high - found.low) / (2 * 1.96 * np.std(refitted, axis=0))
    assert ratio.mean() == pytest.approx(1.02, abs=0.06)


def test_mirror_sets_narrow_intervals_where_deals_matter_and_only_there() -> None:
    skills = np.linspace(0, 1, 6)
    lucky, plain = (intervals_of(ModelGame(skills, 4, luck).play(2000, seed=4)) for luck in (1.5, 0.0))
    assert lucky.narrowing.max() < 0.85
    assert plain.narrowing == pytest.approx(np.ones(6), abs=0.12)


def test_ranks_are_ranges_that_shrink_to_the_truth() -> None:
    game = ModelGame(np.array([0.0, 0.02, 0.8, 1.6]), 3)
    few, many = (intervals_of(game.play(sets, seed=5), 4) for sets in (3, 4000))
    assert (few.rank_high - few.rank_low).mean() >= 1
    assert list(zip(many.rank_low, many.rank_high, strict=True)) == [(3, 4), (3, 4), (2, 2), (1, 1)]


@settings(max_examples=5)
@given(columns())
def test_the_same_seed_gives_the_same_intervals(league: Columns) -> None:
    one, other = intervals_of(league), intervals_of(league)
    np.testing.assert_array_equal(one.low, other.low)
    np.testing.assert_array_equal(one.high, other.high)


def test_a_few_leagues_of_the_model_game_are_calibrated() -> None:
    result = calibrate(ModelGame(np.linspace(0, 1.5, 8), 4, luck=0.5), sets=200, leagues=40, seed=1)
    assert result.ratings == pytest.approx(0.95, abs=0.04)
    assert result.scores == pytest.approx(0.95, abs=0.04)
    assert result.ranks > 0.99
    assert result.order > 0.97


@pytest.mark.slow
def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    made = table()
    assert made in README.read_text(encoding="utf-8"), made
    rows = [line.split("|")[1:-1] for line in made.splitlines()[2:]]
    for row in rows:
        ratings, scores = (float(cell.strip(" %")) for cell in row[4:6])
        assert ratings == pytest.approx(95, abs=1.5)
        assert scores == pytest.approx(95, abs=1.5)


@pytest.mark.slow
def test_a_million_matches_are_rated_with_intervals_in_ten_seconds_of_a_core() -> None:
    league = ModelGame(np.linspace(0, 1.5, 20), 4, luck=0.5, margin=0.1).play(250_000, seed=6)
    pairwise(*measured(league[:40], 20))
    intervals_of(league[:40], 20)
    start = process_time()
    tally, drawn = Tally(20, 4), Resamples(20, 4, 1, 1000)
    for begin in range(0, len(league), 20_000):
        tally.fold(league[begin : begin + 20_000])
        drawn.fold(league[begin : begin + 20_000])
    fitted = fit(tally, PARAMETERS)
    found = intervals(fitted, tally, drawn)
    pairwise(fitted, tally, drawn)
    assert process_time() - start < 10
    assert found.rank_low.tolist() == found.rank_high.tolist() == list(range(20, 0, -1))

"""Is one bot better than another: mirror sets of the two until a number of deals, or until a test decides.

And the other way round: copies of one bot must come out alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from league.errors import ConfigError
from league.games import Game
from league.play import Batch, Fault, Limits, Played
from league.play.loops import tell_of_compiling
from league.play.seated import Seated, play_seated
from league.progress import Quiet, Reporter
from league.rate import Columns
from league.rate.resamples import Resamples
from league.rate.seats import NullTest, null_test
from league.rate.sprt import Comparison, SetScores, Sprt, Verdict, compare
from league.rate.tally import Tally
from league.schedule.round_robin import RoundRobin

SETS_AT_ONCE = 128
"""The most mirror sets played together; a duel begins with few, so that slow bots show early how it goes."""

LOOK_EVERY = 8
"""A sequential test looks after so many mirror sets, in the order of deals."""


@dataclass(frozen=True)
class Duel:
    """What a duel came to, from the first bot's side.

    Attributes:
        scores: Counts of mirror-set scores.
        comparison: Score and Elo difference with intervals.
        verdict: Where the sequential test stands, if there was one.
        wins, ties, losses: Matches in which the first bot did better, as well, worse.
        fault_counts: By label, how many faults.
        faults: The first few, with the label of the bot.
    """

    scores: SetScores
    comparison: Comparison
    verdict: Verdict | None
    wins: int
    ties: int
    losses: int
    fault_counts: Mapping[str, int]
    faults: tuple[tuple[str, Fault], ...]


def lineups(seats: int) -> np.ndarray[Any, Any]:
    """The two seatings of a deal, `int16[2, seats]`: the bots in alternate seats, then with seats exchanged.

    With more than two seats copies of the bots fill the table; over the two matches both bots sit everywhere.
    """
    first = np.arange(seats, dtype=np.int16) % 2
    return np.stack([first, 1 - first])


def match_scores(bots: np.ndarray[Any, Any], ranks: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The first bot's score in each match, `float64[N]`: the share of pairs it won, a tie being half a pair.

    Args:
        bots: `[N, seats]`, 0 or 1.
        ranks: `[N, seats]`.
    """
    ours, theirs = bots == 0, bots == 1
    pairs = ours[:, :, None] & theirs[:, None, :]
    ahead = ranks[:, :, None] < ranks[:, None, :]
    level = ranks[:, :, None] == ranks[:, None, :]
    points = (pairs & ahead).sum(axis=(1, 2)) + 0.5 * (pairs & level).sum(axis=(1, 2))
    return np.asarray(points / pairs.sum(axis=(1, 2)))


def duel(
    game: Game,
    bots: tuple[Seated, Seated],
    deals: int,
    sprt: Sprt | None = None,
    *,
    seed: int = 0,
    limits: Limits | None = None,
    reporter: Reporter | None = None,
) -> Duel:
    """Play mirror sets of two bots.

    Args:
        game: What is played; with more than two seats, copies of the bots fill the table.
        bots: The two.
        deals: How many deals; with a test, at most so many.
        sprt: A test that stops the duel when it decides.
        seed: Seed of all chance.
        limits: What bots may use.
        reporter: Hears how it goes.

    Raises:
        ConfigError: There are no deals to play.
    """
    if deals < 1:
        raise ConfigError(f"--deals {deals}: give at least 1")
    record, reporter = _Record(), reporter or Quiet()
    tell_of_compiling(game, reporter.note)
    reporter.start(deals, "mirror sets")
    try:
        for halves in _mirror_sets(game, bots, deals, seed, limits or Limits()):
            record.add(halves, sprt, [bot.label for bot in bots])
            reporter.advance(record.sets, record.sets)
            if record.decided:
                break
    finally:
        reporter.finish()
    scores = record.scores()
    wins, ties, losses = record.matches
    return Duel(
        scores,
        compare(scores),
        sprt.verdict(scores) if sprt else None,
        wins,
        ties,
        losses,
        record.fault_counts,
        tuple(record.faults),
    )


def _mirror_sets(
    game: Game, bots: tuple[Seated, Seated], deals: int, seed: int, limits: Limits
) -> Iterator[list[Played]]:
    """Some deals after others, each as two batches: one in either seating, so that no bot remembers the other."""
    first = number = 0
    while first < deals:
        count = min(LOOK_EVERY << number, SETS_AT_ONCE, deals - first)
        halves = [
            Batch(
                2 * number + turn,
                2 * first + turn * count,
                np.arange(first, first + count),
                np.tile(lineup, (count, 1)),
            )
            for turn, lineup in enumerate(lineups(game.seats))
        ]
        yield [play_seated(game, bots, half, limits, seed) for half in halves]
        first, number = first + count, number + 1


def self_play(game: Game, bot: Seated, deals: int, *, seed: int = 0) -> NullTest:
    """Play copies of one bot against each other, one more than there are seats, and test whether they place alike.

    Args:
        game: What is played.
        bot: The bot.
        deals: How many deals, a mirror set each.
        seed: Seed of all chance.
    """
    copies, seats = game.seats + 1, game.seats
    schedule, tally, resamples = (
        RoundRobin(copies, seats, deals, SETS_AT_ONCE),
        Tally(copies, seats),
        Resamples(copies, seats, seed),
    )
    for number in range(schedule.batches):
        first, count = schedule.span(number)
        of_sets, seating = schedule.columns(first, count)
        played = play_seated(game, [bot] * copies, Batch(number, first, of_sets, seating), Limits(), seed)
        columns = Columns(seating, played.ranks, of_sets)
        tally.fold(columns)
        resamples.fold(columns)
    return null_test(tally, resamples)


class _Record:
    """What was played so far."""

    def __init__(self) -> None:
        self.sets = 0
        self.counts: Counter[float] = Counter()
        self.matches = [0, 0, 0]
        self.fault_counts: Counter[str] = Counter()
        self.faults: list[tuple[str, Fault]] = []
        self.decided = False

    def scores(self) -> SetScores:
        """The mirror-set scores so far."""
        return SetScores(
            np.array(sorted(self.counts)), np.array([self.counts[s] for s in sorted(self.counts)], float)
        )

    def add(self, halves: list[Played], sprt: Sprt | None, labels: list[str]) -> None:
        """Count the same deals in both seatings, set by set, up to the set that decides."""
        scores = np.array([match_scores(half.batch.bots, half.ranks) for half in halves])
        for place, score in enumerate(scores.mean(axis=0).tolist()):
            self.sets += 1
            self.counts[round(score, 9)] += 1
            for half, played in enumerate(halves):
                self._count(scores[half, place])
                self._note(played, place, labels)
            if sprt and self.sets % LOOK_EVERY == 0 and sprt.verdict(self.scores()).decision != "undecided":
                self.decided = True
                return

    def _count(self, score: float) -> None:
        self.matches[0 if score > 0.5 else 1 if score == 0.5 else 2] += 1

    def _note(self, played: Played, match: int, labels: list[str]) -> None:
        for fault in played.faults.get(match, ()):
            label = labels[played.batch.bots[match, fault.seat]]
            self.fault_counts[label] += 1
            if len(self.faults) < 10:
                self.faults.append((label, fault))

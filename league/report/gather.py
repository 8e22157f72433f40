"""One pass over a league's matches: everything the pages need, in an amount that depends on the bots alone."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from league.kernels import kernel
from league.rate import Columns
from league.rate.resamples import Resamples
from league.rate.tally import Tally
from league.report.briefs import Block, Brief, Fault, PartSpan, Shortlist, blocks_of, leads
from league.report.facts import Facts

FEATURED = 2
"""Matches kept of each kind."""

SETS_LISTED = 5
"""Mirror sets of each pair that are listed match by match."""

FAULTS_KEPT = 5
"""Faults of each bot and kind that are shown with their logs."""


@dataclass
class Gathered:
    """What the matches of a league add up to; bots are places in `Facts.bots`.

    Attributes:
        bots, seats: How many.
        seed: The league's, for resampling.
        mu: `[B]` ratings, by which an upset is one; 0 without.
        tally: Counts of outcomes.
        resamples: Points in resampled mirror sets, for intervals.
        best_sets: The mirror set in which a bot came off best against another, by `(bot, other)`.
        first_sets: The first mirror sets in which two bots met, by `(bot, other)` with `bot < other`.
        scores: Seat-matches by `(bot, score)`.
        turns: Matches by length.
        truncated: Matches that a cap ended.
        think_us: `int64[B]`, thinking time.
        faults: By `(bot, kind)`.
        fault_logs: The first faults of each bot and kind.
        workers: Matches by worker.
        spans: The parts, in order.
        closest, upsets, longest: Short lists.
        best, worst: A short list for each bot.
        by_fault: A short list for each kind.
    """

    bots: int
    seats: int
    seed: int
    mu: Any
    tally: Tally = field(init=False)
    resamples: Resamples = field(init=False)
    best_sets: dict[tuple[int, int], list[Brief]] = field(default_factory=dict)
    first_sets: dict[tuple[int, int], list[list[Brief]]] = field(default_factory=dict)
    scores: Counter[tuple[int, int]] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    truncated: int = 0
    think_us: Any = field(init=False)
    faults: Counter[tuple[int, str]] = field(default_factory=Counter)
    fault_logs: dict[tuple[int, str], list[Fault]] = field(default_factory=dict)
    workers: Counter[str] = field(default_factory=Counter)
    spans: list[PartSpan] = field(default_factory=list)
    closest: Shortlist = field(default_factory=lambda: Shortlist(FEATURED))
    upsets: Shortlist = field(default_factory=lambda: Shortlist(FEATURED))
    longest: Shortlist = field(default_factory=lambda: Shortlist(FEATURED))
    best: Sequence[Shortlist] = field(init=False)
    worst: Sequence[Shortlist] = field(init=False)
    by_fault: dict[str, Shortlist] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Start from no matches."""
        self.tally = Tally(self.bots, self.seats)
        self.resamples = Resamples(self.bots, self.seats, self.seed)
        self._listed = np.zeros((self.bots, self.bots), np.int64)
        self._best_values = np.full((self.bots, self.bots), np.iinfo(np.int64).min)
        self.think_us = np.zeros(self.bots, np.int64)
        self.best = [Shortlist(FEATURED) for _ in range(self.bots)]
        self.worst = [Shortlist(FEATURED) for _ in range(self.bots)]

    def add(self, block: Block) -> None:
        """Fold the next block."""
        self.spans += block.spans
        columns = Columns(block.bots, block.ranks, block.deal)
        self.tally.fold(columns)
        self.resamples.fold(columns)
        self._add_sets(block)
        self._list_sets(block)
        self._add_numbers(block)
        self._add_faults(block)
        self._feature(block)
        self._feature_bots(block)

    def mirror_set(self, match: int) -> list[int]:
        """The matches that play the same deal with the same bots: they have the same place in the parts of a block."""
        here = self.spans[bisect_right(self.spans, match, key=lambda span: span.first) - 1]
        block = [span for span in self.spans if span.block == here.block]
        return [span.first + match - here.first for span in block]

    def _add_sets(self, block: Block) -> None:
        """The most telling mirror sets of each pair."""
        found = np.full((self.bots, self.bots), -1)
        find_best_sets(block.deal, block.bots, block.ranks, block.scores, self._best_values, found)
        for bot, other in np.argwhere(found >= 0).tolist():
            rows = block.mirror_set(int(found[bot, other]))
            self.best_sets[bot, other] = [block.brief(row) for row in rows]

    def _list_sets(self, block: Block) -> None:
        """The first mirror sets of each pair that has not enough yet."""
        starts = np.flatnonzero(np.diff(block.deal, prepend=-1))
        lineups = np.sort(block.bots[starts], axis=1)
        seats = list(combinations(range(self.seats), 2))
        wanting = [self._listed[lineups[:, one], lineups[:, other]] < SETS_LISTED for one, other in seats]
        for start in starts[np.any(wanting, axis=0)].tolist():
            briefs = [block.brief(row) for row in block.mirror_set(start)]
            for pair in combinations(sorted(briefs[0].bots), 2):
                if self._listed[pair] < SETS_LISTED:
                    self._listed[pair] += 1
                    self.first_sets.setdefault(pair, []).append(briefs)

    def _add_numbers(self, block: Block) -> None:
        pairs = np.stack([block.bots.ravel(), block.scores.ravel()], axis=1)
        values, counts = np.unique(pairs, axis=0, return_counts=True)
        for (bot, score), count in zip(values.tolist(), counts.tolist(), strict=True):
            self.scores[bot, score] += count
        lengths, counts = np.unique(block.turns, return_counts=True)
        for length, count in zip(lengths.tolist(), counts.tolist(), strict=True):
            self.turns[length] += count
        self.truncated += int(block.truncated.sum())
        np.add.at(self.think_us, block.bots, block.think_us)
        self.workers.update(block.workers)

    def _add_faults(self, block: Block) -> None:
        if not len(block.faults):
            return
        seats = block.faults.field("seat").to_numpy()
        kinds = block.faults.field("kind").cast("string").to_numpy(zero_copy_only=False)
        bots = block.bots[block.fault_rows, seats]
        for bot, kind in sorted({*zip(bots.tolist(), kinds.tolist(), strict=True)}):
            these = np.flatnonzero((bots == bot) & (kinds == kind))
            self.faults[bot, kind] += len(these)
            self._log_faults(block, bot, kind, these)
        for kind in sorted({*kinds.tolist()}):
            rows = np.unique(block.fault_rows[kinds == kind])
            keys = block.match[rows].astype(np.float64)
            self.by_fault.setdefault(kind, Shortlist(FEATURED)).offer(block, keys, rows)

    def _log_faults(self, block: Block, bot: int, kind: str, these: Any) -> None:
        kept = self.fault_logs.setdefault((bot, kind), [])
        these = these[np.argsort(block.match[block.fault_rows[these]], kind="stable")]
        for place in these[: FAULTS_KEPT - len(kept)].tolist():
            found = block.faults[place].as_py()
            match = int(block.match[block.fault_rows[place]])
            kept.append(Fault(match, bot, found["seat"], found["decision"], kind, found["message"] or ""))

    def _feature(self, block: Block) -> None:
        """Close (of those the highest), long and surprising matches that were played to their end without a fault."""
        clean = ~block.truncated
        clean[block.fault_rows] = False
        if self.seats < 2 or not clean.any():
            return
        ordered = np.sort(block.scores, axis=1)
        margin = ordered[:, -1] - ordered[:, -2]
        self.closest.offer(block, np.where(clean, margin * 1e6 - ordered[:, -1], np.inf))
        self.longest.offer(block, np.where(clean, -block.turns.astype(float), np.inf))
        mu = self.mu[block.bots]
        alone = (block.ranks == 0).sum(axis=1) == 1
        winner = np.take_along_axis(mu, block.ranks.argmin(axis=1)[:, None], axis=1)[:, 0]
        lead = mu.max(axis=1) - winner
        self.upsets.offer(block, np.where(clean & alone & (lead > 0), -lead * 1e6 - margin, np.inf))

    def _feature_bots(self, block: Block) -> None:
        """Each bot's clearest wins and losses; matches that a cap or the bot's own fault decided do not count."""
        margins = leads(block.scores).astype(np.float64)
        clean = ~block.truncated
        clean[block.fault_rows] = False
        for bot in range(self.bots):
            rows, seats = np.nonzero((block.bots == bot) & clean[:, None])
            values = margins[rows, seats]
            self.best[bot].offer(block, np.where(block.ranks[rows, seats] == 0, -values, np.inf), rows)
            self.worst[bot].offer(block, np.where(block.ranks[rows, seats] > 0, values, np.inf), rows)


def gather(facts: Facts) -> Gathered:
    """Read all parts once and fold them."""
    mu = np.array([bot.standing.get("mu", 0.0) for bot in facts.bots])
    gathered = Gathered(len(facts.bots), facts.seats, int(facts.config["league"]["seed"]), mu)
    for block in blocks_of(facts):
        gathered.add(block)
    return gathered


@kernel
def find_best_sets(deals: Any, bots: Any, ranks: Any, scores: Any, best_values: Any, found: Any) -> None:
    """Find the mirror sets where a bot came off best against another, by points and then by scores.

    Args:
        deals: `int64[N]`; the matches of a mirror set follow each other.
        bots: `int32[N, S]`.
        ranks: `int64[N, S]`.
        scores: `int64[N, S]`.
        best_values: `int64[B, B]`, raised.
        found: `int64[B, B]`, set to the first row of a set that raised a value.
    """
    count, seats = bots.shape
    first = 0
    while first < count:
        end = first + 1
        while end < count and end < first + seats and deals[end] == deals[first]:
            end += 1
        for bot in bots[first]:
            for other in bots[first]:
                if bot != other:
                    value = _compare(bots[first:end], ranks[first:end], scores[first:end], bot, other)
                    if value > best_values[bot, other]:
                        best_values[bot, other] = value
                        found[bot, other] = first
        first = end


@kernel
def _compare(bots: Any, ranks: Any, scores: Any, bot: Any, other: Any) -> Any:
    """How well `bot` did against `other`: points, 2 for a win and 1 for a tie, and then by how much it outscored it."""
    points, lead = 0, 0
    for match in range(len(bots)):
        mine, theirs = 0, 0
        for seat in range(bots.shape[1]):
            if bots[match, seat] == bot:
                mine = seat
            elif bots[match, seat] == other:
                theirs = seat
        if ranks[match, mine] < ranks[match, theirs]:
            points += 2
        elif ranks[match, mine] == ranks[match, theirs]:
            points += 1
        lead += scores[match, mine] - scores[match, theirs]
    return points * 1_000_000 + max(-400_000, min(400_000, lead))

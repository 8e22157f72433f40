"""A batch whose bots are all compiled, played match after match in one compiled loop.

It comes to the same as at the table, in half the time: no view, answer or state has to wait in memory for its round.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from league.clock import now_ns
from league.games import Game
from league.kernels import IS_COMPILED, rows
from league.play import Ask, Batch, Code, Host, Played
from league.play.loops import Samples, loops_of
from league.play.seeding import chair_seeds, deal_seeds

SAMPLES = 512
"""The most views that what a bot takes is measured by."""

LONG_NS = 50_000_000
"""How long the loop may run before whoever wants to interrupt it is heard."""


def play_fused(game: Game, batch: Batch, hosts: Sequence[Host], league_seed: int) -> Played | None:
    """Play a batch, or answer None because a bot cannot be asked so or has failed, or each decision is timed.

    Args:
        game: What is played.
        batch: Which matches.
        hosts: By bot index; each starts fresh.
        league_seed: Seed of all chance.
    """
    codes = [host.code for host in hosts if host.code is not None]
    is_fit = len(codes) == len(hosts) and game.late is None
    return _Fused(game, batch, hosts, codes, league_seed).play() if is_fit else None


class _Fused:
    """The columns of a batch while it is played."""

    def __init__(
        self, game: Game, batch: Batch, hosts: Sequence[Host], codes: Sequence[Code], league_seed: int
    ) -> None:
        count, seats = batch.bots.shape
        self.game, self.batch, self.hosts = game, batch, hosts
        self.deals = deal_seeds(league_seed, batch.deals)
        self.keys = chair_seeds(league_seed, batch.first, count, seats)
        kind = np.int64 if IS_COMPILED else object
        self.functions, self.options = (np.fromiter(column, kind) for column in zip(*codes, strict=True))
        self.spare = game.blank(), rows(1, game.state_dtype), rows(1, game.view_dtype)
        self.log = rows(64 * count, game.action_dtype)
        self.ends = np.zeros(count, np.int64)
        self.scores = np.zeros((count, seats), np.int32)
        self.ranks = np.zeros((count, seats), np.int8)
        self.turns = np.zeros(count, np.int32)
        self.truncated = np.zeros(count, np.bool_)
        self.think = np.zeros((count, seats), np.int64)
        self.samples = Samples(
            rows(len(hosts) * SAMPLES, game.view_dtype).reshape(len(hosts), SAMPLES),
            np.zeros((len(hosts), SAMPLES), np.uint64),
            np.zeros(len(hosts), np.int64),
        )

    def play(self) -> Played | None:
        """Play until every match is over or one went wrong."""
        try:
            is_played = self._run()
        except Exception:  # a bot's, which the table will charge
            return None
        if not is_played:
            return None
        decisions = np.diff(self.ends, prepend=0).astype(np.int32)
        log = self.log[: self.ends[-1]]
        self.think *= np.fromiter(map(self._decision_ns, range(len(self.hosts))), np.int64)[self.batch.bots]
        return Played(
            self.batch, self.scores, self.ranks, self.truncated, self.turns, decisions, self.think, log
        )  # fmt: skip

    def _run(self) -> bool:
        """Go on, as many matches at a time as are not too long."""
        done, stride, fuse = 0, 1, loops_of(self.game).fuse
        while 0 <= done < len(self.ends):
            started, before = now_ns(), done
            done = fuse(
                done, min(done + stride, len(self.ends)), self.deals, self.batch.bots, self.keys,
                self.functions, self.options, *self.spare, self.log, self.ends, self.scores, self.ranks,
                self.turns, self.truncated, self.think, self.samples,
            )  # fmt: skip
            if before <= done < min(before + stride, len(self.ends)):
                self._grow(done)
            stride = 2 * stride if now_ns() - started < LONG_NS else max(1, stride // 2)
        return done > 0

    def _grow(self, done: int) -> None:
        """Make room for twice as many actions, after those of the matches that are done."""
        log = rows(2 * len(self.log), self.game.action_dtype)
        used = self.ends[done - 1] if done else 0
        log[:used] = self.log[:used]
        self.log = log

    def _decision_ns(self, bot: int) -> int:
        """What a decision of a bot takes, by asking it again what it was asked."""
        count = int(self.samples.counts[bot])
        if not count:
            return 0
        views, seeds = self.samples.views[bot, :count], self.samples.seeds[bot, :count]
        started = now_ns()
        self.hosts[bot].choose(
            Ask(views, np.zeros(count, np.int32), seeds), rows(count, self.game.action_dtype)
        )
        return (now_ns() - started) // count

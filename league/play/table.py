"""The table: plays the matches of a batch in lockstep, whoever answers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from league.clock import now_ns
from league.games import Action, Game
from league.kernels import Row, Rows, rows
from league.play import Ask, Batch, Failure, Fault, FaultKind, Host, Limits, Parting, Played, Seating
from league.play.fused import play_fused
from league.play.loops import Loops, loops_of, sort_log
from league.play.seeding import chair_seeds, deal_seeds
from league.words import counted

SLOTS = 8192
"""Matches in lockstep, as far as a batch has them. Many, for each round wakes every process of a bot, which finds its
caches cold. A constant, for what is forfeited after many faults depends on it."""

CLEAR_SHARE = 8
"""Slots are used again once one in so many holds a match that is over."""

WORTH_A_SHIFT = 2000
"""Matches that make it worth while to wake the bots for them alone. A constant for the same reason."""


def play_batch(game: Game, batch: Batch, hosts: Sequence[Host], limits: Limits, league_seed: int) -> Played:
    """Play a batch with one host a bot.

    Args:
        game: What is played.
        batch: Which matches.
        hosts: By bot index; each starts fresh.
        limits: `faults_per_batch` counts here; the others are the hosts' to hold.
        league_seed: Seed of all chance.
    """
    played = play_fused(game, batch, hosts, league_seed)
    return _Table(game, batch, hosts, limits, league_seed).play() if played is None else played


class _Log:
    """The actions of a batch in the order of play, growing as needed."""

    def __init__(self, capacity: int, dtype: np.dtype[Any]) -> None:
        self.count = 0
        self.matches = np.empty(capacity, np.int32)
        self.actions, self._bytes = _with_bytes(np.empty(capacity, dtype))

    def reserve(self, count: int) -> int:
        """Make room for the next decisions, which count as logged; answer where they begin."""
        begin, self.count = self.count, self.count + count
        if self.count > len(self.matches):
            self.matches = np.concatenate([self.matches, np.empty_like(self.matches[: self.count])])
            more = np.empty_like(self._bytes[: self.count])
            self._bytes = np.concatenate([self._bytes, more])
            self.actions = self._bytes.view(self.actions.dtype)[:, 0]
        return begin

    def by_match(self, matches: int) -> tuple[Any, Rows]:
        """How many actions each match has, and all actions match after match."""
        played = self.matches[: self.count]
        decisions = np.bincount(played, minlength=matches).astype(np.int32)
        actions, as_bytes = _with_bytes(np.empty(self.count, self.actions.dtype))
        sort_log(played, self._bytes, np.cumsum(decisions), as_bytes)
        return decisions, actions


def _with_bytes(array: Rows) -> tuple[Rows, Any]:
    """The rows, and as `uint8[N, size]` the bytes that they are."""
    return array, array.view(np.uint8).reshape(len(array), array.dtype.itemsize)


class _Shift:
    """Matches that step together, and what is asked of them in a round; arrays have room for all of `slots`.

    Attributes:
        running: `int32[N]`, slots of matches that go on, those over included until they are cleared.
        ended: The first `over` of them are over.
        asked: Where each bot's decisions begin, as `gather` writes it.
    """

    def __init__(self, game: Game, slots: int, bots: int) -> None:
        self.running = np.zeros(0, np.int32)
        self.ended = np.zeros(slots, np.int32)
        self.over = 0
        self.views = rows(slots, game.view_dtype)
        self.actions, self.answers = _with_bytes(rows(slots, game.action_dtype))
        self.groups = np.zeros(slots, np.int16)
        self.slots = np.zeros(slots, np.int32)
        self.chairs = np.zeros(slots, np.int32)
        self.seeds = np.zeros(slots, np.uint64)
        self.spoiled = np.zeros(slots, np.int8)
        self.asked = np.zeros(bots + 2, np.int64)
        self.asks: dict[int, tuple[int, int, Ask]] = {}

    @property
    def active(self) -> int:
        """How many matches go on."""
        return len(self.running) - self.over

    def cut(self) -> None:
        """Cut what was gathered into each bot's part: its first place, the place after its last, what it is asked."""
        asked = self.asked.tolist()
        self.answers[: asked[-1]] = 0
        self.spoiled[: asked[-1]] = 0
        self.asks = {
            bot: (begin, end, Ask(self.views[begin:end], self.chairs[begin:end], self.seeds[begin:end]))
            for bot, (begin, end) in enumerate(pairwise(asked[:-1]))
            if begin < end
        }


class _Table:
    """The state of a batch while it is played; arrays are by slot unless they say otherwise."""

    def __init__(
        self, game: Game, batch: Batch, hosts: Sequence[Host], limits: Limits, league_seed: int
    ) -> None:
        count, seats = batch.bots.shape
        slots = min(SLOTS, count)
        self.game, self.batch, self.hosts, self.limits = game, batch, hosts, limits
        # Those that think meanwhile come last, the last asked first: by its answer the others mostly have theirs.
        self.order = sorted(range(len(hosts)), key=lambda bot: (hosts[bot].is_apart, -bot))
        self.loops: Loops = loops_of(game)
        self.blank = game.blank()
        self.deals = deal_seeds(league_seed, batch.deals)
        self.keys_by_match = chair_seeds(league_seed, batch.first, count, seats)

        self.states = rows(slots, game.state_dtype)
        self.match = np.zeros(slots, np.int32)
        self.bots = np.zeros((slots, seats), np.int16)
        self.absent = np.zeros((slots, seats), np.bool_)
        self.keys = np.zeros((slots, seats), np.uint64)
        self.decisions = np.zeros(slots, np.int32)
        self.think = np.zeros((slots, seats), np.int64)
        self.next_match = 0

        self.refused = np.zeros(slots, np.int64)
        self.refused_states = rows(slots, game.state_dtype)
        self.refused_actions = rows(slots, game.action_dtype)
        self.shares = np.zeros(len(hosts), np.int64)
        # Also where no bot is apart: what is forfeited must not depend on where bots live.
        self.shifts = [_Shift(game, slots, len(hosts)) for _ in range(1 + (slots >= 2 * WORTH_A_SHIFT))]

        self.log = _Log(64 * count, game.action_dtype)
        self.faults: dict[int, list[Fault]] = {}
        self.fault_counts = [0] * len(hosts)
        self.forfeited = np.zeros(len(hosts), np.bool_)
        self.scores = np.zeros((count, seats), np.int32)
        self.ranks = np.zeros((count, seats), np.int8)
        self.turns = np.zeros(count, np.int32)
        self.truncated = np.zeros(count, np.bool_)
        self.think_by_match = np.zeros((count, seats), np.int64)

    def play(self) -> Played:
        """Play until every match is over."""
        slots = np.arange(len(self.states), dtype=np.int32)
        for shift, its_slots in zip(self.shifts, np.array_split(slots, len(self.shifts)), strict=True):
            self._seat(shift, its_slots)
        if min(shift.active for shift in self.shifts) < WORTH_A_SHIFT:
            self._merge(self.shifts[-1], self.shifts[0])
        self._rounds()
        decisions, actions = self.log.by_match(len(self.scores))
        return Played(
            self.batch,
            self.scores,
            self.ranks,
            self.truncated,
            self.turns,
            decisions,
            self.think_by_match,
            actions,
            {
                match: sorted(found, key=lambda fault: fault.decision)
                for match, found in sorted(self.faults.items())
            },
        )

    def _seat(self, shift: _Shift, slots: Any) -> None:
        """Let the next matches start in free slots, as far as there are any."""
        slots = slots[: len(self.scores) - self.next_match]
        matches = np.arange(self.next_match, self.next_match + len(slots))
        self.next_match += len(slots)
        self.match[slots] = matches
        self.bots[slots] = self.batch.bots[matches]
        self.keys[slots] = self.keys_by_match[matches]
        self.absent[slots] = False
        self.decisions[slots] = 0
        self.think[slots] = 0
        self.loops.deal(self.states, slots, self.blank, self.deals[matches])
        shift.running = np.concatenate([shift.running, slots])
        is_over = self.states["to_move"][slots] < 0  # nobody had anything to decide
        shift.ended[shift.over : shift.over + is_over.sum()] = slots[is_over]
        shift.over += is_over.sum()
        for bot, host in enumerate(self.hosts):
            if self.forfeited[bot]:
                self._forfeit(bot, slots[~is_over])
            elif host.remembers:
                self._begin(host, slots, *np.nonzero(self.bots[slots] == bot))

    def _begin(self, host: Host, slots: Any, places: Any, seats: Any) -> None:
        if len(places):
            slots = slots[places]
            chairs = (slots * self.game.seats + seats).astype(np.int32)
            matches = self.batch.first + self.match[slots].astype(np.int64)
            host.begin(Seating(chairs, matches, seats.astype(np.int8), self.keys[slots, seats]))

    def _rounds(self) -> None:
        """Play round after round, the shifts in turn: while the bots think about one, the other is stepped."""
        shift = self.shifts[0]
        self._gather(shift)
        self._send(shift)
        while len(shift.running):
            other = self.shifts[-1] if shift is self.shifts[0] else self.shifts[0]
            if other is shift:
                self._step(shift, self._collect(shift))
                self._gather(shift)
                self._send(shift)
                continue
            self._gather(other)
            failures = self._collect(shift)
            self._send(other)
            self._step(shift, failures)
            if shift.active < WORTH_A_SHIFT:
                self._merge(shift, other)
            shift = other

    def _gather(self, shift: _Shift) -> None:
        """Let everybody who is to move look."""
        self.loops.gather(
            self.states, shift.running, self.bots, self.absent, self.decisions, self.keys,
            shift.groups, shift.asked, shift.slots, shift.chairs, shift.views, shift.seeds,
        )  # fmt: skip
        shift.cut()

    def _send(self, shift: _Shift) -> None:
        for bot, (_, _, ask) in shift.asks.items():
            self.hosts[bot].send(ask)

    def _collect(self, shift: _Shift) -> list[Failure]:
        """Hear each bot's answers; answer the failures, with places counted over all bots."""
        failures: list[Failure] = []
        for bot in self.order:
            if bot in shift.asks:
                begin, end, ask = shift.asks[bot]
                failed = self._hear(bot, ask, shift.actions[begin:end])
                failures += [Failure(begin + each.place, each.kind, each.message) for each in failed]
                if self.game.late is not None:
                    self._impose(self.game.late, shift, bot)
        for failure in failures:
            shift.spoiled[failure.place] = 1
        return failures

    def _hear(self, bot: int, ask: Ask, actions: Rows) -> Sequence[Failure]:
        """A bot's answers, and what each took it."""
        started = now_ns()
        failures = self.hosts[bot].choose(ask, actions)
        self.shares[bot] = self.hosts[bot].think_ns(now_ns() - started) // len(actions)
        return failures

    def _impose(self, late: tuple[int, Action], shift: _Shift, bot: int) -> None:
        """Where a bot was too late by the game's own clock, let what the rules impose be its action."""
        limit_ms, action = late
        begin, end, _ = shift.asks[bot]
        took = self.shares[bot] if self.hosts[bot].took is None else self.hosts[bot].took
        places = begin + np.flatnonzero(np.broadcast_to(took > 1_000_000 * limit_ms, end - begin))
        for place in places:
            shift.actions[place] = self.game.action_row(action)
        shift.spoiled[places] = 2

    def _step(self, shift: _Shift, failures: list[Failure]) -> None:
        """Judge, step, and clear the matches that ended, once they are many enough."""
        if self.forfeited.any():  # some while the bots thought
            gone = self.absent.reshape(-1)[shift.chairs[: shift.asked[-1]]]
            shift.spoiled[: shift.asked[-1]][gone] = 1
            failures = [failure for failure in failures if not gone[failure.place]]
        begin = self.log.reserve(int(shift.asked[-1]))
        refusals, shift.over = self.loops.advance(
            self.states, shift.slots, shift.actions, shift.spoiled, shift.asked, self.shares, self.decisions,
            self.think, self.match, self.log.matches, self.log.actions, begin,
            self.refused, self.refused_states, self.refused_actions, shift.ended, shift.over,
        )  # fmt: skip
        if failures or refusals:
            self._charge(shift, failures, refusals)
        if shift.over * CLEAR_SHARE >= len(shift.running):
            self._clear(shift)

    def _merge(self, shift: _Shift, other: _Shift) -> None:
        """Let what is left of a shift go on with the other."""
        if shift is not other:
            self._clear(shift)
            other.running = np.concatenate([other.running, shift.running])
            other.ended[other.over : other.over + shift.over] = shift.ended[: shift.over]
            other.over += shift.over
            self.shifts = [other]

    def _charge(self, shift: _Shift, failures: Sequence[Failure], refusals: int) -> None:
        """Record what went wrong this round, and forfeit the matches of bots that failed too often."""
        for failure in failures:
            self._fault(int(shift.chairs[failure.place]), failure.kind, failure.message)
        for place, state, action in zip(
            self.refused[:refusals], self.refused_states, self.refused_actions, strict=False
        ):
            self._fault(int(shift.chairs[place]), "illegal", why_refused(self.game, state, action))
        for bot, count in enumerate(self.fault_counts):
            if count >= self.limits.faults_per_batch and not self.forfeited[bot]:
                self.forfeited[bot] = True
                running = np.concatenate([each.running for each in self.shifts])
                self._forfeit(bot, running[self.states["to_move"][running] >= 0])

    def _fault(self, chair: int, kind: FaultKind, message: str) -> None:
        """Record a fault at the decision just played; from now on the seat is stood in for."""
        slot, seat = divmod(chair, self.game.seats)
        self.fault_counts[self.bots[slot, seat]] += 1
        self._record(slot, seat, int(self.decisions[slot]) - 1, kind, message)

    def _record(self, slot: int, seat: int, decision: int, kind: FaultKind, message: str) -> None:
        self.absent[slot, seat] = True
        self.faults.setdefault(int(self.match[slot]), []).append(Fault(seat, decision, kind, message))

    def _forfeit(self, bot: int, slots: Any) -> None:
        """A bot that failed too often plays no more in this batch."""
        message = f"forfeited after {counted(self.limits.faults_per_batch, 'fault')} in this batch"
        for place, seat in zip(*np.nonzero((self.bots[slots] == bot) & ~self.absent[slots]), strict=True):
            slot = int(slots[place])
            self._record(slot, int(seat), int(self.decisions[slot]), "forfeit", message)

    def _clear(self, shift: _Shift) -> None:
        """Write down the matches that ended, tell the hosts, and use the slots again."""
        slots, shift.over = np.sort(shift.ended[: shift.over]), 0
        matches = self.match[slots]
        scores = np.zeros((len(slots), self.game.seats), np.int32)
        ranks = np.zeros((len(slots), self.game.seats), np.int8)
        self.loops.tally(self.states, slots, scores, ranks)
        if self.faults:
            rank_faulty_last(ranks, self.absent[slots])
        self.scores[matches], self.ranks[matches] = scores, ranks
        self.turns[matches] = self.states["turn"][slots]
        self.truncated[matches] = self.states["truncated"][slots]
        self.think_by_match[matches] = self.think[slots]
        for bot, host in enumerate(self.hosts):
            if host.remembers:
                places, seats = np.nonzero(self.bots[slots] == bot)
                chairs = (slots[places] * self.game.seats + seats).astype(np.int32)
                host.end(Parting(chairs, scores[places], ranks[places]))
        shift.running = shift.running[self.states["to_move"][shift.running] >= 0]
        self._seat(shift, slots)


def rank_faulty_last(ranks: Any, faulty: Any) -> None:
    """Put faulty seats last, all with the same rank, and close the gaps they leave; `int8[N, seats]`, `bool` alike."""
    ranks[faulty] = np.int8(127)
    ranks[:] = (ranks[:, None, :] < ranks[:, :, None]).sum(axis=2)


def why_refused(game: Game, state: Row, action: Row) -> str:
    """Describe an illegal action, which may be any bytes: in words, what is wrong with it, or both."""
    told = []
    for tell in (game.decode, partial(game.why_illegal, state)):
        with suppress(ValueError, LookupError):
            told.append(str(tell(action)))
    return ": ".join(told) or f"no action of {game.name}: {action.tobytes()[:16].hex()}"

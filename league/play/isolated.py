"""Bots of Python in a locked-down process each: rows in shared memory, one wake-up a round."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from league.bot import OptionValue
from league.games import Game
from league.games.find import game_with
from league.kernels import Rows, rows
from league.play import Ask, Failure, FaultKind, Limits
from league.play.apart import ApartHost, Session, Trouble, time_of
from league.play.arena import (
    ANSWERED,
    ASKED,
    CODE,
    COMPILING,
    DECIDING,
    HEARING,
    LOADING,
    NOTES,
    PHASE,
    PLACE,
    ROUND,
    SINGLY,
    SPAN,
    Arena,
    note_dtype,
    put,
)
from league.play.inside import Job
from league.play.printing import Printing
from league.roster import Bundle, Kind
from league.roster.describe import readable_to
from league.roster.load import home_of
from league.sandbox import Allowance
from league.sandbox.spawn import Child, spawn
from league.sandbox.watch import Watch, tick_ms

_GRACE_S = 0.5
"""How long a process whose line is closed may take to end by itself."""

_FAR = 1 << 32
"""More than there are places in a round."""


_COMPILE_S = 300
"""How long a bot may compile in its rehearsal, whose time is nobody's."""

_ENOUGH_NS = 2_000_000_000
"""A rehearsal ends when a bot has thought so long since it last compiled something."""

CODES = 64
"""Bots whose compiled code is kept in this process."""


@dataclass(frozen=True)
class Rehearsed:
    """What a bot's rehearsal came to.

    Attributes:
        code: What it compiled; only processes of that very bot ever make anything of it.
        hung: With which options it did not answer within `limits.start_s`, and that; None if it did answer.
    """

    code: bytes
    hung: tuple[Mapping[str, OptionValue], int] | None


_rehearsed: dict[tuple[object, ...], Rehearsed] = {}
"""By rows and bundle."""


def _key(job: Job) -> tuple[object, ...]:
    game = game_with(*job.game)
    return game.name, game.state_dtype, game.view_dtype, job.main, job.attribute, job.version


def rehearsed(job: Job, limits: Limits) -> Rehearsed:
    """What a bot compiles in a match, which its processes may not write anywhere, and whether it answers at all.

    A rehearsal tells, in a process that sees nothing of a league: what a bot hands out there it gets back in every
    batch, so from a process that plays it could remember other batches.
    """
    key = _key(job)
    if key not in _rehearsed:
        while len(_rehearsed) >= CODES:
            del _rehearsed[next(iter(_rehearsed))]
        _rehearsed[key] = _rehearse(job, limits)
    return _rehearsed[key]


def _rehearse(job: Job, limits: Limits) -> Rehearsed:
    """Let a bot play one and the same match with itself; what goes wrong is found again where it counts.

    It has `limits.start_s` for each decision and beside them `_COMPILE_S` to compile, so no honest bot is stopped.
    """
    game, printing = game_with(*job.game), Printing(None)
    patient = replace(limits, decision_ms=1000 * limits.start_s)
    session = _Rehearsal(game, replace(job, seed=0), patient, printing.handle, 1_000_000_000 * _COMPILE_S)
    try:
        trouble = session.play()
        is_stuck = trouble is not None and trouble.kind == "timeout"
        return Rehearsed(session.read_code(), (job.options, limits.start_s) if is_stuck else None)
    finally:
        session.close()
        printing.close()


class IsolatedHost(ApartHost):
    """Hosts a bot of the league's own classes in a locked-down process.

    Args:
        game: What is played.
        bundle: The bot's source.
        kind: How it answers.
        options: All its options with their values.
        limits: What it may use.
        log: Where what it prints is appended.
    """

    def __init__(
        self,
        game: Game,
        bundle: Bundle,
        kind: Kind,
        options: Mapping[str, OptionValue],
        limits: Limits,
        log: Path | None,
    ) -> None:
        home = home_of(bundle)
        self._printing = Printing(log)
        spec = (game.name, game.seats, game.options.model_dump())

        def start(seed: int, warm_ns: int) -> Session:
            job = Job(spec, kind, home, bundle.main, bundle.attribute, bundle.version, options, seed)
            found = rehearsed(job, limits)
            if found.hung == (options, limits.start_s):
                warm_ns = 0  # it had that time and did not answer; it would use it up again in every batch
            return _Shared(game, replace(job, code=found.code), limits, self._printing.handle, warm_ns)

        super().__init__(game, limits, start, recalls=kind == "python")

    def close(self) -> None:
        """End the process and keep what it printed."""
        try:
            super().close()
        finally:
            self._printing.close()


class _Shared(Session):
    """A process that answers through shared memory."""

    def __init__(self, game: Game, job: Job, limits: Limits, printing: int, warm_ns: int) -> None:
        self._game = game
        self._limits = limits
        self._warm_ns = warm_ns
        self._is_batch = job.kind == "batch"
        self._arena = Arena(game)
        self._child: Child | None = None
        theirs_in, self._wake = os.pipe()
        done, theirs_out = os.pipe()
        handles = [self._arena.handle, theirs_in, theirs_out]
        allowance = Allowance(readable_to(job.home), limits.memory_mb)
        prepare = ("league.play.inside:prepare", (job.game, job.kind))
        try:
            self._child = spawn("league.play.inside:serve", job, handles, done, printing, allowance, prepare)
        except BaseException:
            os.close(done)
            os.close(self._wake)
            raise
        finally:
            for handle in handles:
                os.close(handle)
        self._watch = Watch(self._child)
        self._is_loaded = False
        self._round = 0
        self._progress = 0
        self._seen_ns = self._lent_ns = 0
        self._posted = (self._arena.notes[:0], self._arena.chairs[:0])
        self._singly = False

    def post(self, notes: Rows, ask: Ask, singly: bool) -> None:
        """Write the round down and wake the process."""
        arena, words, count = self._arena, self._arena.words, len(ask.chairs)
        put(notes, arena.notes)
        put(ask.views, arena.views)
        arena.chairs[:count], arena.seeds[:count] = ask.chairs, ask.seeds
        self._round += 1
        words[NOTES], words[ASKED], words[SINGLY], words[ROUND] = len(notes), count, singly, self._round
        self._posted, self._singly, self._progress = (notes, ask.chairs), singly, 0
        self._seen_ns = self._lent_ns = 0
        if self._is_loaded:
            self._watch.begin(count)
        with suppress(BrokenPipeError):  # the process has ended, which `wait` will find
            os.write(self._wake, b".")

    def _child_now(self) -> Child:
        assert self._child is not None
        return self._child

    def wait(self) -> Trouble | None:
        """Wait for the answers, looking at the process now and then."""
        child, tick = self._child_now(), tick_ms(self._limits.decision_ms)
        if not self._is_loaded:
            self._watch.begin(0)
        while True:
            if child.has_written(tick):
                if not child.read(4096):
                    return self._died()
                if not self._is_loaded:
                    self._is_loaded = True
                    self._watch.begin(len(self._posted[1]))
                    self._seen_ns = self._lent_ns = 0
                if self._arena.words[ANSWERED] == self._round:
                    return None
            trouble = self._look()
            if trouble is not None:
                return trouble

    def _look(self) -> Trouble | None:
        """See whether what is in hand takes too long, apart from what is compiled or loaded the first time."""
        phase, place = self._in_hand()
        before, self._progress = self._progress, max(self._progress, phase * _FAR + place)
        phase, place = divmod(self._progress, _FAR)
        spent = self._watch.look(self._progress, place if phase == DECIDING else 0)
        if self._progress != before:
            self._seen_ns = self._lent_ns = 0
        if self._is_lent(phase, place):
            lent = max(0, min(spent - self._seen_ns, self._warm_ns - self.warmed_ns))
            self._lent_ns += lent
            self.warmed_ns += lent
        self._seen_ns = spent
        limit_ms, what = self._limit()
        if spent - self._lent_ns <= limit_ms * 1_000_000:
            return None
        had_more = self._lent_ns or (not self._warm_ns and self._is_lent(phase, place))
        beyond = f", beyond {self._limits.start_s} s to load and compile" if had_more else ""
        return self._trouble("timeout", f"took more than {limit_ms} ms {what}{beyond}")

    def _limit(self) -> tuple[int, str]:
        """Milliseconds for what is in hand, and what that is."""
        if not self._is_loaded:
            return 1000 * self._limits.start_s, "to start"
        if self._is_batch and not self._singly:
            return self._limits.decision_ms * max(1, len(self._posted[1])), "for a round"
        return self._limits.decision_ms, "for one decision"

    def _is_lent(self, phase: int, place: int) -> bool:
        """Whether time now goes into what is loaded at the first decision, or compiled at any."""
        return self._arena.words[COMPILING] > 0 or (self._round == 1 and phase == DECIDING and place == 0)

    def _in_hand(self) -> tuple[int, int]:
        """What the process says it is at, as far as that makes sense."""
        words = self._arena.words
        phase = words[PHASE]
        if phase not in (HEARING, DECIDING):
            return LOADING, 0
        bound = len(self._posted[0 if phase == HEARING else 1])
        return phase, min(max(words[PLACE], 0), max(bound - 1, 0))

    def _died(self) -> Trouble:
        child, self._child = self._child_now(), None
        ending = child.end(_GRACE_S)
        if "signal 9" in ending:
            return self._trouble("memory", f"its process was ended {self._limits.for_memory}")
        return self._trouble("died", f"its process {ending}" if ending else "it closed its line to the table")

    def _trouble(self, kind: FaultKind, message: str) -> Trouble:
        """Name the decision in hand; between rounds that is the first one asked for."""
        phase, place = self._in_hand()
        notes, chairs = self._posted
        if not self._is_loaded:
            return Trouble(kind, message, None)
        if phase == HEARING and len(notes) and (notes["begins"][place] or not len(chairs)):
            return Trouble(kind, message, int(notes["chair"][place]))
        if phase == HEARING:
            place = 0  # of a match that has ended nothing can be taken any more, so the next decision pays
        if not len(chairs):
            return Trouble(kind, message, None)
        many = self._arena.words[SPAN] != 1 and not self._singly and len(chairs) > 1
        return Trouble(kind, message, int(chairs[place]), many)

    def take(self, actions: Rows) -> Sequence[Failure]:
        """Copy the answers out of the shared memory."""
        count = len(actions)
        put(self._arena.actions[:count], actions)
        return self._arena.read_failures(count)

    def spent(self) -> tuple[int, Any]:
        """CPU time of the round."""
        return self._watch.finish()

    def close(self, notes: Rows | None = None) -> None:
        """End the process."""
        if self._wake >= 0:
            os.close(self._wake)
            self._wake = -1
        if self._child is not None:
            self._child.end()
            self._child = None


class _Rehearsal(_Shared):
    """A process that plays for nothing but its code."""

    def play(self) -> Trouble | None:
        """Play a match with the bot in every seat, to its end, to trouble, or until nothing new is compiled.

        One that goes on compiling, or takes as long as it may at each decision, is heard no longer than an honest bot
        needs at the most; then what it compiled by then is all.
        """
        game, chairs = self._game, np.arange(self._game.seats, dtype=np.int32)
        state, view, action = game.start(0), rows(1, game.view_dtype), rows(1, game.action_dtype)
        notes = rows(game.seats, note_dtype(game.seats))
        notes["begins"], notes["chair"], notes["seat"], notes["seed"] = 1, chairs, chairs, chairs
        idle_ns = code = took_ns = 0
        most_ns = 1_000_000_000 * (_COMPILE_S + self._limits.start_s)
        while state["to_move"][0] >= 0 and idle_ns < _ENOUGH_NS and took_ns < most_ns:
            game.kernels.observe(state[0], view[0])
            seat = state["to_move"].astype(np.int32)
            ask = Ask(view, seat, state["turn"].astype(np.uint64))
            self.post(notes, ask, singly=False)
            trouble = self.wait()
            if trouble is not None:
                return trouble
            if self.take(action) or not game.kernels.is_legal(state[0], action[0]):
                game.kernels.stand_in(state[0], action[0])
            game.kernels.step(state[0], action[0])
            round_ns = time_of(self.spent()[1], ask)
            idle_ns, took_ns = idle_ns + round_ns, took_ns + round_ns
            if self._arena.words[CODE] != code:
                idle_ns, code = 0, self._arena.words[CODE]
            notes = notes[:0]
        return None

    def read_code(self) -> bytes:
        """What the process compiled."""
        return self._arena.read_code()

    def _is_lent(self, phase: int, place: int) -> bool:
        return self._arena.words[COMPILING] > 0

"""Inside the process of an isolated bot: build it, then answer round after round through the shared memory."""

from __future__ import annotations

import io
import os
import pickle
import random
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, cast

import numpy as np

from league.bot import BatchBot, Bot, CompiledBot, OptionValue, Player
from league.clock import now_ns
from league.games import Game
from league.games.find import game_with
from league.kernels import KeptCode, Rows, listen_to_compiler, rows
from league.play import Ask, Batch, Failure, Host, Limits, Parting, Seating
from league.play.arena import (
    ANSWERED,
    ASKED,
    COMPILING,
    DECIDING,
    HEARING,
    NOTES,
    PHASE,
    PLACE,
    ROUND,
    SINGLY,
    SPAN,
    WAITING,
    WORDS,
    Arena,
    copy_of,
)
from league.play.batch import BatchHost
from league.play.compiled import CompiledHost, answer_all, seed_compiled
from league.play.in_process import Chooser, InProcessHost, Pending, Unbuilt
from league.play.loops import loops_of
from league.play.table import play_batch
from league.roster import Kind
from league.roster.load import load_class

_SPAN, _FEW = 64, 8
"""Decisions made before it is looked how fast they are: the first while they are, the second while one is in hand."""

_SLOW_NS = 6_000
"""A decision that takes longer is slow."""

_BEGUN = 64
"""Matches begun to find one in which there is something to decide."""

_LITTLE_NS = 200_000_000
"""About how long matches are played before any process is forked."""

GameSpec = tuple[str, int, Mapping[str, Any]]
"""Name, seats, options."""


@dataclass(frozen=True)
class Job:
    """What an isolated process is to host.

    Attributes:
        game: What is played.
        kind: How the bot answers.
        home: Folder of its unpacked bundle; none for an installed module.
        main, attribute, version: As its bundle has them.
        options: All its options with their values.
        seed: For the global generators, so that a bot that uses them repeats itself.
        code: What the bot compiled in its rehearsal; none for that.
    """

    game: GameSpec
    kind: Kind
    home: Path | None
    main: str
    attribute: str
    version: str
    options: Mapping[str, OptionValue]
    seed: int
    code: bytes = b""


def prepare(spec: GameSpec, kind: Kind) -> None:
    """Load a game with all that bots of a kind call, compiling what is in no cache yet; forked processes have it ready.

    So no bot is ever charged for what the game itself compiles.
    """
    seed_compiled(0)
    game = game_with(*spec)
    begun = (game.start(deal)[0] for deal in range(_BEGUN))
    undecided = next((state for state in begun if state["to_move"] >= 0), None)
    if undecided is not None:
        game.warm(undecided)
    if kind == "python":
        _play_a_little(game)
    if kind == "compiled":
        empty = rows(0, game.view_dtype), rows(0, game.action_dtype), np.zeros(0, np.uint64)
        answer_all(0, 0, *empty, np.zeros(1, np.int64))
    if kind == "batch":
        actions = rows(game.max_legal, game.action_dtype).reshape(1, -1)
        loops_of(game).list_legal(rows(1, game.view_dtype), actions, np.zeros(1, np.int32))


class _Any(Bot):
    """Takes any legal action."""

    def choose(self, view: Any) -> Any:
        return self.rng.choice(view.legal)


def _play_a_little(game: Game) -> None:
    """Play with bots of no consequence, so that processes forked later need not do and learn all for the first time."""
    words, line = memoryview(bytearray(8 * WORDS)).cast("q"), os.open(os.devnull, os.O_RDONLY)

    def play(matches: int) -> None:
        hosts = [_Watched(game, _Any, {}, words, line) for _ in range(game.seats)]
        bots = np.tile(np.arange(game.seats, dtype=np.int16), (matches, 1))
        play_batch(game, Batch(0, 0, np.arange(matches), bots), hosts, Limits(), league_seed=matches)

    play(1)  # loads the compiled loops, however long that takes
    matches, started = 1, now_ns()
    while now_ns() - started < _LITTLE_NS:
        matches *= 2
        play(matches)
    os.close(line)


def serve(argument: bytes, handles: Sequence[int]) -> None:
    """Host a bot until the process is ended.

    Args:
        argument: A pickled `Job`.
        handles: The shared memory, a pipe to read wake-ups from, a pipe to write them to.
    """
    job: Job = pickle.loads(argument)
    game = game_with(*job.game)
    memory, wake, done = handles
    arena = Arena(game, memory)
    os.close(memory)
    kept = KeptCode(job.code)
    listen_to_compiler(partial(_count_compiling, arena.words))
    be_repeatable(job)
    sys.stdout = sys.stderr = io.TextIOWrapper(_Printed(), "utf-8", "replace", write_through=True)
    host = _host(game, job, arena, done)
    arena.words[PHASE] = WAITING
    os.write(done, b".")
    while os.read(wake, 1):
        _answer(host, job.kind, arena)
        if kept.has_grown:
            arena.write_code(kept.take())
        arena.words[ANSWERED] = arena.words[ROUND]
        os.write(done, b".")


def _count_compiling(words: memoryview, more: int) -> None:
    words[COMPILING] += more


def be_repeatable(job: Job) -> None:
    """Seed what a stranger's code may draw from against advice; the league itself never does."""
    random.seed(job.seed)  # noqa: TID251
    np.random.seed(job.seed % 2**32)  # noqa: TID251
    if job.kind == "compiled":
        seed_compiled(job.seed % 2**32)


class _Printed(io.RawIOBase):
    """Standard output and error: what no longer fits is dropped, so that printing never fails."""

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return 1

    def write(self, data: Any) -> int:
        with suppress(OSError):
            os.write(1, data)
        return len(data)


def bot_of(job: Job) -> type[Player]:
    """The class; whatever its code raises comes through."""
    return load_class(job.version, job.main, job.home, job.attribute)


def _host(game: Game, job: Job, arena: Arena, line: int) -> Host:
    """Build the bot's host; if its code fails to load, one that says so at every decision."""
    try:
        bot = bot_of(job)
        if job.kind == "compiled":
            place = arena.head[PLACE : PLACE + 1]
            name = f"{job.attribute}_{job.version}"
            return CompiledHost(game, cast(type[CompiledBot], bot), job.options, name, place)
        if job.kind == "batch":
            return BatchHost(game, cast(type[BatchBot], bot), job.options)
        return _Watched(game, cast(type[Bot], bot), job.options, arena.words, line)
    except BaseException as error:
        traceback.print_exc()
        return Unbuilt(error)


class _Watched(InProcessHost):
    """Writes down what is in hand before it is done: one birth at a time, a few decisions while they are fast."""

    def __init__(
        self, game: Game, bot: type[Bot], options: Mapping[str, OptionValue], words: memoryview, line: int
    ) -> None:
        super().__init__(game, bot, options)
        self._words = words
        self._line = line
        self._is_slow = False

    def _seated(self, seed: int) -> Chooser:
        bot = super()._seated(seed)
        self._words[PLACE] += 1
        return bot

    def _choose_on(self, pending: Pending, count: int, chosen: list[Any]) -> None:
        words = self._words
        while len(chosen) < count:
            first, alone = len(chosen), self._is_slow or words[SINGLY]
            span = _FEW if alone else _SPAN
            words[PLACE], words[SPAN] = first, 1 if alone else span
            started = now_ns()
            if alone:
                self._one_by_one(islice(pending, span), chosen)
            else:
                super()._choose_on(islice(pending, span), first + span, chosen)
            self._is_slow = now_ns() - started > span * _SLOW_NS

    def _one_by_one(self, pending: Pending, chosen: list[Any]) -> None:
        """Make the next decisions with one in hand; whoever closes the line to the table ends there and then."""
        append, words = chosen.append, self._words
        for words[PLACE], (bot, view) in enumerate(pending, len(chosen)):
            append(bot.choose(view))
            try:
                os.fstat(self._line)
            except OSError:
                os._exit(1)


def _answer(host: Host, kind: Kind, arena: Arena) -> None:
    """Hear the notes, then make the decisions of a round."""
    words = arena.words
    if words[NOTES]:
        words[PLACE], words[PHASE], words[SPAN] = 0, HEARING, 1
        for place, notes in _runs(copy_of(arena.notes[: words[NOTES]])):
            words[PLACE] = place
            _hear(host, notes)
    count = words[ASKED]
    words[PLACE], words[PHASE], words[SPAN] = (
        0,
        DECIDING,
        count if kind == "batch" and not words[SINGLY] else 1,
    )
    actions = arena.actions[:count]
    actions.view(np.uint8)[:] = 0
    ask = Ask(arena.views[:count], arena.chairs[:count], arena.seeds[:count])
    if count:
        arena.write_failures(
            _singly(host, ask, actions, words)
            if words[SINGLY] and kind == "batch"
            else host.choose(ask, actions)
        )
    words[PHASE] = WAITING


def _runs(notes: Rows) -> Iterator[tuple[int, Rows]]:
    """Cut notes into runs of beginnings and runs of endings, each with the place of its first note."""
    cuts = np.flatnonzero(np.diff(notes["begins"])) + 1
    yield from zip([0, *cuts.tolist()], np.split(notes, cuts), strict=True)


def _hear(host: Host, notes: Rows) -> None:
    if notes["begins"][0]:
        host.begin(Seating(notes["chair"], notes["match"], notes["seat"], notes["seed"]))
    else:
        host.end(Parting(notes["chair"], notes["scores"], notes["ranks"]))


def _singly(host: Host, ask: Ask, actions: Rows, words: memoryview) -> list[Failure]:
    """Make one decision after the other, to see which one is fatal."""
    failures: list[Failure] = []
    for place in range(len(ask.chairs)):
        words[PLACE] = place
        one = slice(place, place + 1)
        found = host.choose(Ask(ask.views[one], ask.chairs[one], ask.seeds[one]), actions[one])
        failures += [Failure(place, failure.kind, failure.message) for failure in found]
    return failures

"""Bots that are programs in any language: JSON lines on standard input and output. PROTOCOL.md has every message.

A program is asked all pending decisions of a round at once and may answer them in any order; the oldest one that it
has not answered is the one in hand.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from league.bot import OptionValue
from league.clock import now_ns
from league.errors import NotationError
from league.games import Game, SeatView
from league.kernels import Rows, rows
from league.play import Ask, Failure, FaultKind, Limits
from league.play.apart import ApartHost, Session, Trouble
from league.play.arena import one_line
from league.play.printing import Printing
from league.play.program import allowance_for, find_program
from league.play.wire import LONGEST_LINE, Wire
from league.roster import Bundle
from league.roster.load import bundle_folder, unpack
from league.sandbox.spawn import Child, spawn
from league.sandbox.watch import Watch, tick_ms

PROTOCOL = 1
MOST_THREADS = 64
_GRACE_S = 0.5
_PARTING_S = 0.1
"""How long a program may take to leave after `bye`."""


def plain(value: Any) -> Any:
    """A value of a view as JSON: numbers, texts and truth values as they are, tuples as lists, others as their text."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    return str(value)


def view_document(view: SeatView) -> dict[str, Any]:
    """A view as JSON, in the words of its attributes."""
    words = {word: plain(getattr(view, word)) for word in view.game.view_words}
    return {"seat": view.seat, "seats": view.seats, "options": view.options.model_dump(mode="json"), **words}


class ExternalHost(ApartHost):
    """Hosts a program in a locked-down process.

    Args:
        game: What is played.
        bundle: Its files, and its command line as `main`.
        options: Passed on in the first message.
        limits: What it may use.
        log: Where what it writes to standard error is appended.

    Raises:
        BotError: This machine has no such program.
    """

    def __init__(
        self, game: Game, bundle: Bundle, options: Mapping[str, OptionValue], limits: Limits, log: Path | None
    ) -> None:
        home = unpack(bundle, bundle_folder())
        program = find_program(bundle.main, home)
        allowance = allowance_for(program, limits.memory_mb)
        self._printing = Printing(log)

        def start(seed: int, warm_ns: int) -> Session:
            ours_in, theirs_out = os.pipe()
            theirs_in, ours_out = os.pipe()
            prepare = ("league.play.program:find_program", ("true", Path("/")))
            try:
                child = spawn(
                    "league.play.program:run",
                    program,
                    [theirs_in, theirs_out],
                    ours_in,
                    self._printing.handle,
                    allowance,
                    prepare,
                )
            except BaseException:
                os.close(ours_in)
                os.close(ours_out)
                raise
            finally:
                os.close(theirs_in)
                os.close(theirs_out)
            return Lines(game, options, limits, child, ours_in, ours_out)

        super().__init__(game, limits, start, recalls=True)

    def close(self) -> None:
        """End the program and keep what it wrote to standard error."""
        try:
            super().close()
        finally:
            self._printing.close()


class Lines(Session):
    """A running program.

    Args:
        game: What is played.
        options: The bot's options.
        limits: What it may use.
        child: Its process.
        reading: Its standard output.
        writing: Its standard input.
    """

    def __init__(
        self,
        game: Game,
        options: Mapping[str, OptionValue],
        limits: Limits,
        child: Child,
        reading: int,
        writing: int,
    ) -> None:
        self._game, self._limits = game, limits
        self._child: Child | None = child
        self._wire = Wire(reading, writing)
        self._is_ready = False
        self._matches: dict[int, int] = {}
        self._watch = Watch(child)
        self._given_up: list[int] = []
        self._round = _Round(game, rows(0, game.view_dtype), np.zeros(0, np.int32), self._given_up)
        self._say(
            type="hello",
            protocol=PROTOCOL,
            game=game.name,
            version=game.version,
            seats=game.seats,
            options=game.options.model_dump(mode="json"),
            bot_options=dict(options),
        )

    def _say(self, **message: Any) -> None:
        self._wire.say(json.dumps(message, separators=(",", ":")).encode())

    def post(self, notes: Rows, ask: Ask, singly: bool) -> None:
        """Say what happened, then ask."""
        for note in notes:
            self._tell(note)
        self._round = _Round(self._game, ask.views, ask.chairs, self._given_up)
        for place, view in enumerate(self._round.views()):
            match = self._matches[int(ask.chairs[place])]
            self._round.ask(match, place)
            legal = [str(action) for action in view.legal]
            self._say(type="choose", match=match, view=view_document(view), legal=legal)
        if self._is_ready:
            self._watch.begin(len(ask.chairs))
        self._wire.write()

    def _tell(self, note: Any) -> None:
        match, chair, seat = int(note["match"]), int(note["chair"]), int(note["seat"])
        if note["begins"]:
            self._matches[chair] = match
            seed = f"{int(note['seed']):016x}"
            self._say(type="start", match=match, seat=seat, seats=self._game.seats, seed=seed)
        else:
            scores, ranks = note["scores"].tolist(), note["ranks"].tolist()
            self._say(type="end", match=match, seat=seat, scores=scores, ranks=ranks)

    def wait(self) -> Trouble | None:
        """Exchange lines until nothing is pending."""
        tick = tick_ms(self._limits.decision_ms)
        looked = now_ns()
        if not self._is_ready:
            self._watch.begin(0)
        while self._round.pending or not self._is_ready:
            if not self._wire.exchange(tick):
                return self._died()
            for line in self._wire.lines(self._most_lines()):
                self._hear(line)
            if self._wire.is_flooded:
                return self._trouble("protocol", f"wrote a line of more than {LONGEST_LINE} bytes")
            if not self._is_ready and self._round.refusal:
                return self._trouble("protocol", self._round.refusal)
            if now_ns() - looked >= tick * 1_000_000:
                looked = now_ns()
                trouble = self._look() or self._inspect()
                if trouble is not None:
                    return trouble
        return self._inspect()

    def _inspect(self) -> Trouble | None:
        """See whether the program is too many."""
        if self._child is None or not self._watch.is_due() or self._child.threads() <= MOST_THREADS:
            return None
        return self._trouble("died", f"had more than {MOST_THREADS} threads")

    def _most_lines(self) -> int:
        """How many lines may be heard now; what comes uncalled for is kept until something is pending."""
        return len(self._round.pending) if self._is_ready else 1

    def _hear(self, line: bytes) -> None:
        if self._is_ready:
            self._round.hear(line)
            return
        message = understood(line)
        self._is_ready = message.get("type") == "ready"
        if not self._is_ready:
            self._round.refusal = f"""the first line must be {{"type":"ready"}}, not {shown(line)}"""
        else:
            self._watch.begin(self._round.count)

    def _look(self) -> Trouble | None:
        """See whether the decision in hand takes too long."""
        assert self._child is not None
        spent = self._watch.look((self._is_ready, self._round.done), self._round.done)
        limit_ms = self._limits.decision_ms if self._is_ready else 1000 * self._limits.start_s
        if spent <= limit_ms * 1_000_000:
            return None
        what = "for one decision" if self._is_ready else "to say that it is ready"
        half = ", and stopped in the middle of a line" if self._wire.has_half_a_line else ""
        return self._trouble("timeout", f"took more than {limit_ms} ms {what}{half}")

    def _died(self) -> Trouble:
        assert self._child is not None
        half = " in the middle of a line" if self._wire.has_half_a_line else ""
        child, self._child = self._child, None
        self._wire.close()
        ending = child.end(_GRACE_S)
        if "signal 9" in ending:
            return self._trouble("memory", f"the program was ended {self._limits.for_memory}")
        told = f"the program {ending}{half}" if ending else f"the program closed its output{half}"
        return self._trouble("died", told)

    def _trouble(self, kind: FaultKind, message: str) -> Trouble:
        return Trouble(kind, message, self._round.oldest_chair() if self._is_ready else None)

    def take(self, actions: Rows) -> Sequence[Failure]:
        """Copy the answers."""
        actions[:] = self._round.actions
        return list(self._round.failures.values())

    def spent(self) -> tuple[int, Any]:
        """CPU time of the round."""
        return self._watch.finish()

    def close(self, notes: Rows | None = None) -> None:
        """Say how the last matches ended and goodbye, and end the program."""
        if self._child is not None:
            for note in () if notes is None else notes:
                self._tell(note)
            self._say(type="bye")
            self._wire.write()
            self._wire.close()
            self._child.end(_PARTING_S)
            self._child = None


class _Round:
    """The answers to one round of questions, as they come in.

    Args:
        game: What is played.
        views: What is asked.
        chairs: Where.
        given_up: The matches whose decisions were charged while their answers may still be on the way, of this round
            and of earlier ones; it is kept up to date. Each cost a fault, so they are few.
    """

    def __init__(self, game: Game, views: Rows, chairs: Any, given_up: list[int]) -> None:
        self._game, self._views, self._chairs = game, views, chairs
        self.count = len(chairs)
        self.done = 0
        self.pending: dict[int, int] = {}
        self.actions = rows(self.count, game.action_dtype)
        self.failures: dict[int, Failure] = {}
        self.refusal = ""
        self._given_up = given_up

    def views(self) -> Iterator[SeatView]:
        """The view of each place."""
        return self._game.views(self._views)

    def ask(self, match: int, place: int) -> None:
        """A match's decision is asked for."""
        self.pending[match] = place

    def oldest_chair(self) -> int | None:
        """Where the oldest decision without an answer is to be made."""
        place = next(iter(self.pending.values()), 0)
        return int(self._chairs[place]) if self.count else None

    def hear(self, line: bytes) -> None:
        """Take a line as the answer it is; what is none costs the oldest decision without an answer."""
        message = understood(line)
        match, action = message.get("match"), message.get("action")
        if message.get("type") != "action" or type(match) is not int or not isinstance(action, str):
            self._charge(f"wrote no answer: {shown(line)}")
        elif match in self.pending:
            self._answer(match, action)
        elif match in self._given_up:
            self._given_up.remove(match)
        else:
            self._charge(f"answered for match {match}, which was not asked")

    def _charge(self, message: str) -> None:
        match, place = next(iter(self.pending.items()))
        self._given_up.append(match)
        self._close(match, Failure(place, "protocol", message))

    def _answer(self, match: int, text: str) -> None:
        place = self.pending[match]
        try:
            self._game.encode([self._game.parse_action(text)], self.actions[place : place + 1])
        except (NotationError, TypeError, ValueError) as error:
            self._close(match, Failure(place, "illegal", one_line(str(error))[:300]))
        else:
            self._close(match, None)

    def _close(self, match: int, failure: Failure | None) -> None:
        place = self.pending.pop(match)
        self.done += 1
        if failure is not None:
            self.failures[place] = failure


def understood(line: bytes) -> dict[str, Any]:
    """The object of a line; empty if it is none."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def shown(line: bytes) -> str:
    """The beginning of a stranger's line, for a message."""
    text = one_line(line[:80].decode(errors="replace"))
    return f"'{text}'" if text else "an empty line"

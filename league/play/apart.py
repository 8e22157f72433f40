"""Hosts whose bot lives in a process of its own: whom to charge when it dies, and how the other matches go on.

The decision in hand is charged, that match alone. A fresh process is given every match that is still running: it sits
down to them and answers all it was asked before once more, unheard, so that bots which remember know what they knew.
Its answers to the round in question then count.
"""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from league.games import Game
from league.kernels import Rows, rows
from league.play import Ask, Failure, FaultKind, Host, Limits, Parting, Seating
from league.play.arena import note_dtype
from league.play.table import SLOTS
from league.words import counted

_LARGE = 1024
"""Bytes of a view row that are mostly zeros: larger ones are for games that say how much a view takes at the most."""


@dataclass(frozen=True)
class Trouble:
    """The end of a process, or the end of patience with it.

    Attributes:
        kind: What it is.
        message: One line for the author.
        chair: Whose decision was in hand; none when it did not come as far, or may be any of many.
        many: Whether it had several decisions in hand at once, so that it must be asked again to know.
    """

    kind: FaultKind
    message: str
    chair: int | None
    many: bool = False


def time_of(each: Any, ask: Ask) -> int:
    """Nanoseconds of a round, of which each decision took so much: `int64[N]` or one number for all."""
    return int(each.sum()) if isinstance(each, np.ndarray) else each * len(ask.chairs)


class Session(ABC):
    """One process of a bot, from its start to its end."""

    warmed_ns = 0
    """Time beyond a decision's limit that its first decision took."""

    @abstractmethod
    def post(self, notes: Rows, ask: Ask, singly: bool) -> None:
        """Tell which matches began and ended, then ask; `singly` forbids to take several decisions in hand at once."""

    @abstractmethod
    def wait(self) -> Trouble | None:
        """Wait until all is answered, within the limits."""

    @abstractmethod
    def take(self, actions: Rows) -> Sequence[Failure]:
        """Write the answers, and name the decisions without one."""

    @abstractmethod
    def spent(self) -> tuple[int, Any]:
        """CPU time of the round in nanoseconds, and each decision's part of it."""

    @abstractmethod
    def close(self, notes: Rows | None = None) -> None:
        """End the process, if it has not ended; one that lived to the end may hear how the last matches ended."""


class _Asked:
    """What was asked in a round, kept for a process that is to live through it again.

    Large views are kept compressed, for many rounds of many matches are kept at once.

    Args:
        ask: The round, whose memory is used again.
    """

    def __init__(self, ask: Ask) -> None:
        self.chairs = ask.chairs.copy()
        self._seeds, self._dtype = ask.seeds.copy(), ask.views.dtype
        self._is_large = self._dtype.itemsize > _LARGE
        self._views = zlib.compress(ask.views.data, 1) if self._is_large else ask.views.tobytes()

    def part(self, chosen: Any) -> Ask:
        """The decisions that are chosen, `bool[N]`."""
        data = zlib.decompress(self._views) if self._is_large else self._views
        views: Rows = np.ndarray(len(self.chairs), self._dtype, data)
        return Ask(views[chosen], self.chairs[chosen], self._seeds[chosen])


class _Thought:
    """How long each chair has thought about its match, in nanoseconds.

    Rounds are noted as they come and added up many at once, when somebody looks or sits down.

    Attributes:
        at_most_ns: No chair has thought longer.
    """

    def __init__(self, chairs: int) -> None:
        self.at_most_ns = 0
        self._sums = np.zeros(chairs, np.int64)
        self._rounds: list[tuple[Any, Any]] = []

    def add(self, chairs: Any, each: Any) -> None:
        """Add what each decision of a round took, `int64[N]` or one number for all."""
        self._rounds.append((chairs.copy(), each))
        self.at_most_ns += int(each.max()) if isinstance(each, np.ndarray) else each

    def of(self, chairs: Any) -> Any:
        """What some chairs have thought, `int64[N]`."""
        self._add_up()
        self.at_most_ns = int(self._sums.max())
        return self._sums[chairs]

    def forget(self, chairs: Any) -> None:
        """Others sit down at some chairs."""
        self._add_up()
        self._sums[chairs] = 0

    def _add_up(self) -> None:
        if self._rounds:
            chairs = np.concatenate([chairs for chairs, _ in self._rounds])
            each = np.concatenate([np.broadcast_to(each, len(chairs)) for chairs, each in self._rounds])
            self._sums += np.bincount(chairs, each, len(self._sums)).astype(np.int64)
            self._rounds = []


class ApartHost(Host):
    """Asks a session, and replaces it when it fails.

    Args:
        game: What is played.
        limits: What the bot may use.
        start: Starts a session; its arguments are a seed for what the bot draws from elsewhere than its own generator,
            and how many nanoseconds its first decision may take, for what is compiled or loaded only then.
        recalls: Whether the bot may keep something between decisions.
    """

    remembers = True
    is_apart = True

    def __init__(
        self, game: Game, limits: Limits, start: Callable[[int, int], Session], recalls: bool
    ) -> None:
        self._limits = limits
        self._start = start
        self._recalls = recalls
        self._is_timed = game.late is not None
        self._session: Session | None = None
        self._seed: int | None = None
        self._broken: Trouble | None = None
        self._charges = 0
        self._warm_ns = limits.start_s * 1_000_000_000
        self._is_wary = False
        chairs = SLOTS * game.seats
        self._no_actions = rows(0, game.action_dtype)
        self._notes: list[Rows] = []
        self._seatings = rows(chairs, note_dtype(game.seats))
        self._is_seated = np.zeros(chairs, np.bool_)
        self._since = np.zeros(chairs, np.int64)
        self._thought = _Thought(chairs)
        self._spoilt: dict[int, Trouble] = {}
        self._past: list[_Asked] = []
        self._present: _Asked | None = None
        self._forgotten = 0
        self._places: Any = None
        self._round_ns = 0
        self._lived_ns = self._relived_ns = 0

    def begin(self, seating: Seating) -> None:
        """Note the matches for the next round, and start the process if it does not run yet."""
        if self._seed is None and len(seating.chairs):
            self._seed = int(seating.seeds[0])
            self._session = self._start(self._seed, self._warm_ns)
        notes = rows(len(seating.chairs), self._seatings.dtype)
        notes["begins"], notes["chair"], notes["match"] = 1, seating.chairs, seating.matches
        notes["seat"], notes["seed"] = seating.seats, seating.seeds
        self._seatings[seating.chairs] = notes
        self._is_seated[seating.chairs] = True
        self._since[seating.chairs] = self._forgotten + len(self._past)
        self._thought.forget(seating.chairs)
        self._note(notes)

    def end(self, parting: Parting) -> None:
        """Note which matches ended, and forget what was asked before the oldest that still runs."""
        notes = rows(len(parting.chairs), self._seatings.dtype)
        notes["chair"], notes["match"] = parting.chairs, self._seatings["match"][parting.chairs]
        notes["seat"] = self._seatings["seat"][parting.chairs]
        notes["scores"], notes["ranks"] = parting.scores, parting.ranks
        known = self._is_seated[parting.chairs]
        self._is_seated[parting.chairs] = False
        for chair in parting.chairs.tolist() if self._spoilt else ():
            self._spoilt.pop(chair, None)
        self._note(notes[known])
        self._forget()

    def _note(self, notes: Rows) -> None:
        if self._recalls and len(notes):
            self._notes.append(notes)

    def _forget(self) -> None:
        oldest = (
            int(self._since[self._is_seated].min())
            if self._is_seated.any()
            else self._forgotten + len(self._past)
        )
        del self._past[: oldest - self._forgotten]
        self._forgotten = oldest

    def send(self, ask: Ask) -> None:
        """Let the process begin to think."""
        self._places = None
        if self._spoilt:
            spoilt = np.isin(ask.chairs, list(self._spoilt))
            if spoilt.any():
                self._places = np.flatnonzero(~spoilt)
        if self._broken is None:
            self._post(self._part(ask))

    def _part(self, ask: Ask) -> Ask:
        if self._places is None:
            return ask
        return Ask(ask.views[self._places], ask.chairs[self._places], ask.seeds[self._places])

    def _post(self, ask: Ask, singly: bool = False) -> None:
        assert self._session is not None
        self._session.post(self._take_notes(), ask, singly or self._is_wary)

    def _take_notes(self) -> Rows:
        notes = np.concatenate(self._notes) if self._notes else self._seatings[:0]
        self._notes = []
        return notes

    def choose(self, ask: Ask, actions: Rows) -> Sequence[Failure]:
        """Collect the answers, over several processes if need be."""
        failures: list[Failure] = []
        self._round_ns = 0
        if self._is_timed:
            self.took = np.zeros(len(ask.chairs), np.int64)
        if self._broken is None:
            if self._recalls:  # only now, while the process thinks
                self._present = _Asked(ask)
            failures = self._collect(ask, actions)
        answered = {failure.place for failure in failures}
        for place, chair in enumerate(ask.chairs.tolist()) if self._spoilt or self._broken else ():
            trouble = self._spoilt.get(chair, self._broken)
            if trouble is not None and place not in answered:
                failures.append(Failure(place, trouble.kind, trouble.message))
        if self._present is not None and self._broken is None:
            self._past.append(self._present)
        return failures

    def _collect(self, ask: Ask, actions: Rows) -> list[Failure]:
        assert self._session is not None
        trouble = self._session.wait()
        while trouble is not None:
            trouble = self._after(trouble, ask)
            if self._broken is not None:
                return []
        part = self._part(ask)
        answers = actions if self._places is None else rows(len(part.chairs), actions.dtype)
        failures = list(self._session.take(answers))
        if self._places is not None:
            actions[self._places] = answers
            failures = [Failure(int(self._places[each.place]), each.kind, each.message) for each in failures]
        return failures + self._overdrawn(part)

    def _overdrawn(self, ask: Ask) -> list[Failure]:
        """Charge the time of the round, and name the decisions of matches that took too much in all."""
        assert self._session is not None
        total, each = self._session.spent()
        self._round_ns += total
        self._lived_ns += time_of(each, ask)
        if self._is_timed:
            self.took[slice(None) if self._places is None else self._places] = each
        self._thought.add(ask.chairs, each)
        limit = self._limits.match_s * 1_000_000_000
        if self._thought.at_most_ns <= limit:
            return []
        over = self._thought.of(ask.chairs) > limit
        if not over.any():
            return []
        message = f"took more than {self._limits.match_s} s of CPU time for one match"
        places = np.flatnonzero(over) if self._places is None else self._places[over]
        return [Failure(int(place), "timeout", message) for place in places]

    def _after(self, trouble: Trouble, ask: Ask) -> Trouble | None:
        """Charge a trouble, and ask a fresh process; answer what comes of that."""
        assert self._session is not None
        self._session.close()
        self._warm_ns = max(0, self._warm_ns - self._session.warmed_ns)
        self._is_wary = self._recalls
        if not trouble.many:
            self._charge(trouble)
        if self._broken is not None:
            return None
        spoilt = np.isin(ask.chairs, list(self._spoilt))
        self._places = np.flatnonzero(~spoilt)
        return self._start_over(self._part(ask), singly=trouble.many)

    def _charge(self, trouble: Trouble) -> None:
        self._charges += 1
        if trouble.chair is None:
            self._broken = trouble
            return
        self._spoilt[trouble.chair] = trouble
        self._is_seated[trouble.chair] = False
        if self._charges >= self._limits.faults_per_batch:
            message = f"forfeited after {counted(self._limits.faults_per_batch, 'fault')} in this batch"
            self._broken = Trouble("forfeit", message, None)

    def _start_over(self, ask: Ask, singly: bool) -> Trouble | None:
        """Start a process, let it live through the past of the running matches, then ask it."""
        assert self._seed is not None
        self._session = self._start(self._seed, self._warm_ns)
        self._relived_ns = 0
        self._notes = [self._seatings[self._is_seated]] if self._recalls else []
        for number, past in enumerate(self._past, self._forgotten):
            chosen = self._is_seated[past.chairs] & (self._since[past.chairs] <= number)
            if chosen.any():
                trouble = self._relive(past.part(chosen))
                if trouble is not None:
                    return trouble
        self._post(ask, singly)
        return self._session.wait()

    def _relive(self, past: Ask) -> Trouble | None:
        assert self._session is not None
        self._post(past)
        trouble = self._session.wait()
        if trouble is not None:
            return trouble
        self._session.take(rows(len(past.chairs), self._no_actions.dtype))
        self._relived_ns += time_of(self._session.spent()[1], past)
        if self._relived_ns > 2 * self._lived_ns + 1_000_000_000 * self._limits.start_s:
            message = (
                "took more than twice as long over what its process had answered before that process ended"
            )
            return Trouble("timeout", message, None)
        return None

    def think_ns(self, waited_ns: int) -> int:
        """The CPU time of the process, however long the table waited."""
        return self._round_ns

    def close(self) -> None:
        """End the process."""
        if self._session is not None:
            self._session.close(self._take_notes())
            self._session = None

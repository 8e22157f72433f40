"""Lockstep play: what a host of bots is, what it is asked, and what a batch comes to.

A *table* keeps many matches going. Each round it asks the *host* of every bot all its pending decisions at
once, then steps every match. One loop serves bots of every kind; a host is one file in this folder.

A *chair* is a seat of a running match: `slot * seats + seat`. Chairs are used again when a match ends.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import numpy as np

    from league.kernels import Rows

FaultKind: TypeAlias = Literal["illegal", "exception", "timeout", "memory", "died", "protocol", "forfeit"]


@dataclass(frozen=True, slots=True)
class Fault:
    """What a bot did wrong in a match, as it is recorded.

    Attributes:
        seat: The seat it played.
        decision: The decision of the match, from 0, at which it happened.
        kind: What it was.
        message: One line for the author.
    """

    seat: int
    decision: int
    kind: FaultKind
    message: str


@dataclass(frozen=True, slots=True)
class Failure:
    """A host's word that one of the decisions it was asked has no answer.

    Attributes:
        place: Index into the `Ask`.
        kind: What happened.
        message: One line for the author.
    """

    place: int
    kind: FaultKind
    message: str


class Ask(NamedTuple):
    """The pending decisions of one bot in one round.

    Attributes:
        views: View rows `[N]`.
        chairs: `int32[N]`, where each decision is to be made.
        seeds: `uint64[N]`, even bits for each decision.
    """

    views: Rows
    chairs: np.ndarray[Any, Any]
    seeds: np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Seating:
    """Matches that one bot now sits down to.

    Attributes:
        chairs: `int32[N]`, where it sits.
        matches: `int64[N]`, indices in the schedule.
        seats: `int8[N]`.
        seeds: `uint64[N]`, made from the league's seed, the match and the seat.
    """

    chairs: np.ndarray[Any, Any]
    matches: np.ndarray[Any, Any]
    seats: np.ndarray[Any, Any]
    seeds: np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Parting:
    """Matches of one bot that ended.

    Attributes:
        chairs: `int32[N]`, where it sat.
        scores: `int32[N, seats]`, final scores of the match.
        ranks: `int8[N, seats]`, final ranks of the match.
    """

    chairs: np.ndarray[Any, Any]
    scores: np.ndarray[Any, Any]
    ranks: np.ndarray[Any, Any]


class Code(NamedTuple):
    """A bot as compiled code calls it, see `league.addresses.ask`.

    Attributes:
        function: Address of its function.
        options: Address of its options.
    """

    function: Any
    options: Any


class Host(ABC):
    """Answers for one bot during one batch.

    Attributes:
        code: Where its bot can be asked without it; None where it cannot.
        remembers: Whether it wants to hear which matches begin and end.
        is_apart: Whether its bot thinks in a process of its own, from `send` on, while others are asked.
        took: What each decision of the last round took in nanoseconds, `int64[N]`; None where only the round's time is
            known, or where no rule asks for it (`Game.late`).
    """

    remembers: ClassVar[bool] = False
    is_apart: ClassVar[bool] = False
    code: Code | None = None
    took: Any = None

    def begin(self, seating: Seating) -> None:
        """Sit down to new matches."""

    def send(self, ask: Ask) -> None:
        """Hear what `choose` is about to ask, so that bots in processes of their own think at the same time."""

    @abstractmethod
    def choose(self, ask: Ask, actions: Rows) -> Sequence[Failure]:
        """Write an action row `actions[i]` for each decision `ask.views[i]`; name those without an answer."""

    def think_ns(self, waited_ns: int) -> int:
        """Thinking time of the round just answered, in nanoseconds, given how long the table waited for `choose`."""
        return waited_ns

    def end(self, parting: Parting) -> None:
        """Get up from matches that ended."""

    def close(self) -> None:
        """The batch is over."""


@dataclass(frozen=True)
class Limits:
    """How much a bot may use, and how often it may fail.

    Attributes:
        decision_ms: Thinking time of one decision, in milliseconds of CPU time.
        match_s: Thinking time of one seat in one match, in seconds.
        memory_mb: Memory of a bot's process, in MiB.
        start_s: Time for a bot's process to load and answer for the first time, in seconds.
        faults_per_batch: Faults after which a bot's remaining matches of a batch are forfeited.
    """

    decision_ms: int = 1000
    match_s: int = 60
    memory_mb: int = 512
    start_s: int = 30
    faults_per_batch: int = 10

    @property
    def for_memory(self) -> str:
        """Why a process is killed that nobody here killed, in words."""
        return f"for its memory: it held more than {self.memory_mb} MiB, or the machine had no more"


@dataclass(frozen=True)
class Batch:
    """Matches to be played together.

    Attributes:
        number: Which batch of the schedule it is.
        first: Index in the schedule of its first match.
        deals: `int64[N]`, deal of each match.
        bots: `int16[N, seats]`, bot in each seat.
    """

    number: int
    first: int
    deals: np.ndarray[Any, Any]
    bots: np.ndarray[Any, Any]


@dataclass(frozen=True)
class Played:
    """What a batch came to, in columns, match by match.

    Attributes:
        batch: What was to be played.
        scores: `int32[N, seats]`.
        ranks: `int8[N, seats]`, faulty seats last.
        truncated: `bool[N]`.
        turns: `int32[N]`.
        decisions: `int32[N]`.
        think_ns: `int64[N, seats]`, time that hosts took to answer, CPU time for those apart; shared evenly among the
            decisions of a round.
        actions: All action rows, match after match.
        faults: By index in the batch, in order of decisions.
    """

    batch: Batch
    scores: np.ndarray[Any, Any]
    ranks: np.ndarray[Any, Any]
    truncated: np.ndarray[Any, Any]
    turns: np.ndarray[Any, Any]
    decisions: np.ndarray[Any, Any]
    think_ns: np.ndarray[Any, Any]
    actions: Rows
    faults: Mapping[int, Sequence[Fault]] = field(default_factory=dict)

"""What a game is: facts, rows, a handful of kernels, and words for people.

The rules of a game are compiled functions over one row of a structured array, the *state* of a match. All chance is a
function of `state.deal` and the place in the match, so a row holds no generator that anybody could disturb.

A game is a folder with a class derived from `Game`. Its kernels take single rows; the table compiles loops over them.
They check nothing: whoever hands an action to `step` has asked `is_legal` first. `plain.py` is a second door, for games
that are ordinary Python classes.

Fields that every state row has:

| field | type | meaning |
|---|---|---|
| `deal` | `uint64` | the seed of all chance in the match |
| `seats` | `int8` | seats at the table |
| `to_move` | `int8` | the seat that decides now, or -1 when the match is over |
| `turn` | `int32` | turns finished so far |
| `truncated` | `int8` | 1 when a cap ended the match |

Beside them stand the game's own fields, its options among them under their own names, so that a row is complete in
itself. Every view row has `seat` and `seats`.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import repeat
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, TypeAlias

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from league.errors import ConfigError, IllegalActionError, unknown
from league.mistakes import mistake

if TYPE_CHECKING:
    from league.kernels import Row, Rows

Event: TypeAlias = dict[str, Any]
"""One line of a replay."""


class GameOptions(BaseModel):
    """The options of a game, named as on its rules page; each field has a default and a description."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Action(Protocol):
    """What a bot answers: a small frozen value whose `str` is its text form."""

    def __str__(self) -> str: ...


@dataclass(frozen=True)
class Kernels:
    """The compiled rules of a game, each over single rows.

    Attributes:
        start: `(state)`: from `deal`, `seats` and the options to the first decision.
        observe: `(state, view)`: fill the view of the seat to move; everything hidden from it stays out.
        legal: `(view, actions) -> count`: write the legal actions in ascending order, at most `Game.max_legal`; where
            there are more than anybody could list, some of them.
        is_legal: `(state, action) -> bool`: for any bytes whatever in `action`.
        may_happen: `(state, action) -> bool`: whether an action is legal, or one that the rules may impose on the seat
            and that nobody may answer.
        step: `(state, action)`: such an action, and all chance up to the next decision or the end.
        stand_in: `(state, action)`: write the safe action that plays on for a seat after a fault.
        result: `(state, scores, ranks)`: final, or as things stand; `int32[seats]` and `int8[seats]`.
        imagine: `(view, seed, state)`: a whole state that the view allows, hidden things and future chance from `seed`.
            A plain game that hides things raises ConfigError.
    """

    start: Callable[..., Any]
    observe: Callable[..., Any]
    legal: Callable[..., Any]
    is_legal: Callable[..., Any]
    may_happen: Callable[..., Any]
    step: Callable[..., Any]
    stand_in: Callable[..., Any]
    result: Callable[..., Any]
    imagine: Callable[..., Any]

    @classmethod
    def of(cls, rules: Any, **others: Callable[..., Any]) -> Kernels:
        """The functions that a module or an object has under these names, and those that are found elsewhere.

        Where nothing is ever imposed on a seat, only what is legal may happen.
        """
        others = {"may_happen": getattr(rules, "may_happen", rules.is_legal)} | others
        own = {each.name: getattr(rules, each.name) for each in fields(cls) if each.name not in others}
        return cls(**own, **others)


@dataclass(frozen=True)
class Frame:
    """One thing that happened at the table, and the state right after it."""

    event: Event
    state: Row


@dataclass(frozen=True)
class Measure:
    """Numbers of one kind that reports show for every bot.

    Attributes:
        title: What is measured.
        unit: Of what, with "mean" meant.
        parts: What a seat's numbers stand for, in order; more than one add up to a whole.
        count: `(events, seats) -> [seat][part]`, None where it did not happen.
    """

    title: str
    unit: str
    parts: tuple[str, ...]
    count: Callable[[Sequence[Event], int], list[list[float | None]]]


class Underneath(NamedTuple):
    """The tuple underneath a view; views borrow its attributes, for which no Python code is called.

    Attributes:
        data: Rows of several views.
        at: Where the view's own row starts.
    """

    data: bytes
    at: int


class Foreseen(NamedTuple):
    """The same with the legal actions, where it costs less to find those of many views at once.

    Attributes:
        data, at: As `Underneath` has them.
        legal: The legal actions.
    """

    data: bytes
    at: int
    legal: tuple[Any, ...]


Foreseen.legal.__doc__ = "The legal actions, in ascending order."


class SeatView(tuple[Any, ...]):
    """What one seat may see, decoded from bytes only where a bot looks.

    Games derive from it with a property for each of their words. The bytes are a copy, so a view is the bot's to keep.
    `Game.views` makes them. Underneath each is an `Underneath` or a `Foreseen`, for tuples are built without a call in
    Python, and there is a view for every decision.
    """

    __slots__ = ()
    game: ClassVar[Game]

    _data = Underneath.data
    _at = Underneath.at

    @property
    def seat(self) -> int:
        """The seat that looks and must decide."""
        return int(self.row["seat"])

    @property
    def seats(self) -> int:
        """How many seats are at the table."""
        return self.game.seats

    @property
    def options(self) -> GameOptions:
        """The options of the game being played."""
        return self.game.options

    @property
    def legal(self) -> tuple[Any, ...]:
        """The legal actions, in ascending order."""
        raise NotImplementedError  # pragma: no cover - each game has its own

    @property
    def row(self) -> Row:
        """The view as a row, for kernels; a copy that may not be written."""
        return np.frombuffer(self._data, self.game.view_dtype, 1, self._at)[0]

    def __repr__(self) -> str:
        words = (f"{word}={getattr(self, word)!r}" for word in self.game.view_words)
        return f"View({', '.join(words)})"


class Game(ABC):
    """A game with its seats and options chosen: what the table plays.

    Args:
        seats: Seats at the table.
        options: Values by option name; the rest keep their defaults.

    Raises:
        ConfigError: The game has no such seat count, option or value.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    version: ClassVar[int]
    """Raised whenever the same deal and actions could give another result."""
    seat_counts: ClassVar[range]
    hidden: ClassVar[bool]
    """Whether seats hold information that others must not see."""
    is_compiled: ClassVar[bool] = True
    """Whether numba compiles its kernels, and so can link compiled bots with them."""
    Options: ClassVar[type[GameOptions]]
    View: ClassVar[type[SeatView]]
    view_words: ClassVar[tuple[str, ...]]
    """The attributes of the view that every bot may count on, beside `options` and `legal`."""
    draw_probabilities: ClassVar[Mapping[int, float]]
    """By seat count: how likely two neighbours in the final order tie, as TrueSkill wants to know it."""

    measures: ClassVar[tuple[Measure, ...]] = ()
    """What reports count of a match beside scores and ranks."""

    state_dtype: np.dtype[Any]
    view_dtype: np.dtype[Any]
    action_dtype: np.dtype[Any]
    max_legal: int
    """The most actions that `Kernels.legal` writes."""
    options: GameOptions
    late: tuple[int, Action] | None = None
    """The game's own clock, if it has one: after how many milliseconds an answer is too late, and what the rules impose
    then, which is no fault."""

    def __init__(self, seats: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        self.seats = self.seat_counts[0] if seats is None else seats
        if self.seats not in self.seat_counts:
            raise ConfigError(f"game.seats = {self.seats}: {self.name} is for {self.span()} seats")
        self.options = self._validated(options or {})
        self.seat_view: type[SeatView] = type(
            self.View.__name__, (self.View,), {"__slots__": (), "game": self}
        )

    @classmethod
    def span(cls) -> str:
        """For how many seats it is: `2 to 7`, or `2`."""
        least, most = cls.seat_counts[0], cls.seat_counts[-1]
        return f"{least}" if least == most else f"{least} to {most}"

    def draw_probability(self, given: float | None) -> float:
        """What a league's `rating.draw_probability` gives, or the constant of the game and its seats."""
        return self.draw_probabilities[self.seats] if given is None else given

    def _validated(self, options: Mapping[str, Any]) -> GameOptions:
        try:
            return self.Options(**options)
        except ValidationError as error:
            raise ConfigError(explain_option(self, error)) from None

    @property
    @abstractmethod
    def kernels(self) -> Kernels:
        """The compiled rules; loads the compiler when first asked."""

    @abstractmethod
    def blank(self) -> Rows:
        """One state row that holds the seats and the options, and no match yet."""

    @abstractmethod
    def decode(self, action: Row) -> Action:
        """The value a bot would have answered for an action row."""

    @abstractmethod
    def encode(self, actions: list[Any], out: Rows) -> None:
        """Write the answers of bots as action rows, `out[i]` for `actions[i]`.

        Raises:
            TypeError: An answer is no action value of this game.
        """

    @abstractmethod
    def parse_action(self, text: str) -> Action:
        """Read an action's text form.

        Raises:
            NotationError: The text is no action of this game.
        """

    @abstractmethod
    def opening_frames(self, state: Row) -> Iterator[Frame]:
        """What happened from the start of the match to the first decision, `state` being at that decision."""

    @abstractmethod
    def frames(self, state: Row, action: Row) -> Iterator[Frame]:
        """What happens when `action` is taken in `state`, up to the next decision; `state` is left as it was."""

    @abstractmethod
    def why_illegal(self, state: Row, action: Row) -> str:
        """Say in one line why an action is not legal in a state."""

    @abstractmethod
    def draw_text(self, state: Row, seat: int | None = None) -> str:
        """The table as text: everything open, or only what `seat` sees."""

    @abstractmethod
    def draw_svg(self, state: Row, event: Event | None = None, seat: int | None = None) -> str:
        """The table as one `<svg>` element; what `event` changed is outlined."""

    def tell(self, event: Event, seat: int | None = None) -> str:
        """What happened, in words that follow the name of whoever did it: all of it, or only what `seat` may know.

        A game that hides anything has its own, which leaves out what is hidden from `seat`.
        """
        return tell_plainly(event)

    @cached_property
    def fingerprint(self) -> str:
        """A name for the compiled loops over this game's rows, another for every state of a plugin's code."""
        from league.kernels import digest_around

        module = sys.modules[type(self).__module__]
        return f"{self.name}_{self.version}{digest_around(getattr(module, '__file__', None) or '')}"

    def start(self, deal_seed: int) -> Rows:
        """One state row at the first decision of the match that a deal seed gives."""
        state = self.blank()
        state["deal"] = np.uint64(deal_seed)
        self.kernels.start(state[0])
        return state

    def view(self, state: Row) -> SeatView:
        """What the seat to move sees."""
        from league.kernels import rows

        view = rows(1, self.view_dtype)
        self.kernels.observe(state, view[0])
        return next(self.views(view))

    def views(self, found: Rows) -> Iterator[SeatView]:
        """A view for each view row."""
        data = found.tobytes()
        places = range(0, len(data), self.view_dtype.itemsize)
        return map(self.seat_view, zip(repeat(data), places))

    def action_row(self, action: Action) -> Row:
        """An action value as a row."""
        from league.kernels import rows

        row = rows(1, self.action_dtype)
        self.encode([action], row)
        return row[0]

    def play(self, state: Row, action: Action) -> None:
        """Take an action in a state: the door for people, with every check.

        Raises:
            IllegalActionError: The rules do not allow it here; the state is as before.
        """
        row = self.action_row(action)
        if state["to_move"] < 0:
            raise IllegalActionError(f"{action}: the match is over")
        if not self.kernels.is_legal(state, row):
            raise IllegalActionError(f"{action}: {self.why_illegal(state, row)}")
        self.kernels.step(state, row)

    def warm(self, state: Row) -> None:
        """Call, for nothing but to have them compiled, all kernels that bots call from Python, in copies of `state`.

        `state` is at a decision. A game with kernels for bots beside its `Kernels` adds those, with rows and numbers of
        the types that bots call them with.
        """
        from league.kernels import own, rows

        view, actions, spare = (
            rows(1, self.view_dtype)[0],
            rows(self.max_legal, self.action_dtype),
            own(state),
        )
        self.kernels.observe(state, view)
        self.kernels.legal(view, actions)
        self.kernels.imagine(view, np.uint64(0), spare)
        self.kernels.stand_in(spare, actions[0])
        if self.kernels.is_legal(spare, actions[0]):
            self.kernels.step(spare, actions[0])
        self.result(spare)
        seen = self.view(state)
        repr(seen)  # looks at every word
        self.action_row(seen.legal[0])

    def result(self, state: Row) -> tuple[list[int], list[int]]:
        """Scores and ranks by seat, final or as things stand."""
        scores, ranks = np.zeros(self.seats, np.int32), np.zeros(self.seats, np.int8)
        self.kernels.result(state, scores, ranks)
        return scores.tolist(), ranks.tolist()

    def standing(self, state: Row) -> list[int]:
        """How the seats stand in the middle of a match, to be drawn: their scores, or what tells more."""
        return self.result(state)[0]


def tell_plainly(event: Event) -> str:
    """An event of any game in words.

    >>> tell_plainly({"event": "take", "seat": 0, "tile": 25})
    'take: tile 25'
    """
    details = ", ".join(
        f"{key} {_plain(value)}" for key, value in event.items() if key not in ("event", "seat")
    )
    return f"{event['event']}: {details}" if details else str(event["event"])


def _plain(value: Any) -> str:
    return " ".join(map(_plain, value)) if isinstance(value, list) else "-" if value is None else str(value)


def explain_option(game: Game, error: ValidationError) -> str:
    """One line for the first thing wrong in a game's options."""
    first = error.errors()[0]
    key = str(first["loc"][0]) if first["loc"] else ""
    known = type(game).Options.model_fields
    if first["type"] == "extra_forbidden":
        return f"game.{key}: {unknown('option', key, {'name', 'seats', *known})}"
    return mistake(f"game.{key}" if key else f"game ({game.name})", first)

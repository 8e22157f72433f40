"""The plain door: a game written as an ordinary Python class, one object a match.

An author derives two classes: from `Match` the rules, from `PlainGame` the facts. Such a game plays, logs, replays and
reports as every other; it is as slow as its own Python, and numba compiles nothing for it.

`matches.py` has the rules' side, and how an object stands behind a row.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from html import escape
from operator import itemgetter
from random import Random
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from league.errors import NotationError
from league.games import Event, Frame, Game, GameOptions, Kernels, SeatView
from league.games.matches import Match, MatchRules, printable, shown

if TYPE_CHECKING:
    from league.kernels import Row, Rows

__all__ = ["Match", "PlainGame", "PlainView"]

WIDTH = 480
"""How wide a drawing is at least, so that letters are of one size."""

_LISTED = 8
"""Legal actions that are named to whoever took another."""


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


class PlainView(SeatView):
    """What a seat at a plain game sees: the game's words, and the legal actions as texts."""

    __slots__ = ()

    @property
    def legal(self) -> tuple[str, ...]:
        """The legal actions, in the order of their letters."""
        legal: tuple[str, ...] = self[2]
        return legal


class PlainGame(Game):
    """The facts of a plain game, as class attributes beside those that every game has.

    Attributes:
        match: The rules.
        words: What a seat sees: attributes of the view, each with its meaning.
        longest: Decisions after which a match is truncated.
        action_bytes: The longest text of an action, as UTF-8.
        view_bytes: The most that a view takes, its legal actions among it, as JSON.
    """

    is_compiled = False
    Options = GameOptions
    draw_probabilities: ClassVar[Mapping[int, float]] = dict.fromkeys(range(2, 128), 0.1)
    match: ClassVar[type[Match]]
    words: ClassVar[Mapping[str, str]]
    longest: int = 1000
    max_legal = 256
    action_bytes: int = 32
    view_bytes: int = 4096

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "words" in vars(cls):
            cls.view_words = tuple(cls.words)
            words = {word: _word(place, cls.words[word]) for place, word in enumerate(cls.words)}
            cls.View = type("View", (PlainView,), {"__slots__": (), "__doc__": cls.__doc__, **words})

    def __init__(self, seats: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        super().__init__(seats, options)
        self.lay_out()

    def begin(self, rng: Random) -> Match:
        """A match at its first decision."""
        return self.match(self.seats, self.options, rng)

    def lay_out(self) -> None:
        """Say how rows lie in memory, now that seats and options are known."""
        from league.kernels import uncompiled

        past = [("turn", "i4"), ("chosen", "u2", (self.longest,)), ("chance", "u8", (self.longest + 1,))]
        seen = [("seat", "i1"), ("seats", "i1"), ("length", "i4"), ("text", "u1", (self.view_bytes,))]
        whole = [("deal", "u8"), ("seats", "i1"), ("to_move", "i1"), ("truncated", "i1"), *past]
        self.state_dtype = uncompiled(np.dtype(whole, align=True))
        self.view_dtype = uncompiled(np.dtype(seen if self.hidden else [*seen, *past], align=True))
        self.action_dtype = uncompiled(np.dtype([("text", "u1", (self.action_bytes,))]))
        places: Mapping[str, Any] = np.dtype(self.view_dtype).fields or {}
        self._length_at, self._text_at = (places[field][1] for field in ("length", "text"))

    @cached_property
    def rules(self) -> MatchRules:
        """The match objects behind the rows."""
        return MatchRules(self)

    @cached_property
    def kernels(self) -> Kernels:
        """The rules as functions of rows, not compiled."""
        return Kernels.of(self.rules)

    def blank(self) -> Rows:
        """One state row with the seats; the options are the game's."""
        from league.kernels import rows

        state = rows(1, self.state_dtype)
        state["seats"] = self.seats
        return state

    def warm(self, state: Row) -> None:
        """Look once; there is nothing to compile."""
        self.action_row(self.view(state).legal[0])

    def packed(self, action: Any) -> bytes:
        """An action as the bytes of its row.

        Raises:
            TypeError: It is no text, or none that an action can have.
        """
        if not isinstance(action, str):
            raise TypeError(f"answered {type(action).__name__}, not a text")
        return _packed(action, self.action_bytes)

    def decode(self, action: Row) -> str:
        """An action row as its text."""
        return action.tobytes().rstrip(b"\0").decode()  # type: ignore[no-any-return]

    def encode(self, actions: list[Any], out: Rows) -> None:
        """Write texts as rows."""
        out.view(np.uint8)[:] = np.frombuffer(b"".join(map(self.packed, actions)), np.uint8)

    def parse_action(self, text: str) -> str:
        """Read an action, which is its text."""
        try:
            self.packed(text.strip())
        except TypeError as error:
            raise NotationError(str(error)) from None
        return text.strip()

    def read(self, view: bytes) -> tuple[list[Any], list[str]]:
        """The words and the legal actions in the bytes of a view row; nothing in a row that nobody wrote."""
        length = int.from_bytes(view[self._length_at : self._length_at + 4], "little")
        if not length:
            return [], []
        words, legal = json.loads(view[self._text_at : self._text_at + length])
        return words, legal

    def views(self, found: Rows) -> Iterator[SeatView]:
        """A view for each view row."""
        data, size = found.tobytes(), self.view_dtype.itemsize
        for at in range(0, len(data), size):
            words, legal = self.read(data[at : at + size])
            yield self.seat_view((data, at, tuple(legal), *map(_frozen, words)))

    def opening_frames(self, state: Row) -> Iterator[Frame]:
        """The start, and what chance brought before the first decision."""
        yield from self._frames({"event": "start"}, state)

    def frames(self, state: Row, action: Row) -> Iterator[Frame]:
        """The action, and what chance brought after it."""
        from league.kernels import own

        event = {"event": "play", "seat": int(state["to_move"]), "action": self.decode(action)}
        after = own(state)
        self.rules.step_beside(after, action)
        yield from self._frames(event, after)

    def _frames(self, event: Event, state: Row) -> Iterator[Frame]:
        from league.kernels import own

        yield Frame(event, own(state))
        for news in self.rules.match(state).news():
            yield Frame({"event": "chance", "news": news}, own(state))

    def why_illegal(self, state: Row, action: Row) -> str:
        """Name some of the actions that are legal."""
        legal = self.rules.moment(state).legal
        more = f" and {len(legal) - _LISTED} more" if len(legal) > _LISTED else ""
        return f"not among the legal actions: {', '.join(legal[:_LISTED])}{more}"

    def tell(self, event: Event, seat: int | None = None) -> str:
        """What happened, in words; where things are hidden, a seat hears only of its own actions."""
        if event["event"] == "play":
            return event["action"] if seat in (None, event["seat"]) or not self.hidden else "decides"
        if event["event"] == "chance":
            return event["news"] if seat is None or not self.hidden else "chance"
        return super().tell(event, seat)

    def draw_text(self, state: Row, seat: int | None = None) -> str:
        """The table as its match tells it; else, and for one seat, the words that are seen."""
        match = self.rules.match(state)
        if seat is None and (table := match.table()):
            return table
        if seat is None and self.hidden:
            seats = (f"seat {each}\n{self._sight(match, each)}" for each in range(self.seats))
            return "\n".join(seats)
        return self._sight(match, seat or 0)

    def _sight(self, match: Match, seat: int) -> str:
        seen = zip(self.words, match.view(seat), strict=True)
        return "\n".join(_told(word, shown(value)) for word, value in seen)

    def draw_svg(self, state: Row, event: Event | None = None, seat: int | None = None) -> str:
        """The same text as SVG, and what happened below it."""
        lines = self.draw_text(state, seat).split("\n")
        told = self.tell(event, seat) if event else ""
        width, height = max(WIDTH, max(map(len, [*lines, told])) * 9 + 16), 20 * len(lines) + 40
        drawn = "".join(
            f'<text x="8" y="{20 * place}" xml:space="preserve">{escape(printable(line))}</text>'
            for place, line in enumerate(lines, 1)
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" fill="currentColor" '
            f'font-family="ui-monospace,monospace" font-size="14"><title>{escape(self.title)}</title>{drawn}'
            f'<text x="8" y="{height - 14}" fill="var(--accent,#0a5a9c)">{escape(told)}</text></svg>'
        )


@lru_cache(1 << 16)
def _packed(action: str, size: int) -> bytes:
    text = action.encode(errors="replace")
    if not action.isprintable() or action != action.strip() or not 0 < len(text) <= size:
        raise TypeError(
            f"{action[:40]!r}: an action is one printable line of 1 to {size} bytes without space around it"
        )
    return text.ljust(size, b"\0")


def _told(word: str, value: str) -> str:
    return f"{word}:\n{value}" if "\n" in value else f"{word}: {value}"


def _word(place: int, meaning: str) -> property:
    return property(itemgetter(3 + place), doc=meaning)

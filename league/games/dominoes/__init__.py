"""Dominoes, All Fives (Sniff): match the ends, score the fives, go out first. RULES.md says how it is played.

A seat is asked only where it has a choice: a single legal placement, draws and passes go by themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from league.errors import ConfigError
from league.games import Event, Frame, Game, GameOptions, Kernels, SeatView
from league.games.dominoes.rows import ACTION, MOST_SEATS, most_legal, state_dtype, view_dtype
from league.games.dominoes.telling import POINTS, tell
from league.games.dominoes.tiles import (
    PACKED,
    PLACES,
    TILES,
    Move,
    Place,
    Tile,
    parse_place,
    tile_count,
    tiles_of,
)
from league.games.dominoes.view import View, views_of

if TYPE_CHECKING:
    from league.kernels import Row, Rows

__all__ = ["GAME", "Dominoes", "DominoesOptions", "Move", "Place", "Tile", "View"]

HIGHEST_PIP = {"double6": 6, "double12": 12}
"""By name of the set."""
USUAL_HANDS = {2: 7, 3: 6, 4: 5}
"""By seats: how many tiles each is dealt; 5 where more play."""


class DominoesOptions(GameOptions):
    """The options of dominoes."""

    set: Literal["double6", "double12"] = Field(
        "double6", description="the tiles, 28 or 91; more than four seats need double12 (DM-2)"
    )
    hand_size: int | None = Field(
        None,
        ge=1,
        le=45,
        description="tiles dealt to each seat; 7, 6, 5 for 2, 3, 4 seats and 5 for more if not set (DM-2)",
    )
    boneyard_reserve: Literal[0, 2] = Field(0, description="tiles of the boneyard that stay undrawn (DM-7)")
    bonus_unit: Literal["divided", "full"] = Field(
        "divided", description="whether the bonus is a fifth of the rounded pips or all of them (DM-9)"
    )
    bonus_rounding: Literal["nearest", "down"] = Field(
        "nearest", description="how the pips of the bonus are rounded to a multiple of five (DM-10)"
    )
    win_check: Literal["immediate", "hand_end"] = Field(
        "immediate",
        description="whether reaching the target ends the match at once or at the end of the hand (DM-11)",
    )
    target: int = Field(100, ge=1, le=1_000_000, description="points that win the match (DM-12)")
    max_hands: int = Field(
        100, ge=1, le=1_000_000, description="hands after which the match is truncated (DM-13)"
    )


class Dominoes(Game):
    """Dominoes for 2 to 10 seats."""

    name = "dominoes"
    title = "Dominoes (All Fives)"
    version = 1
    seat_counts = range(2, 11)
    hidden = True
    Options = DominoesOptions
    View = View
    view_words = (
        "hand",
        "spinner",
        "arms",
        "ends",
        "hand_sizes",
        "boneyard_size",
        "scores",
        "hand_number",
        "moves",
        "lacks",
    )
    draw_probabilities: ClassVar = {
        2: 0.001,
        3: 0.01,
        4: 0.02,
        5: 0.07,
        6: 0.10,
        7: 0.13,
        8: 0.17,
        9: 0.19,
        10: 0.23,
    }
    action_dtype = ACTION
    options: DominoesOptions
    measures: ClassVar = (POINTS,)

    def __init__(self, seats: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        super().__init__(seats, options)
        self.pips = HIGHEST_PIP[self.options.set]
        self.hand_size = self.options.hand_size or USUAL_HANDS.get(self.seats, 5)
        self._check_tiles()
        self.state_dtype = state_dtype(self.pips)
        self.view_dtype = view_dtype(self.pips)
        self.max_legal = most_legal(self.pips)
        self.offsets = {field: place[1] for field, place in (self.view_dtype.fields or {}).items()}

    def _check_tiles(self) -> None:
        """Refuse more seats or larger hands than the set has tiles for."""
        chosen, tiles = self.options.set, tile_count(self.pips)
        if self.seats > MOST_SEATS[self.pips]:
            raise ConfigError(
                f"game.set = '{chosen}': its {tiles} tiles are for 2 to {MOST_SEATS[self.pips]} seats, "
                f"not {self.seats}; choose set = 'double12'"
            )
        if self.seats * self.hand_size > tiles:
            raise ConfigError(
                f"game.hand_size = {self.hand_size}: {self.seats} seats can have "
                f"at most {tiles // self.seats} each of the {tiles} tiles of '{chosen}'"
            )

    @cached_property
    def kernels(self) -> Kernels:
        """The compiled rules."""
        from league.games.dominoes import kernels as rules
        from league.games.dominoes import sight

        return Kernels.of(rules, observe=sight.observe, legal=sight.legal, imagine=sight.imagine)

    def blank(self) -> Rows:
        """One state row with the seats and options."""
        from league.kernels import rows

        state, options = rows(1, self.state_dtype), self.options
        state["seats"] = self.seats
        state["set"] = self.pips
        state["hand_size"] = self.hand_size
        state["boneyard_reserve"] = options.boneyard_reserve
        state["bonus_unit"] = options.bonus_unit == "full"
        state["bonus_rounding"] = options.bonus_rounding == "down"
        state["win_check"] = options.win_check == "hand_end"
        state["target"] = options.target
        state["max_hands"] = options.max_hands
        return state

    def decode(self, action: Row) -> Place:
        """An action row as a `Place`."""
        return PLACES[int(action["tile"]) | int(action["arm"]) << 8]

    def encode(self, actions: list[Any], out: Rows) -> None:
        """Write `Place` values as rows."""
        try:
            packed = b"".join([PACKED[action] for action in actions])
        except (KeyError, TypeError):
            wrong = next(action for action in actions if not _is_place(action))
            raise TypeError(f"answered {str(wrong)[:40]!r}, not a Place of a tile on arm 0 to 3") from None
        out.view(np.uint8)[:] = np.frombuffer(packed, np.uint8)

    def views(self, found: Rows) -> Iterator[SeatView]:
        """A view for each view row."""
        return views_of(found, self.seat_view)

    def parse_action(self, text: str) -> Place:
        """Read `6-4@1`."""
        return parse_place(text)

    def opening_frames(self, state: Row) -> Iterator[Frame]:
        """The first deal, and all that went by itself up to the first decision."""
        from league.games.dominoes import kernels as rules

        now = self.blank()
        now["deal"] = state["deal"]
        rules.begin(now[0])
        yield from _go_on(now[0])

    def frames(self, state: Row, action: Row) -> Iterator[Frame]:
        """A placement and all that goes by itself after it."""
        from league.games.dominoes import kernels as rules
        from league.kernels import own

        now = own(state)
        rules.place(now, action["tile"], action["arm"])
        yield _played(now, state)
        yield from _go_on(now)

    def why_illegal(self, state: Row, action: Row) -> str:
        """Say what the rules have against an action."""
        place, seat = self.decode(action), int(state["to_move"])
        if place.tile.number not in tiles_of(state["hands"][seat]):
            return f"{place.tile} is not in the hand"
        arms = int(state["arms"])
        if place.arm > arms:
            return f"the arms are 0 to {arms - 1}, and {arms} opens the next"
        pip = int(state["arm_end"][place.arm] if place.arm < arms else state["spinner"])
        return f"arm {place.arm} asks for {pip}"

    def tell(self, event: Event, seat: int | None = None) -> str:
        """What happened, in words; what others draw is told only when all is open."""
        return tell(event, seat)

    def draw_text(self, state: Row, seat: int | None = None) -> str:
        """The layout by arm, the boneyard and the hands."""
        from league.games.dominoes.drawing import draw_text

        return draw_text(state, seat)

    def draw_svg(self, state: Row, event: Event | None = None, seat: int | None = None) -> str:
        """The layout from the spinner outwards, and the hands."""
        from league.games.dominoes.drawing import draw_svg

        return draw_svg(state, event, seat)


def _is_place(action: Any) -> bool:
    try:
        return action in PACKED
    except TypeError:
        return False


def _go_on(now: Row) -> Iterator[Frame]:
    """One frame for each thing that goes by itself."""
    from league.games.dominoes import kernels as rules
    from league.kernels import own

    tell = {rules.DEALT: _dealt, rules.DREW: _drew, rules.PLAYED: _played, rules.PASSED: _passed}
    tell[rules.SETTLED] = _settled
    before = own(now)
    while (happened := rules.proceed(now)) != rules.NOTHING:
        yield tell[happened](now, before)
        before = own(now)


def _frame(now: Row, event: Event) -> Frame:
    from league.kernels import own

    return Frame(event, own(now))


def _pair(tile: Any) -> list[int]:
    return list(TILES[int(tile)])


def _dealt(now: Row, before: Row) -> Frame:
    hands = [[_pair(tile) for tile in tiles_of(hand)] for hand in now["hands"][: now["seats"]]]
    boneyard = [_pair(tile) for tile in now["deck"][now["drawn"] : tile_count(int(now["set"]))]]
    return _frame(
        now, {"event": "deal", "hand": int(now["hand_number"]), "hands": hands, "boneyard": boneyard}
    )


def _drew(now: Row, before: Row) -> Frame:
    tile = _pair(now["deck"][before["drawn"]])
    return _frame(now, {"event": "draw", "seat": int(before["to_move"]), "tile": tile})


def _played(now: Row, before: Row) -> Frame:
    from league.games.dominoes import layout

    last = int(now["move_count"]) - 1
    seat, arm = int(now["move_seat"][last]), int(now["move_arm"][last])
    event = {
        "event": "play",
        "seat": seat,
        "tile": _pair(now["move_tile"][last]),
        "arm": None if arm < 0 else arm,
    }
    points = int(now["scores"][seat] - before["scores"][seat])
    return _frame(now, event | {"ends": int(layout.count(now)), "points": points})


def _passed(now: Row, before: Row) -> Frame:
    return _frame(now, {"event": "pass", "seat": int(before["to_move"])})


def _settled(now: Row, before: Row) -> Frame:
    from league.games.dominoes import kernels as rules

    winner = int(rules.hand_winner(now))
    out = winner >= 0 and not now["hand_sizes"][winner]
    event = {"event": "hand_over", "hand": int(now["hand_number"]), "reason": "out" if out else "blocked"}
    scores = now["scores"][: now["seats"]].tolist()
    bonus = sum(scores) - int(before["scores"].sum())
    return _frame(now, event | {"winner": winner if winner >= 0 else None, "bonus": bonus, "scores": scores})


GAME = Dominoes

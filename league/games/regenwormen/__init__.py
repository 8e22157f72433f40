"""Regenwormen (Pickomino): push your luck with eight dice, take and steal tiles. RULES.md has the rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from league.games import Event, Frame, Game, GameOptions, Kernels, SeatView
from league.games.regenwormen.rows import ACTION, DICE, FACES, STATE, STEAL, STOP, TAKE, TILES, VIEW, WORM
from league.games.regenwormen.telling import TURNS, tell
from league.games.regenwormen.view import (
    THEN,
    Keep,
    View,
    parse_keep,
    stack_of,
    tiles_of,
    views_of,
    worms,
)

if TYPE_CHECKING:
    from league.kernels import Row, Rows

__all__ = ["GAME", "Keep", "Regenwormen", "RegenwormenOptions", "View", "stack_of", "tiles_of", "worms"]


class RegenwormenOptions(GameOptions):
    """The options of Regenwormen."""

    flip_without_tile: bool = Field(
        True,
        description="whether a seat that fails without a tile also turns down the highest open one (RW-1)",
    )
    fast_variant: Literal["off", "on", "auto"] = Field(
        "off",
        description="whether a returned tile that is now the highest open one is turned down too; "
        "auto: from five seats on (RW-2)",
    )
    lower_choice: Literal["highest_below", "any_below"] = Field(
        "highest_below", description="which open tile a total takes when it takes from the row (RW-4)"
    )
    steal: Literal["optional", "forced"] = Field(
        "optional", description="whether a possible steal rules out the row (RW-5)"
    )
    stop_without_tile: Literal["illegal", "fail"] = Field(
        "illegal", description="whether a seat may stop, and fail, with nothing to take (RW-7)"
    )
    soft_landing: bool = Field(
        False, description="whether a failed turn only costs the tile and nothing is ever turned down (RW-14)"
    )
    max_turns: int = Field(
        1000, ge=1, le=1_000_000, description="turns after which the match is truncated (RW-15)"
    )


class Regenwormen(Game):
    """Regenwormen for 2 to 7 seats."""

    name = "regenwormen"
    title = "Regenwormen"
    version = 1
    seat_counts = range(2, 8)
    hidden = False
    Options = RegenwormenOptions
    View = View
    view_words = ("dice", "kept", "total", "dice_left", "open_tiles", "closed_tiles", "stacks", "turn")
    # Only seats without a tile tie. Measured: 3,000 matches for each seat count between the ten example bots, drawn
    # anew for every match; the standard errors are at most 0.003.
    draw_probabilities: ClassVar = {2: 0.006, 3: 0.036, 4: 0.091, 5: 0.155, 6: 0.209, 7: 0.262}
    state_dtype = STATE
    view_dtype = VIEW
    action_dtype = ACTION
    max_legal = FACES * (TILES + 3)
    options: RegenwormenOptions
    measures: ClassVar = (TURNS,)

    @cached_property
    def kernels(self) -> Kernels:
        """The compiled rules."""
        from league.games.regenwormen import kernels as rules

        return Kernels.of(rules)

    def blank(self) -> Rows:
        """One state row with the seats and options."""
        from league.kernels import rows

        state, options = rows(1, STATE), self.options
        state["seats"] = self.seats
        state["flip_without_tile"] = options.flip_without_tile
        state["fast_variant"] = options.fast_variant == "on" or (
            options.fast_variant == "auto" and self.seats >= 5
        )
        state["any_below"] = options.lower_choice == "any_below"
        state["forced_steal"] = options.steal == "forced"
        state["stop_can_fail"] = options.stop_without_tile == "fail"
        state["soft_landing"] = options.soft_landing
        state["max_turns"] = options.max_turns
        return state

    def decode(self, action: Row) -> Keep:
        """An action row as a `Keep`."""
        then = int(action["then"])
        if then < 0:
            raise ValueError(f"nothing follows a keep under number {then}")
        return Keep(int(action["face"]), THEN[then], int(action["tile"]))

    def encode(self, actions: list[Any], out: Rows) -> None:
        """Write `Keep` values as rows."""
        wrong = set(map(type, actions)) - {Keep}
        if wrong:
            raise TypeError(f"answered {', '.join(sorted(kind.__name__ for kind in wrong))}, not a Keep")
        packed = b"".join([action.packed for action in actions])
        out.view(np.uint8)[:] = np.frombuffer(packed, np.uint8)

    def views(self, found: Rows) -> Iterator[SeatView]:
        """A view for each view row."""
        return views_of(found, self.seat_view)

    def parse_action(self, text: str) -> Keep:
        """Read `W roll`, `4 take`, `5 steal`."""
        return parse_keep(text)

    def opening_frames(self, state: Row) -> Iterator[Frame]:
        """The first roll."""
        yield _rolled(state)

    def frames(self, state: Row, action: Row) -> Iterator[Frame]:
        """A keep, what it led to, and the next roll."""
        from league.games.regenwormen import kernels as rules
        from league.games.regenwormen import rolls
        from league.kernels import own

        now = own(state)
        rules.keep(now, action["face"])
        yield _kept(now, int(action["face"]))
        failed = action["then"] == STOP
        if action["then"] == TAKE:
            yield _took(now, int(action["tile"]))
        elif action["then"] == STEAL:
            yield _stole(now)
        elif failed or rules.is_over(now):
            yield _failed(now, "no_tile" if now["kept"][WORM - 1] else "no_worm")
        else:
            rolls.roll(now)
            yield _rolled(now)
            if rolls.has_new_face(now):
                return
            yield _failed(now, "no_new_face")
        rules.next_turn(now)
        if now["to_move"] >= 0:
            yield _rolled(now)

    def why_illegal(self, state: Row, action: Row) -> str:
        """Say what the rules have against an action."""
        from league.games.regenwormen import rolls

        face = int(action["face"])
        if not 1 <= face <= FACES or not state["dice"][face - 1]:
            return "that face was not rolled"
        if state["kept"][face - 1]:
            return "that face is kept already"
        bits = rolls.follow_ups(state, face)
        allowed = [then for place, then in enumerate(THEN) if bits >> place & 1]
        if THEN[action["then"]] not in allowed:
            return f"after this keep one may only {' or '.join(allowed)}"
        return "that tile is not to be had" if action["tile"] else "name the tile to take"

    def tell(self, event: Event, seat: int | None = None) -> str:
        """What happened, in words; nothing at the table is hidden."""
        return tell(event)

    def draw_text(self, state: Row, seat: int | None = None) -> str:
        """The row, the stacks and the dice, a line each."""
        from league.games.regenwormen.drawing import draw_text

        return draw_text(state)

    def draw_svg(self, state: Row, event: Event | None = None, seat: int | None = None) -> str:
        """The table as SVG; nothing at it is hidden."""
        from league.games.regenwormen.drawing import draw_svg

        return draw_svg(state, event)


def _frame(state: Row, event: Event) -> Frame:
    from league.kernels import own

    return Frame(event, own(state))


def _rolled(state: Row) -> Frame:
    from league.games.regenwormen import rolls

    faces = int(rolls.faces_of_roll(state)).to_bytes(DICE, "little")
    dice = [face + 1 for face in faces[: state["dice_left"]]]
    return _frame(state, {"event": "roll", "seat": int(state["to_move"]), "dice": dice})


def _kept(state: Row, face: int) -> Frame:
    count = int(state["dice"][face - 1])
    state["dice"] = 0
    event = {"event": "keep", "seat": int(state["to_move"]), "face": face, "count": count}
    return _frame(state, event | {"total": int(state["total"]), "dice_left": int(state["dice_left"])})


def _took(state: Row, tile: int) -> Frame:
    from league.games.regenwormen import kernels as rules

    rules.take(state, tile)
    seat = int(state["to_move"])
    return _frame(state, {"event": "take", "seat": seat, "tile": int(state["tops"][seat])})


def _stole(state: Row) -> Frame:
    from league.games.regenwormen import kernels as rules

    seat, victim = int(state["to_move"]), int(rules.owner_of_top(state, state["total"]))
    rules.steal(state)
    return _frame(state, {"event": "steal", "seat": seat, "tile": int(state["total"]), "from": victim})


def _failed(state: Row, reason: str) -> Frame:
    from league.games.regenwormen import kernels as rules

    returned = int(rules.give_back(state))
    turned = int(rules.turn_down(state, returned))
    event = {"event": "bust", "seat": int(state["to_move"]), "reason": reason}
    return _frame(state, event | {"returned": returned or None, "turned": turned or None})


GAME = Regenwormen

"""Positions of Regenwormen set up by hand, and what happens in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from league.games import Event
from league.games.regenwormen import Regenwormen, stack_of, tiles_of
from league.games.regenwormen.rolls import look_at_roll
from league.games.regenwormen.rows import DICE, FIRST_TILE, TILES
from league.kernels import Row, own

FACES = "12345W"
ALL = range(FIRST_TILE, FIRST_TILE + TILES)


def bits(tiles: Iterable[int]) -> int:
    """A set of tiles as a state holds it."""
    return sum(1 << (tile - FIRST_TILE) for tile in tiles)


def position(
    rolled: str,
    kept: str = "",
    row: Iterable[int] = ALL,
    stacks: Mapping[int, Iterable[int]] | None = None,
    seats: int = 2,
    **options: Any,
) -> tuple[Regenwormen, Row]:
    """Seat 0 to keep one of the dice `rolled`, such as `"WW2"`, after it kept others."""
    game = Regenwormen(seats, options)
    state = game.start(0)[0]
    set_dice(state, rolled, kept)
    put_tiles(state, row, stacks or {})
    look_at_roll(state)
    return game, state


def set_dice(state: Row, rolled: str, kept: str = "") -> None:
    """Put dice on the table as if they had been rolled and kept."""
    assert len(rolled) + len(kept) == DICE
    for face, name in enumerate(FACES):
        state["dice"][face] = rolled.count(name)
        state["kept"][face] = kept.count(name)
    state["total"] = sum(min(FACES.index(name) + 1, 5) for name in kept)
    state["dice_left"] = DICE - len(kept)
    state["faces_kept"] = len(set(kept))


def put_tiles(state: Row, row: Iterable[int], stacks: Mapping[int, Iterable[int]]) -> None:
    """Lay out the row and the stacks, top last; what lies nowhere is closed."""
    owned: set[int] = set()
    for seat, tiles in stacks.items():
        below = 0
        for tile in tiles:
            state["below"][tile - FIRST_TILE] = below
            state["tops"][seat] = below = tile
            owned.add(tile)
    state["open_tiles"] = bits(set(row) - owned)
    state["closed_tiles"] = bits(set(ALL) - set(row) - owned)


def legal(game: Regenwormen, state: Row) -> list[str]:
    """The legal actions as text."""
    return [str(action) for action in game.view(state).legal]


def play(game: Regenwormen, state: Row, text: str) -> tuple[Row, list[Event]]:
    """The state after an action, and its events up to the next roll."""
    action = game.parse_action(text)
    events = [frame.event for frame in game.frames(state, game.action_row(action))]
    after = own(state)
    game.play(after, action)
    return after, events


def row_of(state: Row) -> list[int]:
    """The open tiles."""
    return list(tiles_of(int(state["open_tiles"])))


def closed(state: Row) -> list[int]:
    """The closed tiles."""
    return list(tiles_of(int(state["closed_tiles"])))


def stacks_of(state: Row) -> list[tuple[int, ...]]:
    """Every seat's stack, top last."""
    return [stack_of(state, seat) for seat in range(state["seats"])]

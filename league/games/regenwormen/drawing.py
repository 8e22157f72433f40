"""The table of Regenwormen for people: as text and as SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.games.regenwormen.rows import FACES
from league.games.regenwormen.view import stack_of, tiles_of, worms

if TYPE_CHECKING:
    from league.kernels import Row

FACE_NAMES = "12345W"


def draw_text(state: Row) -> str:
    """The row, each stack with its worms, and the dice."""
    tiles = tiles_of(int(state["open_tiles"]))
    lines = ["row     " + (" ".join(str(tile) for tile in tiles) or "empty")]
    lines += [_stack_line(state, seat) for seat in range(state["seats"])]
    lines.append(f"rolled  {_dice(state['dice'])}")
    lines.append(f"kept    {_dice(state['kept'])} = {int(state['total'])}")
    return "\n".join(lines)


def _stack_line(state: Row, seat: int) -> str:
    stack = stack_of(state, seat)
    mark = "*" if seat == state["to_move"] else " "
    tiles = " ".join(str(tile) for tile in stack) or "-"
    return f"seat {seat}{mark} {tiles}  ({sum(worms(tile) for tile in stack)} worms)"


def _dice(counts: Row) -> str:
    return " ".join(FACE_NAMES[face] for face in range(FACES) for _ in range(int(counts[face]))) or "-"

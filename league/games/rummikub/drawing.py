"""The table of Rummikub for people: as text and as SVG.

Lengths in the SVG are tile widths. A tile is a `rect` with its number in its colour, and below it the colour's letter
as in `r7`, for those who do not tell the colours apart; a joker on the table shows a star over what it stands for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

from league.games.rummikub.notation import TILE_NAMES, TileSet, join_sets, set_tiles, tiles_of
from league.words import counted

if TYPE_CHECKING:
    from league.games import Event
    from league.kernels import Row

WIDTH = 22.0
"""Of the whole board."""
TILE_HEIGHT = 1.3
LINE = TILE_HEIGHT + 0.5
SET_GAP = 0.7
INK = {"k": "#1c1c1c", "r": "#c0261c", "b": "#1d5fae", "y": "#b06f00", "j": "#6b2fa0"}
FACE, BACK, LAID = "#f7f0dc", "#8a8478", "#2e9e57"


@dataclass(frozen=True)
class Piece:
    """A tile as it is drawn: its upper left corner, its text (empty from behind), and whether it is outlined."""

    left: float
    top: float
    tile: str
    is_changed: bool = False


def draw_text(state: Row, seat: int | None) -> str:
    """The table, the pool and the racks, a line each."""
    table = _table(state)
    number = min(int(state["rounds_over"]) + 1, int(state["rounds"]))
    lines = [f"round {number}   pool {int(state['pool_size'])}"]
    lines += [f"table   {join_sets(table) or 'empty'}"]
    lines += [_rack_line(state, other, seat) for other in range(state["seats"])]
    return "\n".join(lines)


def _table(state: Row) -> list[TileSet]:
    return [set_tiles(code) for code in state["sets"][: state["set_count"]].tolist()]


def _rack_line(state: Row, other: int, seat: int | None) -> str:
    mark = "*" if other == state["to_move"] else " "
    tiles = " ".join(_rack(state, other)) if seat in (None, other) else "hidden"
    opened = "" if state["opened"][other] else ", not opened"
    size, total = int(state["rack_sizes"][other]), int(state["totals"][other])
    points = counted(total, "point")
    return f"seat {other}{mark} {points:>11}, {counted(size, 'tile')}{opened}: {tiles or '-'}"


def _rack(state: Row, seat: int) -> tuple[str, ...]:
    return tiles_of(state["racks"][seat].tolist())


def draw_svg(state: Row, event: Event | None, seat: int | None) -> str:
    """The table's sets with the racks below; tiles that `event` laid or drew are outlined.

    Racks that `seat` does not see lie face down.
    """
    pieces = list(_table_pieces(_table(state), _laid(event)))
    bottom = max([LINE] + [piece.top + LINE for piece in pieces]) + 0.4
    labels: list[str] = []
    for other in range(state["seats"]):
        shown = _rack(state, other) if seat in (None, other) else ("",) * int(state["rack_sizes"][other])
        labels.append(_label(0.2, bottom + 0.5, _rack_title(state, other)))
        rack = list(_rack_pieces(shown, bottom + 0.7, _drawn(event, other)))
        pieces += rack
        bottom = max([bottom + 0.7] + [piece.top for piece in rack]) + LINE
    labels.append(_label(0.2, bottom + 0.4, f"pool: {counted(int(state['pool_size']), 'tile')}"))
    title = escape(draw_text(state, seat))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rummikub" role="img" '
        f'viewBox="0 0 {WIDTH:g} {bottom + 0.8:.4g}" width="100%" fill="currentColor" '
        f'font-family="system-ui, sans-serif"><title>{title}</title>'
        f"{''.join(map(_tile, pieces))}{''.join(labels)}</svg>"
    )


def _laid(event: Event | None) -> Counter[str]:
    """The tiles that an event laid on the table."""
    return Counter(event["played"]) if event and event["event"] == "play" else Counter()


def _drawn(event: Event | None, seat: int) -> Counter[str]:
    """The tiles that an event drew for a seat."""
    if event is None or event.get("seat") != seat:
        return Counter()
    tiles = event["tiles"] if event["event"] == "penalty" else [event.get("tile")]
    return Counter(tile for tile in tiles if tile in TILE_NAMES)


def _table_pieces(table: Iterable[TileSet], laid: Counter[str]) -> Iterator[Piece]:
    """Sets side by side, line after line; of equal tiles the last ones count as laid, for old sets come first."""
    left, top = 0.2, 0.2
    pieces: list[Piece] = []
    for tiles in table:
        if left > 0.2 and left + len(tiles) > WIDTH - 0.2:
            left, top = 0.2, top + LINE
        pieces += [Piece(left + place, top, tile) for place, tile in enumerate(tiles)]
        left += len(tiles) + SET_GAP
    for piece in reversed(pieces):
        name = "j" if piece.tile.startswith("j") else piece.tile
        changed = laid[name] > 0
        laid[name] -= changed
        yield Piece(piece.left, piece.top, piece.tile, changed)


def _rack_pieces(tiles: Iterable[str], top: float, drawn: Counter[str]) -> Iterator[Piece]:
    """Tiles of a rack, line after line."""
    a_line = int(WIDTH - 0.4)
    for place, tile in enumerate(tiles):
        changed = bool(tile) and drawn[tile] > 0
        drawn[tile] -= changed
        yield Piece(0.2 + place % a_line, top + LINE * (place // a_line), tile, changed)


def _rack_title(state: Row, seat: int) -> str:
    mark = "\u25b8 " if seat == state["to_move"] else ""
    opened = "" if state["opened"][seat] else ", not opened"
    size, total = int(state["rack_sizes"][seat]), int(state["totals"][seat])
    return f"{mark}seat {seat}: {counted(size, 'tile')}{opened}, {counted(total, 'point')}"


def _label(left: float, top: float, text: str) -> str:
    return f'<text x="{left:.4g}" y="{top:.4g}" font-size="0.55">{escape(text)}</text>'


@lru_cache(maxsize=10_000)
def _tile(piece: Piece) -> str:
    edge = (
        f' stroke="{LAID}" stroke-width="0.12"'
        if piece.is_changed
        else ' stroke="#00000040" stroke-width="0.03"'
    )
    kind = "changed" if piece.is_changed else "tile" if piece.tile else "back"
    rect = (
        f'<rect class="{kind}" x="{piece.left + 0.06:.4g}" y="{piece.top:.4g}" width="0.88" height="{TILE_HEIGHT}" '
        f'rx="0.12" fill="{FACE if piece.tile else BACK}"{edge}/>'
    )
    return rect + _face(piece)


def _face(piece: Piece) -> str:
    """The number over its colour's letter, or the star of a joker over what it stands for."""
    if not piece.tile:
        return ""
    middle, stands_for = piece.left + 0.5, piece.tile.removeprefix("j:")
    if not piece.tile.startswith("j"):
        number = _mark(middle, piece.top + 0.72, 0.58, piece.tile[0], piece.tile[1:])
        return number + _mark(middle, piece.top + 1.15, 0.36, piece.tile[0], piece.tile[0])
    star = _mark(middle, piece.top + 0.7, 0.7, "j", "\u2605")
    if stands_for == "j":
        return star
    return star + _mark(middle, piece.top + 1.15, 0.36, stands_for[0], stands_for)


def _mark(middle: float, base: float, size: float, ink: str, text: str) -> str:
    return (
        f'<text x="{middle:.4g}" y="{base:.4g}" font-size="{size}" font-weight="600" text-anchor="middle" '
        f'fill="{INK[ink]}">{text}</text>'
    )

"""The table of dominoes for people: as text and as SVG.

Lengths are in half tiles. The spinner stands upright in the middle; the arms leave it to the right, left, up and
down in the order in which they are opened, and each coils clockwise through a quarter of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from league.games.dominoes.tiles import DRAWN, SIDES, SPINNER, TILES, Tile, tile_count, tiles_of
from league.words import counted

if TYPE_CHECKING:
    from league.games import Event
    from league.kernels import Row

Point = tuple[float, float]

GAP = 0.08
"""Between neighbouring tiles."""
INNER = 2.2
"""How near a coil may come to the middle lines, where the other arms run."""
OUTER = {6: 8.5, 12: 14.5}
"""By highest pip: how far an arm runs before it turns."""
LEAST_WIDTH = 15.0
"""A board with few tiles is not drawn larger than this allows."""
TURNS = ((1, 0, 0, 1), (-1, 0, 0, -1), (0, 1, -1, 0), (0, -1, 1, 0))
"""By arm: the rotation that brings an arm to the right into its direction, row by row."""

_EDGE, _SIDE = 0.27, 0.115
PIPS: dict[int, list[Point]] = {
    0: [],
    1: [(0, 0)],
    2: [(-_EDGE, -_EDGE), (_EDGE, _EDGE)],
    4: [(x, y) for x in (-_EDGE, _EDGE) for y in (-_EDGE, _EDGE)],
    6: [(x, y) for x in (-_EDGE, 0, _EDGE) for y in (-_EDGE, _EDGE)],
    8: [(x, y) for x in (-_EDGE, 0, _EDGE) for y in (-_EDGE, 0, _EDGE) if x or y],
    10: [(x, y) for x in (-3 * _SIDE, -_SIDE, _SIDE, 3 * _SIDE) for y in (-_EDGE, _EDGE)]
    + [(-_SIDE, 0), (_SIDE, 0)],
    12: [(x, y) for x in (-3 * _SIDE, -_SIDE, _SIDE, 3 * _SIDE) for y in (-_EDGE, 0, _EDGE)],
}
"""By number: the pips of a half around its middle, for a tile that lies; odd numbers add the middle."""
PIPS |= {odd: [*PIPS[odd - 1], (0, 0)] for odd in (3, 5, 7, 9)}
PIPS[11] = [*PIPS[10], (0, 0)]


@dataclass(frozen=True)
class Piece:
    """A tile as it is drawn.

    Attributes:
        at: Its middle.
        along: The direction from its first half to its second.
        halves: Pips of the first and second half; None for a tile seen from behind.
        is_changed: Whether it is outlined.
    """

    at: Point
    along: Point
    halves: tuple[int, int] | None
    is_changed: bool = False

    @property
    def corner(self) -> Point:
        """Its upper left corner."""
        return self.at[0] - self.width / 2, self.at[1] - self.height / 2

    @property
    def width(self) -> float:
        """Its extent from left to right."""
        return 1 + abs(self.along[0])

    @property
    def height(self) -> float:
        """Its extent from top to bottom."""
        return 1 + abs(self.along[1])


def draw_text(state: Row, seat: int | None) -> str:
    """The layout arm by arm from the spinner outwards, the boneyard and the hands."""
    boneyard = tile_count(int(state["set"])) - int(state["drawn"])
    lines = [f"hand {int(state['hand_number']) + 1}   boneyard {boneyard}   count {_count(state)}"]
    spinner = int(state["spinner"])
    lines.append(f"spinner {spinner}-{spinner}" if spinner >= 0 else "nothing played yet")
    arms = arms_of(state)
    lines += [
        f"  @{arm} " + " ".join(f"{near}-{far}" for near, far in halves) for arm, halves in enumerate(arms)
    ]
    if spinner >= 0 and len(arms) < SIDES:
        lines.append(f"  @{len(arms)} free")
    lines += [_hand_line(state, other, seat) for other in range(state["seats"])]
    return "\n".join(lines)


def _hand_line(state: Row, other: int, seat: int | None) -> str:
    mark = "*" if _is_to_move(state, other) else " "
    tiles = hand_of(state, other) if seat in (None, other) else []
    shown = " ".join(map(str, tiles)) or "hidden"
    size = int(state["hand_sizes"][other])
    points = counted(int(state["scores"][other]), "point")
    return f"seat {other}{mark} {points:>11}, {counted(size, 'tile')}: {shown if size else '-'}"


def _is_to_move(state: Row, seat: int) -> bool:
    return bool(seat == state["to_move"] and state["hand_sizes"][seat])


def _count(state: Row) -> int:
    from league.games.dominoes import layout

    return int(layout.count(state)) if state["spinner"] >= 0 else 0


def hand_of(state: Row, seat: int) -> list[Tile]:
    """The tiles in a hand, ascending."""
    return [TILES[tile] for tile in tiles_of(state["hands"][seat])]


def arms_of(state: Row) -> list[list[tuple[int, int]]]:
    """The tiles of each arm from the spinner outwards, as inner and outer pips."""
    arms: list[list[tuple[int, int]]] = [[] for _ in range(state["arms"])]
    for move in range(state["move_count"]):
        arm = int(state["move_arm"][move])
        if arm >= 0:
            near = arms[arm][-1][1] if arms[arm] else int(state["spinner"])
            arms[arm].append((near, TILES[state["move_tile"][move]].pips - near))
    return arms


def draw_svg(state: Row, event: Event | None, seat: int | None) -> str:
    """The layout with the hands below it, in the colours of the page around it.

    What `event` changed is outlined; without an event, the tile played last. A tile is a `rect` of the class
    `tile`, `back` or `changed`.
    """
    board = list(_board(state, event))
    left, top, width, height = _box(board)
    rows, bottom = _hands(state, event, seat, left, top + height + 1, width)
    title = escape(draw_text(state, seat))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="dominoes" role="img" '
        f'viewBox="{left:.4g} {top:.4g} {width:.4g} {bottom - top:.4g}" width="100%" fill="currentColor" '
        f'font-family="system-ui, sans-serif" font-size="0.7"><title>{title}</title>'
        f"{''.join(map(_rect, board))}{''.join(rows)}{_pips(board)}</svg>"
    )


def _box(pieces: Iterable[Piece]) -> tuple[float, float, float, float]:
    """Left, top, width and height of the board with a margin, not smaller than a board of few tiles."""
    pieces = list(pieces)
    left = min([-LEAST_WIDTH / 2] + [piece.corner[0] - 0.5 for piece in pieces])
    right = max([LEAST_WIDTH / 2] + [piece.corner[0] + piece.width + 0.5 for piece in pieces])
    top = min([-2.0] + [piece.corner[1] - 0.5 for piece in pieces])
    bottom = max([2.0] + [piece.corner[1] + piece.height + 0.5 for piece in pieces])
    return left, top, right - left, bottom - top


def _board(state: Row, event: Event | None) -> Iterator[Piece]:
    """The spinner and the arms."""
    spinner = int(state["spinner"])
    if spinner < 0:
        return
    played = [arm for arm in state["move_arm"][: state["move_count"]].tolist() if arm != DRAWN]
    changed = played[-1] if event is None or event["event"] == "play" else None
    yield Piece((0, 0), (0, 1), (spinner, spinner), changed == SPINNER)
    for arm, halves in enumerate(arms_of(state)):
        start = 0.5 + GAP if arm < 2 else 1 + GAP
        places = list(_coil(halves, start, OUTER.get(int(state["set"]), OUTER[6])))
        for number, (at, along) in enumerate(places):
            is_last = number == len(places) - 1
            yield Piece(_turned(at, arm), _turned(along, arm), halves[number], arm == changed and is_last)


def _turned(point: Point, arm: int) -> Point:
    """A point or direction of an arm to the right, as it is for `arm`."""
    a, b, c, d = TURNS[arm]
    return a * point[0] + b * point[1], c * point[0] + d * point[1]


def _coil(halves: list[tuple[int, int]], start: float, outer: float) -> Iterator[tuple[Point, Point]]:
    """The middle and direction of each tile of an arm to the right; no turn begins with a double."""
    x, y = start, 0.0
    forth, heading, down = 1, (1, 0), False
    for near, far in halves:
        is_double = near == far
        length = 1 if is_double else 2
        room = outer - x if forth > 0 else x - INNER
        if not is_double and not down and length > room:
            x, y, down, heading = x + forth * (0.5 - GAP / 2), y - 0.5, True, (0, 1)
        elif not is_double and down:
            forth = -forth
            x, y, down, heading = x - forth * 0.5, y + 0.5 - GAP / 2, False, (forth, 0)
        at = x + heading[0] * length / 2, y + heading[1] * length / 2
        yield at, (heading[1], heading[0]) if is_double else heading
        x, y = x + heading[0] * (length + GAP), y + heading[1] * (length + GAP)


def _hands(
    state: Row, event: Event | None, seat: int | None, left: float, top: float, width: float
) -> tuple[list[str], float]:
    """The hands below the board, seat by seat, and where they end."""
    drawn: list[str] = []
    for other in range(state["seats"]):
        drawn.append(_label(state, other, left, top))
        pieces = list(_hand(state, event, other, seat in (None, other), left, top + 0.5, width))
        drawn += [_rect(piece) for piece in pieces] + [_pips(pieces)]
        top = max([top] + [piece.corner[1] + 2 for piece in pieces]) + 1.5
    return drawn, top - 0.8


def _label(state: Row, seat: int, left: float, top: float) -> str:
    mark = ", to move" if _is_to_move(state, seat) else ""
    weight = ' font-weight="bold"' if mark else ""
    text = f"Seat {seat}: {counted(int(state['scores'][seat]), 'point')}{mark}"
    return f'<text x="{left + 0.5:.4g}" y="{top:.4g}"{weight}>{text}</text>'


def _hand(
    state: Row, event: Event | None, seat: int, is_open: bool, left: float, top: float, width: float
) -> Iterator[Piece]:
    """The tiles of a hand in rows from the left, upright."""
    drawn = event["tile"] if event and event["event"] == "draw" and event["seat"] == seat else None
    in_row = int((width - 1) // 1.1)
    for number, tile in enumerate(hand_of(state, seat)):
        at = left + 1 + 1.1 * (number % in_row), top + 1 + 2.1 * (number // in_row)
        yield Piece(at, (0, 1), (tile.high, tile.low) if is_open else None, is_open and list(tile) == drawn)


def _rect(piece: Piece) -> str:
    """The body of a tile and the line between its halves."""
    x, y = piece.corner
    body = f'<rect x="{x:.4g}" y="{y:.4g}" width="{piece.width:.4g}" height="{piece.height:.4g}" rx="0.15"'
    if piece.halves is None:
        return f'{body} class="back" fill-opacity="0.3"/>'
    ink = 'class="tile" stroke="currentColor" stroke-width="0.06"'
    if piece.is_changed:
        ink = 'class="changed" stroke="#e8590c" stroke-width="0.18"'
    across = abs(piece.along[1]) * 0.38, abs(piece.along[0]) * 0.38
    start = f"M{piece.at[0] - across[0]:.4g} {piece.at[1] - across[1]:.4g}"
    line = f"{start}l{2 * across[0]:.4g} {2 * across[1]:.4g}"
    return f'{body} {ink} fill="none"/><path d="{line}" stroke="currentColor" stroke-width="0.04"/>'


def _pips(pieces: Iterable[Piece]) -> str:
    """All pips as one path of dots."""
    dots = "".join(f"M{x:.4g} {y:.4g}h0" for piece in pieces for x, y in _dots(piece))
    return f'<path d="{dots}" stroke="currentColor" stroke-width="0.19" stroke-linecap="round"/>'


def _dots(piece: Piece) -> Iterator[Point]:
    """The middle of every pip of a tile; they turn with it."""
    for half, pips in zip((-0.5, 0.5), piece.halves or (), strict=False):
        for x, y in PIPS[pips]:
            dot = (x, y) if piece.along[0] else (y, x)
            yield piece.at[0] + half * piece.along[0] + dot[0], piece.at[1] + half * piece.along[1] + dot[1]

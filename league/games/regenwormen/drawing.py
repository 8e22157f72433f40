"""The table of Regenwormen for people: as text and as SVG.

The drawing is 480 wide, so that it reads on a phone. Tiles and dice look the same on light and dark pages; letters take
the colour of the page, and what an event changed is outlined in its accent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from league.games.regenwormen.rows import FACES, FIRST_TILE, LAST_TILE, WORM
from league.games.regenwormen.telling import tell
from league.games.regenwormen.view import stack_of, tiles_of, worms
from league.words import counted

if TYPE_CHECKING:
    from league.games import Event
    from league.kernels import Row

FACE_NAMES = "12345W"

WIDTH, EDGE = 480, 8
TILE_WIDTH, TILE_HEIGHT, GAP = 54, 64, 4.57
PER_LINE = 8
ROW_TOP = 12
DICE_TOP = ROW_TOP + 2 * (TILE_HEIGHT + 8) + 10
DIE, DIE_STEP = 40, 47
STACKS_TOP = DICE_TOP + 2 * (DIE + 12) + 8
STACK_STEP = TILE_HEIGHT + 12
STACK_LEFT = 112
PEEK = 26
"""How much of a covered tile shows."""

PIPS = {1: "b2", 2: "a1 c3", 3: "a1 b2 c3", 4: "a1 a3 c1 c3", 5: "a1 a3 b2 c1 c3"}
"""By face: columns a to c and rows 1 to 3 of its pips."""

STYLE = """
.rw text{font:600 17px system-ui,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;fill:currentColor}
.rw .rw-small{font-size:14px;font-weight:400}
.rw .rw-tile{fill:#f7efd9;stroke:#a8946a}
.rw .rw-back{fill:#a08c63;stroke:#7c6a45}
.rw .rw-grain{stroke:#c3b085;stroke-width:2;fill:none}
.rw .rw-gone{fill:none;stroke:currentColor;stroke-opacity:.3;stroke-dasharray:4 4}
.rw .rw-number{font-size:21px;fill:#2d2415;text-anchor:middle}
.rw .rw-covered{font-size:16px;fill:#5d5138;text-anchor:middle}
.rw .rw-die{fill:#fdfcf8;stroke:#8d8d88}
.rw .rw-pips{stroke:#22262b;stroke-width:8;stroke-linecap:round;fill:none}
.rw .rw-worm{stroke:#bb4a2c;stroke-width:4.5;stroke-linecap:round;fill:none}
.rw .rw-new{fill:none;stroke:var(--accent,#0a5a9c);stroke-width:3.5}
.rw .rw-turn{fill:var(--accent,#0a5a9c)}
""".strip()


def draw_text(state: Row) -> str:
    """The row, each stack with its worms, and the dice."""
    tiles = tiles_of(int(state["open_tiles"]))
    lines = ["row     " + (" ".join(str(tile) for tile in tiles) or "empty")]
    lines += [_stack_line(state, seat) for seat in range(state["seats"])]
    lines.append(f"rolled  {_dice_words(state['dice'])}")
    lines.append(f"kept    {_dice_words(state['kept'])} = {int(state['total'])}")
    return "\n".join(lines)


def _stack_line(state: Row, seat: int) -> str:
    stack = stack_of(state, seat)
    mark = "*" if seat == state["to_move"] else " "
    tiles = " ".join(str(tile) for tile in stack) or "-"
    return f"seat {seat}{mark} {tiles}  ({worms_text(stack)})"


def _dice_words(counts: Row) -> str:
    return " ".join(FACE_NAMES[face - 1] for face in faces_of(counts)) or "-"


def faces_of(counts: Row) -> list[int]:
    """Dice given as counts by face, one by one."""
    return [face for face in range(1, FACES + 1) for _ in range(int(counts[face - 1]))]


def worms_text(stack: Sequence[int]) -> str:
    """The worms of a stack in words."""
    return counted(sum(map(worms, stack)), "worm")


def draw_svg(state: Row, event: Event | None = None) -> str:
    """The row of tiles, the dice and every seat's stack as one `<svg>`; what `event` changed is outlined."""
    event = event or {"event": "none"}
    height = STACKS_TOP + int(state["seats"]) * STACK_STEP
    title = f"Regenwormen, turn {int(state['turn']) + 1}"
    if "seat" in event:
        title += f": seat {event['seat']} {tell(event)}"
    parts = [*_row(state, event), *_dice(state, event), *_stacks(state, event)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rw" viewBox="0 0 {WIDTH} {height}" role="img">'
        f"<title>{title}</title><style>{STYLE}</style>{''.join(parts)}</svg>"
    )


def _row(state: Row, event: Event) -> Iterator[str]:
    """All sixteen places of the row: open tiles, closed ones face down, and the places of those that are owned."""
    open_tiles, closed = tiles_of(int(state["open_tiles"])), tiles_of(int(state["closed_tiles"]))
    for place, tile in enumerate(range(FIRST_TILE, LAST_TILE + 1)):
        left = EDGE + place % PER_LINE * (TILE_WIDTH + GAP)
        top = ROW_TOP + place // PER_LINE * (TILE_HEIGHT + 8)
        if tile in open_tiles:
            yield _tile(left, top, tile)
        elif tile in closed:
            yield _back(left, top)
        else:
            yield _box(left, top, TILE_WIDTH, TILE_HEIGHT, "rw-gone")
        if tile in (event.get("returned"), event.get("turned")) or _left_row(event, tile):
            yield _outline(left, top, TILE_WIDTH, TILE_HEIGHT)


def _left_row(event: Event, tile: int) -> bool:
    return bool(event["event"] == "take" and event["tile"] == tile)


def _dice(state: Row, event: Event) -> Iterator[str]:
    """The dice rolled and, below them, those kept with their total."""
    rolled, kept = faces_of(state["dice"]), faces_of(state["kept"])
    yield from _dice_line("rolled", rolled, DICE_TOP, range(7) if event["event"] == "roll" else ())
    changed = (event["face"],) if event["event"] == "keep" else ()
    yield from _dice_line(f"kept {int(state['total'])}", kept, DICE_TOP + DIE + 12, changed)


def _dice_line(label: str, faces: list[int], top: float, changed: Sequence[int]) -> Iterator[str]:
    yield _text(EDGE, top + DIE / 2 + 6, label)
    for place, face in enumerate(faces):
        left = 100 + place * DIE_STEP
        yield _die(left, top, face)
        if face in changed:
            yield _outline(left, top, DIE, DIE)


def _stacks(state: Row, event: Event) -> Iterator[str]:
    """A line for each seat: name, worms, and its tiles with the top one on the right."""
    for seat in range(int(state["seats"])):
        top = STACKS_TOP + seat * STACK_STEP
        stack = stack_of(state, seat)
        if seat == event.get("seat", state["to_move"]):
            yield f'<path class="rw-turn" d="M0 {top}h5v{TILE_HEIGHT}h-5z"/>'
        yield _text(EDGE + 4, top + 28, f"seat {seat}")
        yield _text(EDGE + 4, top + 48, worms_text(stack), "rw-small")
        yield from _stack(stack, top, _stack_changed(event, seat))


def _stack_changed(event: Event, seat: int) -> bool:
    """Whether a seat's stack has another top now."""
    gained = event["event"] in ("take", "steal") and event["seat"] == seat
    lost = event.get("from") == seat or (
        event["event"] == "bust" and event["returned"] and event["seat"] == seat
    )
    return gained or bool(lost)


def _stack(stack: Sequence[int], top: float, changed: bool) -> Iterator[str]:
    peek = min(PEEK, (WIDTH - STACK_LEFT - TILE_WIDTH - EDGE) / max(1, len(stack) - 1))
    for place, tile in enumerate(stack):
        left = STACK_LEFT + place * peek
        yield _tile(left, top, tile) if tile == stack[-1] else _covered(left, top, tile, peek)
    if not stack:
        yield _box(STACK_LEFT, top, TILE_WIDTH, TILE_HEIGHT, "rw-gone")
    if changed:
        yield _outline(STACK_LEFT + max(0, len(stack) - 1) * peek, top, TILE_WIDTH, TILE_HEIGHT)


@lru_cache(maxsize=2_000)
def _box(left: float, top: float, width: float, height: float, look: str) -> str:
    size = f'width="{width:g}" height="{height:g}"'
    return f'<rect class="{look}" x="{left:g}" y="{top:g}" {size} rx="7"/>'


def _outline(left: float, top: float, width: float, height: float) -> str:
    return _box(left - 2, top - 2, width + 4, height + 4, "rw-new")


def _text(left: float, base: float, text: str, look: str = "") -> str:
    chosen = f' class="{look}"' if look else ""
    return f'<text{chosen} x="{left:g}" y="{base:g}">{text}</text>'


@lru_cache(maxsize=2_000)
def _tile(left: float, top: float, tile: int) -> str:
    """A tile with its number above its worms."""
    middle, count = left + TILE_WIDTH / 2, worms(tile)
    lines = [count] if count < 3 else [count - 2, 2]
    base = top + (48 if len(lines) == 1 else 42)
    places = [
        (middle + (place - (on_line - 1) / 2) * 22, base + line * 12)
        for line, on_line in enumerate(lines)
        for place in range(on_line)
    ]
    number = _text(middle, top + 26, str(tile), "rw-number")
    return _box(left, top, TILE_WIDTH, TILE_HEIGHT, "rw-tile") + number + _worms(places, 1.15)


def _covered(left: float, top: float, tile: int, peek: float) -> str:
    """A tile of which only the left edge is seen."""
    number = _text(left + peek / 2, top + 26, str(tile), "rw-covered") if peek > 20 else ""
    return _box(left, top, TILE_WIDTH, TILE_HEIGHT, "rw-tile") + number


def _back(left: float, top: float) -> str:
    """A tile face down."""
    grain = "".join(f"M{left + 9:g} {top + line:g}h{TILE_WIDTH - 18}" for line in (14, 26, 38, 50))
    return _box(left, top, TILE_WIDTH, TILE_HEIGHT, "rw-back") + f'<path class="rw-grain" d="{grain}"/>'


@lru_cache(maxsize=2_000)
def _die(left: float, top: float, face: int) -> str:
    box = _box(left, top, DIE, DIE, "rw-die")
    if face == WORM:
        return box + _worms([(left + DIE / 2, top + DIE / 2)], 2.2)
    pips = "".join(
        f"M{left + DIE / 2 + (ord(pip[0]) - ord('b')) * 11:g} {top + DIE / 2 + (int(pip[1]) - 2) * 11:g}h0"
        for pip in PIPS[face].split()
    )
    return f'{box}<path class="rw-pips" d="{pips}"/>'


def _worms(places: Sequence[tuple[float, float]], size: float) -> str:
    """Wriggling worms around the given points."""
    bend = 4 * size
    worm = f"q{bend / 2:g} {-bend:g} {bend:g} 0t{bend:g} 0"
    path = "".join(f"M{x - bend:g} {y:g}{worm}" for x, y in places)
    return f'<path class="rw-worm" d="{path}"/>'

"""What a seat at Regenwormen sees and answers, in the game's own words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import repeat
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from league import games
from league.errors import NotationError
from league.games.regenwormen.rows import FACES, FIRST_TILE, TILES, VIEW

if TYPE_CHECKING:
    from league.kernels import Row, Rows

Then = Literal["roll", "take", "steal", "stop"]

THEN: tuple[Then, ...] = ("roll", "take", "steal", "stop")
"""What may follow a keep, by number."""

_TEXT = re.compile(r"([1-5W]) (roll|take|steal|stop)(?: (2[1-9]|3[0-6]))?")


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep all dice of one face, then roll on, take from the row, steal, or stop.

    Attributes:
        face: 1 to 6, the worm being 6.
        then: `"roll"`, `"take"`, `"steal"`, or `"stop"` where the options allow it.
        tile: The tile to take, only where `lower_choice` is `any_below`; else 0.
        count: How many dice it keeps; known for the actions of `view.legal`, no part of the action itself.
    """

    face: int
    then: Then
    tile: int = 0
    count: int = field(default=0, compare=False)
    packed: bytes = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.face not in range(1, 7) or self.then not in THEN or self.tile not in (0, *range(21, 37)):
            raise ValueError(f"no such keep: face {self.face!r}, then {self.then!r}, tile {self.tile!r}")
        object.__setattr__(self, "packed", bytes((self.face, THEN.index(self.then), self.tile)))

    @property
    def points(self) -> int:
        """What the kept dice count together."""
        return self.count * min(self.face, 5)

    def __str__(self) -> str:
        """The text form: `W roll`, `4 take`, `5 steal`, and `4 take 24` where the tile must be named."""
        tile = f" {self.tile}" if self.tile else ""
        return f"{'W' if self.face == 6 else self.face} {self.then}{tile}"


def parse_keep(text: str) -> Keep:
    """Read the text form of a keep.

    Raises:
        NotationError: The text is none.
    """
    match = _TEXT.fullmatch(text.strip())
    if match is None or (match[3] and match[2] != "take"):
        raise NotationError(
            f"'{text}' is no action of regenwormen: write a face and what follows, as in 'W roll' or '5 take'"
        )
    face = 6 if match[1] == "W" else int(match[1])
    return Keep(face, match[2], int(match[3] or 0))  # type: ignore[arg-type]


_SEAT, _ANY_BELOW, _LEGAL, _DICE, _KEPT, _TOTAL, _DICE_LEFT = (
    VIEW.fields[word][1]  # type: ignore[index]
    for word in ("seat", "any_below", "legal", "dice", "kept", "total", "dice_left")
)
_BEFORE_LEGAL = np.uint64(8 * _LEGAL)
"""Bits before `legal` in the first eight bytes of a view row, which end with it."""


class View(games.SeatView):
    """The table before a keep."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def legal(self) -> tuple[Keep, ...]:
            """The legal actions, by face, then `roll`, `take`, `steal`, `stop`."""

    else:
        legal = games.Foreseen.legal

    @property
    def seat(self) -> int:
        """The seat that decides."""
        return self._data[self._at + _SEAT]

    @property
    def dice(self) -> tuple[int, ...]:
        """The faces just rolled, ascending, the worm being 6."""
        counts = self._bytes(_DICE, FACES)
        return tuple(face for face in range(1, FACES + 1) for _ in range(counts[face - 1]))

    @property
    def kept(self) -> tuple[int, ...]:
        """Dice kept this turn by face, index 0 for face 1."""
        return tuple(self._bytes(_KEPT, FACES))

    @property
    def total(self) -> int:
        """What the kept dice count together."""
        return self._data[self._at + _TOTAL]

    @property
    def dice_left(self) -> int:
        """Dice not kept yet, those just rolled."""
        return self._data[self._at + _DICE_LEFT]

    def _bytes(self, offset: int, count: int) -> bytes:
        at = self._at + offset
        return self._data[at : at + count]

    @property
    def open_tiles(self) -> tuple[int, ...]:
        """The tiles that lie open in the row, ascending."""
        return tiles_of(int(self.row["open_tiles"]))

    @property
    def closed_tiles(self) -> tuple[int, ...]:
        """The tiles turned face down for good, ascending."""
        return tiles_of(int(self.row["closed_tiles"]))

    @property
    def stacks(self) -> tuple[tuple[int, ...], ...]:
        """Every seat's tiles, top last."""
        row = self.row
        return tuple(stack_of(row, seat) for seat in range(self.seats))

    @property
    def turn(self) -> int:
        """Turns finished so far."""
        return int(self.row["turn"])


def naming_tiles(view: View) -> tuple[Keep, ...]:
    """The legal keeps of a view, those that take from the row once for every tile that they may take."""
    named: list[Keep] = []
    for keep in view.legal:
        reach = view.total + keep.points
        if keep.then == "take":
            named += [Keep(keep.face, "take", tile, keep.count) for tile in view.open_tiles if tile <= reach]
        else:
            named.append(keep)
    return tuple(named)


def views_of(rows: Rows, view: Callable[[tuple[Any, ...]], Any]) -> Iterator[Any]:
    """A view for each row; their legal keeps are looked up in one go."""
    from league.games.regenwormen.keeps import KEEPS

    data, size = rows.tobytes(), VIEW.itemsize
    words = np.ndarray(len(rows), "<u8", data, 0, (size,)) >> _BEFORE_LEGAL
    views = map(view, zip(repeat(data), range(0, len(data), size), KEEPS.of(words), strict=False))
    if any(data[_ANY_BELOW : _ANY_BELOW + 1]):
        return (view((*seen[:2], naming_tiles(seen))) for seen in views)
    return views


@lru_cache(maxsize=1 << 16)
def tiles_of(bits: int) -> tuple[int, ...]:
    """The tiles of a set of bits, ascending."""
    return tuple(FIRST_TILE + place for place in range(TILES) if bits >> place & 1)


def worms(tile: int) -> int:
    """The worms on a tile."""
    return 1 + (tile - FIRST_TILE) // 4


def stack_of(row: Row, seat: int) -> tuple[int, ...]:
    """A seat's tiles, top last, from a state row or a view row."""
    tiles = []
    tile = int(row["tops"][seat])
    while tile:
        tiles.append(tile)
        tile = int(row["below"][tile - FIRST_TILE])
    return tuple(reversed(tiles))

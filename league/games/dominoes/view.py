"""What a seat sees of the game, decoded from the bytes of its view row only where a bot looks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import repeat
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np

from league.games import Foreseen, SeatView
from league.games.dominoes.tiles import DRAWN, MAX_PIPS, PLACES, SIDES, SPINNER, TILES, Move, Place, Tile

if TYPE_CHECKING:
    from league.games.dominoes import Dominoes, DominoesOptions
    from league.kernels import Row, Rows

Arms: TypeAlias = tuple[tuple[int, bool], ...]
"""By arm: its end's pip, and whether a double lies there."""

_PLACES = np.fromiter(map(PLACES.get, range(max(PLACES) + 1)), object)
"""The placements by the two bytes of their row."""
_TILE = TILES.__getitem__


class View(SeatView):
    """The table before a placement."""

    __slots__ = ()
    game: ClassVar[Dominoes]

    if TYPE_CHECKING:

        @property
        def legal(self) -> tuple[Place, ...]:
            """The legal placements, by tile, then arm."""

    else:
        legal = Foreseen.legal

    @property
    def options(self) -> DominoesOptions:
        """The options of the game being played."""
        return self.game.options

    @property
    def seat(self) -> int:
        """The seat that decides."""
        return self._data[self._at + 1]

    @property
    def hand(self) -> tuple[Tile, ...]:
        """The seat's own tiles, ascending."""
        return tuple(map(_TILE, self._bytes("hand", self.hand_sizes[self.seat])))

    @property
    def spinner(self) -> int:
        """The pip of the spinner, the double that opened the hand."""
        return self._bytes("spinner", 1)[0]

    @property
    def arms(self) -> Arms:
        """The end of each arm in order of opening: its outer pip, and whether a double lies there."""
        count = self._bytes("arms", 1)[0]
        doubles = map(bool, self._bytes("arm_double", count))
        return tuple(zip(self._bytes("arm_end", count), doubles, strict=True))

    @property
    def ends(self) -> int:
        """The count: the sum of the ends as they lie."""
        return _count(self.arms, self.spinner)

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """Tiles in hand, by seat."""
        return tuple(self._bytes("hand_sizes", self.seats))

    @property
    def boneyard_size(self) -> int:
        """Tiles in the boneyard, those that stay undrawn included."""
        return self._bytes("boneyard_size", 1)[0]

    @property
    def scores(self) -> tuple[int, ...]:
        """Points so far, by seat."""
        return tuple(self.row["scores"][: self.seats].tolist())

    @property
    def hand_number(self) -> int:
        """Which hand of the match it is, from 0."""
        return int(self.row["hand_number"])

    @property
    def moves(self) -> tuple[Move, ...]:
        """All that happened in this hand, in order."""
        return tuple(moves_of(self.row, self.seat))

    @property
    def lacks(self) -> tuple[tuple[int, ...], ...]:
        """By seat, the pips that no tile in hand has as far as draws and passes tell; () for the own seat."""
        from league.games.dominoes.sight import known_lacks
        from league.kernels import own

        sets = np.zeros(self.seats, np.int64)
        known_lacks(own(self.row), sets)
        return tuple(pips_of(int(pips)) for pips in sets)

    def arms_after(self, place: Place) -> Arms:
        """The ends of the arms as a legal placement would leave them."""
        return _extended(self.arms, self.spinner, place)

    def open_after(self, place: Place) -> frozenset[int]:
        """The pips that could be played on after a legal placement."""
        return frozenset(_open(self.arms_after(place), self.spinner))

    def count_after(self, place: Place) -> int:
        """The count that a legal placement would make."""
        return _count(self.arms_after(place), self.spinner)

    def points(self, place: Place) -> int:
        """What a legal placement would score now."""
        return _points(self.count_after(place))

    def reply(self, place: Place, tile: Tile) -> int | None:
        """The most that a tile could score right after a legal placement; None where it would not fit."""
        arms, spinner = self.arms_after(place), self.spinner
        fitting = [arm for arm, pip in enumerate(_open(arms, spinner)) if pip in tile]
        counts = [_count(_extended(arms, spinner, Place(tile, arm)), spinner) for arm in fitting]
        return max(map(_points, counts), default=None)

    def _bytes(self, field: str, count: int) -> bytes:
        at = self._at + self.game.offsets[field]
        return self._data[at : at + count]


def views_of(rows: Rows, view: Callable[[tuple[Any, ...]], Any]) -> Iterator[Any]:
    """A view for each row; the legal placements of all are looked up in one go, then dealt out by their counts."""
    from league.games.dominoes.sight import list_codes

    data, size, counts = rows.tobytes(), rows.dtype.itemsize, rows["legal_count"].tobytes()
    codes = np.empty(sum(counts), np.int64)
    list_codes(rows, codes)
    left = iter(_PLACES[codes].tolist())
    # An iterator zipped with itself gives its next few; a keyword would take as long as all else.
    takers = {kind: zip(*[left] * kind) for kind in set(counts)}  # noqa: B905
    legal = map(next, map(takers.__getitem__, counts))
    return map(view, zip(repeat(data), range(0, len(data), size), legal))


def _count(arms: Arms, spinner: int) -> int:
    """The sum of the ends; the spinner counts while it has at most one arm."""
    ends = sum(2 * end if is_double else end for end, is_double in arms)
    return ends + 2 * spinner if len(arms) < 2 else ends


def _points(count: int) -> int:
    return count if count % 5 == 0 else 0


def _open(arms: Arms, spinner: int) -> list[int]:
    """By arm, the pip to be matched; the spinner's on its next free side."""
    return [end for end, _ in arms] + [spinner] * (len(arms) < SIDES)


def _extended(arms: Arms, spinner: int, place: Place) -> Arms:
    """The arms with a tile added."""
    tile, arm = place
    joined = arms[arm][0] if arm < len(arms) else spinner
    return (*arms[:arm], (tile.pips - joined, tile.is_double), *arms[arm + 1 :])


@lru_cache(maxsize=1 << (MAX_PIPS + 1))
def pips_of(bits: int) -> tuple[int, ...]:
    """The pips of a set of bits, ascending."""
    return tuple(pip for pip in range(MAX_PIPS + 1) if bits >> pip & 1)


def moves_of(row: Row, to_move: int) -> Iterator[Move]:
    """The moves of the hand from a state row or a view row, with the passes up to the seat to move."""
    seats, count = int(row["seats"]), int(row["move_count"])
    turn: int | None = None
    spinner = -1
    arms: Arms = ()
    open_pips: tuple[int, ...] = ()
    told = (row[field][:count].tolist() for field in ("move_seat", "move_tile", "move_arm"))
    for seat, tile, arm in zip(*told, strict=True):
        yield from _passes(turn, seat, seats, open_pips)
        if arm == DRAWN:
            yield Move(seat, "draw", TILES[tile] if tile >= 0 else None, None, open_pips)
            turn = None if turn is None else seat
            continue
        yield Move(seat, "play", TILES[tile], None if arm == SPINNER else arm, open_pips)
        turn = (seat + 1) % seats
        if arm == SPINNER:
            spinner = TILES[tile].high
        else:
            arms = _extended(arms, spinner, PLACES[tile | arm << 8])
        open_pips = tuple(sorted({*_open(arms, spinner)}))
    yield from _passes(turn, to_move, seats, open_pips)


def _passes(turn: int | None, seat: int, seats: int, open_pips: tuple[int, ...]) -> Iterator[Move]:
    """The passes of the seats that were skipped from `turn` up to `seat`; None stands for nobody's turn."""
    while turn is not None and turn != seat:
        yield Move(turn, "pass", None, None, open_pips)
        turn = (turn + 1) % seats

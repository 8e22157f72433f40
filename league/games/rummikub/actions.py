"""What a seat may answer: draw, pass, or a whole new table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from league.errors import NotationError
from league.games.rummikub.notation import TileSet, join_sets, split_sets

KINDS = ("draw", "pass", "play", "penalty", "time_limit")
"""The kinds of actions by number."""


@dataclass(frozen=True, slots=True)
class Plain:
    """An action without tiles: `DRAW`, `PASS`, and the penalties, which only the rules impose.

    Attributes:
        kind: `"draw"`, `"pass"`, `"penalty"` or `"time_limit"`.
    """

    kind: str
    table: ClassVar[tuple[TileSet, ...]] = ()
    played: ClassVar[tuple[str, ...]] = ()

    def __str__(self) -> str:
        """The text form."""
        return self.kind


DRAW, PASS, PENALTY, TIME_LIMIT = Plain("draw"), Plain("pass"), Plain("penalty"), Plain("time_limit")


@dataclass(frozen=True, slots=True)
class Play:
    """Lay tiles from the rack so that the table becomes this one.

    Attributes:
        table: All sets of the new table, jokers with what they stand for: `(("r7", "r8", "j:r9"), ...)`.
        played: The rack tiles it lays; known for plays of `view.legal` and `solve`, no part of the play itself.
        value: The sum of the numbers laid, a joker counting as what it stands for; known likewise.
    """

    table: tuple[TileSet, ...]
    played: tuple[str, ...] = field(default=(), compare=False)
    value: int = field(default=0, compare=False)
    kind: ClassVar[str] = "play"

    def __str__(self) -> str:
        """The text form: tiles apart by spaces, sets by ` / `."""
        return join_sets(self.table)


def parse_action(text: str) -> Plain | Play:
    """Read `draw`, `pass`, or a table such as `r7 r8 j:r9 / k1 b1 y1`.

    Raises:
        NotationError: The text is no action.
    """
    word = text.strip()
    for plain in (DRAW, PASS, PENALTY, TIME_LIMIT):
        if word == plain.kind:
            return plain
    if not word:
        raise NotationError(
            "an empty text is no action of rummikub: write 'draw', 'pass' or the whole new table"
        )
    return Play(split_sets(word))

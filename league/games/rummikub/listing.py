"""The legal actions of a view as values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.games.rummikub.actions import KINDS, Plain, Play
from league.games.rummikub.kernels import legal
from league.games.rummikub.rows import ACTION, FULL, JOKER, MOST_CANDIDATES, PLAY, TILE_KINDS
from league.games.rummikub.solving import describe_play
from league.kernels import rows

if TYPE_CHECKING:
    from league.kernels import Row

NO_TILES = [0] * TILE_KINDS


def list_legal(view: Row) -> tuple[Plain | Play, ...]:
    """Draw or pass, then the candidate plays with the tiles they lay."""
    actions = rows(MOST_CANDIDATES + 2, ACTION)
    count = legal(view, actions)
    return tuple(_value(view, action) for action in actions[:count])


def _value(view: Row, action: Row) -> Plain | Play:
    if action["kind"] != PLAY:
        return Plain(KINDS[action["kind"]])
    old, new = view["sets"][: view["set_count"]].tolist(), action["sets"][: action["count"]].tolist()
    untouched = not view["opened"][view["seat"]] and view["after_opening"] != FULL
    return describe_play(new, old, int(view["rack"][JOKER]), NO_TILES, opening=untouched)

"""The legal actions of a view, and its best play, as values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from league.games.rummikub.actions import KINDS, Plain, Play
from league.games.rummikub.candidates import legal
from league.games.rummikub.rows import ACTION, FULL, MOST_CANDIDATES, PLAY, TILE_KINDS
from league.games.rummikub.solver import best_play
from league.games.rummikub.solving import Objective, describe_play, read_objective
from league.kernels import rows

if TYPE_CHECKING:
    from league.kernels import Row

NO_TILES = [0] * TILE_KINDS


def list_legal(view: Row) -> tuple[Plain | Play, ...]:
    """Draw or pass, then the candidate plays with the tiles they lay."""
    actions = rows(MOST_CANDIDATES + 2, ACTION)
    count = legal(view, actions)
    return tuple(_value(view, action) for action in actions[:count])


def best_of(view: Row, objective: Objective) -> Play | None:
    """The best play for the seat that looks, or None."""
    weights, by_number = read_objective(objective)
    action = rows(1, ACTION)[0]
    if not best_play(view, np.array(weights, np.int64), np.int64(by_number), action):
        return None
    return _play(view, action)


def _value(view: Row, action: Row) -> Plain | Play:
    if action["kind"] != PLAY:
        return Plain(KINDS[action["kind"]])
    return _play(view, action)


def _play(view: Row, action: Row) -> Play:
    old, new = view["sets"][: view["set_count"]].tolist(), action["sets"][: action["count"]].tolist()
    untouched = not view["opened"][view["seat"]] and view["after_opening"] != FULL
    return describe_play(new, old, NO_TILES, opening=untouched)

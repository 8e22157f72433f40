"""Why an action is not allowed, in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from league.games.rummikub import judging
from league.games.rummikub.notation import COLOURS, FAULTS, TILE_NAMES, set_tiles
from league.games.rummikub.problem import note_jokers
from league.games.rummikub.rows import MELD, MOST_SETS, SEQUENCE

if TYPE_CHECKING:
    from league.kernels import Row

_PLAIN = {
    judging.MALFORMED: "that is no table of at most 106 tiles",
    judging.MUST_PASS: "the pool is empty: pass instead",
    judging.MUST_DRAW: "the pool has tiles: draw instead",
    judging.NOT_DUE: "only the rules impose that",
    judging.NOTHING: "lay at least one tile from the rack",
}


def explain(state: Row, action: Row) -> str:
    """Say what is wrong, naming the set or tile."""
    fault, where = (int(part) for part in judging.judge(state, action))
    if fault == judging.MALFORMED and action["count"] > MOST_SETS:
        return f"a table has at most {MOST_SETS} sets"
    if fault in _PLAIN:
        return _PLAIN[fault]
    if fault == judging.NO_SET:
        return _not_a_set(int(action["sets"][where]), where)
    if fault == judging.MISSING:
        return f"{TILE_NAMES[where]} lay on the table and is missing"
    if fault == judging.NOT_ON_RACK:
        return f"{TILE_NAMES[where]} is on the new table more often than rack and table have it"
    if fault == judging.FREED:
        return _freed(state, where)
    if fault == judging.TOUCHED:
        old = " ".join(set_tiles(int(state["sets"][where])))
        return f"the set {old} must stay as it is until you have opened"
    return f"the sets of your own tiles are worth {where}, and opening takes {MELD}"


def _not_a_set(code: int, where: int) -> str:
    """Codes below 0 say what is wrong; above 0 it can only be a maths sequence where those do not count."""
    if code > 0 and code & 3 == SEQUENCE:
        return f"set {where + 1} is a sequence, which only counts in the maths variant"
    fault = FAULTS[-code] if -len(FAULTS) < code < 0 else "is no set"
    return f"set {where + 1} {fault}"


def _freed(state: Row, where: int) -> str:
    numbers, colours = np.full(2, -1, np.int64), np.zeros(2, np.int64)
    note_jokers(state["sets"][: state["set_count"]], numbers, colours)
    tiles = [f"{COLOURS[colour]}{numbers[where] + 1}" for colour in range(4) if colours[where] >> colour & 1]
    return f"the joker that stands for {' or '.join(tiles)} may only move when that tile lies in its place"

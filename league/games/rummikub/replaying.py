"""Replay events of Rummikub, each with the state right after it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from league.games import Event, Frame
from league.games.rummikub import kernels as rules
from league.games.rummikub.notation import TILE_NAMES, set_tiles, tiles_of
from league.games.rummikub.rows import MAX_SEATS, PASS, PLAY, TIME_LIMIT
from league.kernels import own

if TYPE_CHECKING:
    from league.kernels import Row


def _frame(state: Row, event: Event) -> Frame:
    return Frame(event, own(state))


def started(state: Row) -> Frame:
    """A round just dealt."""
    hands = [list(tiles_of(state["racks"][seat].tolist())) for seat in range(state["seats"])]
    pool = [TILE_NAMES[kind] for kind in reversed(state["pool"][: state["pool_size"]].tolist())]
    event = {"event": "start", "round": int(state["rounds_over"]), "first": int(state["first"])}
    return _frame(state, event | {"hands": hands, "pool": pool})


def frames(state: Row, action: Row) -> Iterator[Frame]:
    """What happens when `action` is taken in `state`, up to the next decision, which the last frame shows."""
    now = own(state)
    happened = list(_acted(now, action))
    over, winner = rules.is_round_over(now), rules.NOBODY
    if over:
        reason = "out" if rules.is_out(now) else "stuck"
        scores = np.zeros(MAX_SEATS, np.int64)
        rules.round_scores(now, scores)
        finished = int(now["rounds_over"])
        winner = int(rules.end_round(now))
        happened.append(_round_over(now, finished, reason, winner, scores[: now["seats"]].tolist()))
    rules.go_on(now, over, winner)
    if over and now["to_move"] >= 0:
        happened.append(started(now))
    else:
        happened[-1] = _frame(now, happened[-1].event)
    return iter(happened)


def _acted(now: Row, action: Row) -> Iterator[Frame]:
    """The turn itself: a play, a penalty, or one draw for each tile."""
    seat = int(now["to_move"])
    if action["kind"] == PLAY:
        yield _played(now, action)
    elif action["kind"] > PLAY:
        reason = "time_limit" if action["kind"] == TIME_LIMIT else "illegal"
        due = int(rules.tiles_due(now, action))
        tiles = [TILE_NAMES[rules.draw_tile(now, seat)] for _ in range(due)]
        rules.count_pass(now, action, due)
        yield _frame(now, {"event": "penalty", "seat": seat, "reason": reason, "tiles": tiles})
    else:
        yield from _drawn(now, action, seat)


def _drawn(now: Row, action: Row, seat: int) -> Iterator[Frame]:
    due = int(rules.tiles_due(now, action))
    rules.count_pass(now, action, due)
    if action["kind"] == PASS:
        yield _frame(now, {"event": "draw", "seat": seat, "tile": None})
    for _ in range(due):
        tile = TILE_NAMES[rules.draw_tile(now, seat)]
        yield _frame(now, {"event": "draw", "seat": seat, "tile": tile})


def _played(now: Row, action: Row) -> Frame:
    seat = int(now["to_move"])
    meld, before = not now["opened"][seat], now["racks"][seat].copy()
    rules.lay(now, action)
    played = list(tiles_of((before - now["racks"][seat]).tolist()))
    table = [list(set_tiles(code)) for code in now["sets"][: now["set_count"]].tolist()]
    return _frame(now, {"event": "play", "seat": seat, "played": played, "meld": meld, "table": table})


def _round_over(now: Row, finished: int, reason: str, winner: int, scores: list[int]) -> Frame:
    event = {"event": "round_over", "round": finished, "reason": reason}
    totals = now["totals"][: now["seats"]].tolist()
    return _frame(now, event | {"winner": None if winner < 0 else winner, "scores": scores, "totals": totals})

"""The rules of Rummikub as kernels over rows; RULES.md beside this file says them in words.

What an action may be is judged in `judging.py`; this file deals, lets actions happen and counts points.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.rummikub.judging import is_legal, may_happen
from league.games.rummikub.rows import (
    DRAW,
    HAND,
    JOKER,
    MAX_SEATS,
    MOST_SETS,
    PASS,
    PENALTY,
    PLAY,
    ROTATE,
    TILE_KINDS,
    TILES,
    WINNER,
)
from league.games.rummikub.sets import add_tiles
from league.kernels import Row, below, kernel, mix

__all__ = ["imagine", "is_legal", "may_happen", "observe", "result", "stand_in", "start", "step"]

_ROUND = 256
"""Places of chance that each round has: shuffling takes the first 106, the starter the last."""
_IMAGINED = np.uint64(1 << 40)
NOBODY = -1


@kernel
def shuffle(tiles: Any, count: Any, seed: Any, place: Any) -> None:
    """Shuffle the first tiles of an array by hashes of a seed and the places from `place` on."""
    for last in range(count - 1, 0, -1):
        other = below(mix(seed, place + np.uint64(last)), last + 1)
        tiles[last], tiles[other] = tiles[other], tiles[last]


@kernel
def draw_tile(state: Row, seat: Any) -> Any:
    """Move the next tile of the pool to a rack; returns its kind."""
    state.pool_size -= 1
    kind = state.pool[state.pool_size]
    state.pool[state.pool_size] = 0
    state.racks[seat, kind] += 1
    state.rack_sizes[seat] += 1
    return kind


@kernel
def choose_first(state: Row, winner: Any) -> Any:
    """Who begins the next round; `winner` is the last round's, or `NOBODY`."""
    if state.rounds_over > 0 and state.next_start == WINNER and winner != NOBODY:
        return winner
    if state.rounds_over > 0 and state.next_start >= ROTATE:
        return (state.first + 1) % state.seats
    return below(mix(state.deal, state.rounds_over * _ROUND + _ROUND - 1), state.seats)


@kernel
def clear_table(state: Row) -> None:
    """Take everything off table and racks."""
    state.set_count = state.passes = 0
    for place in range(MOST_SETS):
        state.sets[place] = 0
    for seat in range(MAX_SEATS):
        state.opened[seat] = state.rack_sizes[seat] = 0
        for kind in range(TILE_KINDS):
            state.racks[seat, kind] = 0


@kernel
def deal_round(state: Row, winner: Any) -> None:
    """Shuffle, deal 14 tiles to each seat, and say who begins."""
    clear_table(state)
    for tile in range(TILES):
        state.pool[tile] = tile // 2
    shuffle(state.pool, TILES, state.deal, np.uint64(state.rounds_over * _ROUND))
    state.pool_size = TILES
    for seat in range(state.seats):
        for _ in range(HAND):
            draw_tile(state, seat)
    state.first = choose_first(state, winner)
    state.to_move = state.first


@kernel
def start(state: Row) -> None:
    """No points, and the first round dealt."""
    state.turn = state.truncated = state.rounds_over = state.first = 0
    for seat in range(MAX_SEATS):
        state.totals[seat] = state.won[seat] = state.stood_in[seat] = 0
    deal_round(state, NOBODY)


@kernel
def lay(state: Row, action: Row) -> None:
    """Make the table that a play shows, with tiles from the rack of the seat to move."""
    change = np.zeros(TILE_KINDS, np.int64)
    for place in range(state.set_count):
        add_tiles(np.int64(state.sets[place]), change, -1)
    for place in range(action.count):
        add_tiles(np.int64(action.sets[place]), change, 1)
    for kind in range(TILE_KINDS):
        state.racks[state.to_move, kind] -= change[kind]
        state.rack_sizes[state.to_move] -= change[kind]
    for place in range(MOST_SETS):
        state.sets[place] = action.sets[place]
    state.set_count = action.count
    state.opened[state.to_move] = 1
    state.passes = 0


@kernel
def tiles_due(state: Row, action: Row) -> Any:
    """How many tiles an action draws, as far as the pool has them."""
    if action.kind == DRAW:
        return min(state.draw_count, state.pool_size)
    return min(state.penalty_tiles, state.pool_size) if action.kind >= PENALTY else 0


@kernel
def count_pass(state: Row, action: Row, drawn: Any) -> None:
    """Count passes in a row; a penalty from an empty pool is one, for nothing happens."""
    if action.kind == PENALTY:
        state.stood_in[state.to_move] = 1
    if action.kind != PLAY:
        state.passes = 0 if drawn > 0 else state.passes + 1


@kernel
def act(state: Row, action: Row) -> None:
    """Let an action happen, short of what ends with it."""
    if action.kind == PLAY:
        lay(state, action)
        return
    due = tiles_due(state, action)
    for _ in range(due):
        draw_tile(state, state.to_move)
    count_pass(state, action, due)


@kernel
def is_out(state: Row) -> Any:
    """Whether the seat to move has no tile left."""
    return state.rack_sizes[state.to_move] == 0


@kernel
def is_round_over(state: Row) -> Any:
    """Whether a seat is out, or all have passed in a row."""
    return is_out(state) or state.passes >= state.seats


@kernel
def rack_total(state: Row, seat: Any) -> Any:
    """The numbers on a rack, jokers as the options count them."""
    total = state.racks[seat, JOKER] * np.int64(state.joker_penalty)
    for kind in range(JOKER):
        total += state.racks[seat, kind] * np.int64(kind % 13 + 1)
    return total


@kernel
def round_scores(state: Row, scores: Any) -> Any:
    """Write the points of a finished round, `int64[4]`; returns its winner, or `NOBODY` when lowest racks tie."""
    lowest, lows, pot, winner = np.int64(1 << 30), 0, np.int64(0), NOBODY
    for seat in range(state.seats):
        scores[seat] = rack_total(state, seat)
        if scores[seat] < lowest:
            lowest, lows, winner = scores[seat], 0, seat
        lows += scores[seat] == lowest
    kept = np.int64(0) if is_out(state) or state.blocked_full else lowest
    for seat in range(state.seats):
        if scores[seat] > lowest:
            pot += scores[seat] - kept
    for seat in range(state.seats):
        scores[seat] = pot // lows if scores[seat] == lowest else kept - scores[seat]
    return winner if lows == 1 else NOBODY


@kernel
def end_round(state: Row) -> Any:
    """Add the points of the round; returns its winner, or `NOBODY`."""
    scores = np.zeros(MAX_SEATS, np.int64)
    winner = round_scores(state, scores)
    for seat in range(state.seats):
        state.totals[seat] += scores[seat]
    if winner != NOBODY:
        state.won[winner] += 1
    state.rounds_over += 1
    return winner


@kernel
def go_on(state: Row, over: Any, winner: Any) -> None:
    """After a turn: the next seat, the next round, or the end."""
    state.turn += 1
    if state.rounds_over >= state.rounds:
        state.to_move = -1
    elif state.turn >= state.max_turns:
        state.to_move = -1
        state.truncated = 1
    elif over:
        deal_round(state, winner)
    else:
        state.to_move = (state.to_move + 1) % state.seats


@kernel
def step(state: Row, action: Row) -> None:
    """Let an action happen, and all that follows from it up to the next decision."""
    act(state, action)
    over = is_round_over(state)
    winner = end_round(state) if over else NOBODY
    go_on(state, over, winner)


@kernel
def stand_in(state: Row, action: Row) -> None:
    """After a fault: the penalty of RK-15 the first time in a match, else a draw or a pass."""
    action.count = action.unplaced = 0
    for place in range(MOST_SETS):
        action.sets[place] = 0
    action.kind = PASS if state.pool_size == 0 else DRAW
    if not state.stood_in[state.to_move] and not state.illegal_draws:
        action.kind = PENALTY


@kernel
def result(state: Row, scores: Any, ranks: Any) -> None:
    """Points, or rounds won where the options say so; then points part seats with as many rounds."""
    keys = np.zeros(MAX_SEATS, np.int64)
    for seat in range(state.seats):
        keys[seat] = state.totals[seat]
        scores[seat] = state.totals[seat]
        if state.by_rounds_won:
            keys[seat] += np.int64(state.won[seat]) << 40
            scores[seat] = state.won[seat]
    for seat in range(state.seats):
        ranks[seat] = 0
        for other in range(state.seats):
            if keys[other] > keys[seat]:
                ranks[seat] += np.int8(1)


@kernel
def copy_options(source: Row, target: Row) -> None:
    """Copy the options."""
    target.next_start, target.after_opening = source.next_start, source.after_opening
    target.draw_count, target.joker_policy = source.draw_count, source.joker_policy
    target.time_limited, target.penalty_tiles = source.time_limited, source.penalty_tiles
    target.illegal_draws, target.blocked_full = source.illegal_draws, source.blocked_full
    target.joker_penalty, target.rounds = source.joker_penalty, source.rounds
    target.by_rounds_won, target.maths = source.by_rounds_won, source.maths
    target.max_turns = source.max_turns


@kernel
def copy_shared(source: Row, target: Row) -> None:
    """Copy what all seats see."""
    target.seats, target.set_count, target.pool_size = source.seats, source.set_count, source.pool_size
    target.passes, target.first, target.rounds_over, target.turn = (
        source.passes,
        source.first,
        source.rounds_over,
        source.turn,
    )
    for place in range(MOST_SETS):
        target.sets[place] = source.sets[place]
    for seat in range(MAX_SEATS):
        target.rack_sizes[seat], target.opened[seat] = source.rack_sizes[seat], source.opened[seat]
        target.stood_in[seat], target.totals[seat] = source.stood_in[seat], source.totals[seat]
        target.won[seat] = source.won[seat]
    copy_options(source, target)


@kernel
def observe(state: Row, view: Row) -> None:
    """What the seat to move sees: its rack, and of the others how many tiles they have."""
    copy_shared(state, view)
    view.seat = state.to_move
    for kind in range(TILE_KINDS):
        view.rack[kind] = state.racks[state.to_move, kind]


@kernel
def count_unseen(view: Row, unseen: Any) -> None:
    """Count the tiles that are neither on the table nor on the viewer's rack, `[53]`."""
    for kind in range(TILE_KINDS):
        unseen[kind] = 2 - view.rack[kind]
    for place in range(view.set_count):
        add_tiles(np.int64(view.sets[place]), unseen, -1)


@kernel
def imagine(view: Row, seed: Any, state: Row) -> None:
    """A state behind a view: the unseen tiles shuffled over the other racks and the pool."""
    copy_shared(view, state)
    state.deal, state.to_move, state.truncated = seed, view.seat, 0
    unseen, tiles, count = np.zeros(TILE_KINDS, np.int64), np.zeros(TILES, np.int64), 0
    count_unseen(view, unseen)
    for kind in range(TILE_KINDS):
        for _ in range(unseen[kind]):
            tiles[count] = kind
            count += 1
    shuffle(tiles, count, seed, _IMAGINED)
    for seat in range(MAX_SEATS):
        for kind in range(TILE_KINDS):
            state.racks[seat, kind] = view.rack[kind] if seat == view.seat else 0
        if seat != view.seat and seat < view.seats:
            for _ in range(view.rack_sizes[seat]):
                count -= 1
                state.racks[seat, tiles[count]] += 1
    for place in range(TILES):
        state.pool[place] = tiles[place] if place < count else 0

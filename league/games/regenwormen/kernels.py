"""The rules of Regenwormen as kernels over rows; RULES.md beside this file says them in words.

Faces are 1 to 6, the worm being 6; `dice` and `kept` count dice by face with index 0 for face 1. Tiles 21 to
36 are bits 0 to 15 of `open_tiles` and `closed_tiles`. A stack is a chain: `tops[seat]` is its top tile,
`below[tile - 21]` the tile under a tile, 0 where there is none.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.regenwormen.rolls import follow_ups, has_new_face, packed, roll, unpack
from league.games.regenwormen.rows import (
    ALL_TILES,
    DICE,
    FACES,
    FIRST_TILE,
    LAST_TILE,
    MAX_SEATS,
    ROLL,
    STEAL,
    STOP,
    TAKE,
    TILES,
)
from league.games.regenwormen.tiles import bit_of, has_tile, highest, value, worms
from league.kernels import Row, kernel

_HALF = TILES // 2


@kernel
def owner_of_top(table: Row, tile: Any) -> Any:
    """The seat whose top tile this is, or -1."""
    for seat in range(table.seats):
        if table.tops[seat] == tile:
            return seat
    return -1


@kernel
def can_steal(table: Row, seat: Any, total: Any) -> Any:
    """Whether another seat's top tile is exactly `total`."""
    owner = owner_of_top(table, total)
    return (owner >= 0) & (owner != seat)


@kernel
def start_turn(state: Row) -> None:
    """Clear the dice for the seat to move and roll all eight; the first roll always has a new face."""
    for face in range(FACES):
        state.kept[face] = 0
    state.total = 0
    state.dice_left = DICE
    state.faces_kept = 0
    roll(state)


@kernel
def end_turn(state: Row) -> None:
    """Count the turn; end the match when the row is empty or the cap is reached, else move on by one seat."""
    state.turn += 1
    if state.open_tiles == 0:
        state.to_move = -1
    elif state.turn >= state.max_turns:
        state.to_move = -1
        state.truncated = 1
    else:
        seat = state.to_move + 1
        state.to_move = seat if seat < state.seats else 0


@kernel
def next_turn(state: Row) -> None:
    """End the turn and, unless the match is over, start the next."""
    end_turn(state)
    if state.to_move >= 0:
        start_turn(state)


@kernel
def keep(state: Row, face: Any) -> None:
    """Put all dice of a face aside."""
    count = state.dice[face - 1]
    state.kept[face - 1] = count
    state.total += count * value(face)
    state.dice_left -= count
    state.faces_kept += 1


@kernel
def is_over(table: Row) -> Any:
    """Whether the turn must end: all dice or all faces are kept."""
    return table.dice_left == 0 or table.faces_kept == FACES


@kernel
def push(state: Row, seat: Any, tile: Any) -> None:
    """Put a tile on top of a seat's stack."""
    covered = state.tops[seat]
    state.below[tile - FIRST_TILE] = covered
    state.tops[seat] = tile


@kernel
def pop(state: Row, seat: Any) -> Any:
    """Take the top tile off a seat's stack; 0 where there is none."""
    tile = state.tops[seat]
    if tile > 0:
        bared = state.below[tile - FIRST_TILE]
        state.tops[seat] = bared
        state.below[tile - FIRST_TILE] = 0
    return tile


@kernel
def take(state: Row, tile: Any) -> None:
    """Take an open tile, the highest up to the total unless one is named."""
    if tile == 0:
        tile = highest(state.open_tiles, state.total)
    state.open_tiles &= ALL_TILES & ~bit_of(tile)
    push(state, state.to_move, tile)


@kernel
def steal(state: Row) -> None:
    """Take the tile that equals the total from the stack it tops."""
    push(state, state.to_move, pop(state, owner_of_top(state, state.total)))


@kernel
def give_back(state: Row) -> Any:
    """Return the top tile of the seat to move to the row; 0 where it has none."""
    tile = pop(state, state.to_move)
    if tile > 0:
        state.open_tiles |= bit_of(tile)
    return tile


@kernel
def turn_down(state: Row, returned: Any) -> Any:
    """Turn the highest open tile face down after a failure, where the options ask for it; 0 where none is."""
    tile = highest(state.open_tiles, LAST_TILE)
    if state.soft_landing or tile == 0:
        return 0
    if returned == 0 and not state.flip_without_tile:
        return 0
    if returned == tile and not state.fast_variant:
        return 0
    state.open_tiles &= ALL_TILES & ~bit_of(tile)
    state.closed_tiles |= bit_of(tile)
    return tile


@kernel
def bust(state: Row) -> None:
    """The turn fails."""
    turn_down(state, give_back(state))


@kernel
def start(state: Row) -> None:
    """All tiles open, no stacks, seat 0 to roll."""
    state.to_move = 0
    state.turn = 0
    state.truncated = 0
    state.open_tiles = ALL_TILES
    state.closed_tiles = 0
    for seat in range(MAX_SEATS):
        state.tops[seat] = 0
    for tile in range(TILES):
        state.below[tile] = 0
    start_turn(state)


@kernel
def _copy(source: Any, target: Any, first: Any, end: Any) -> None:
    """Copy at most eight small numbers of an array at a stroke: the compiler takes their bytes together."""
    unpack(packed(source, first, end), target, first, end)


@kernel
def copy_table(source: Row, target: Row) -> None:
    """Copy what states and views share; nothing of it is hidden."""
    _copy(source.legal, target.legal, 0, FACES)
    _copy(source.dice, target.dice, 0, FACES)
    _copy(source.kept, target.kept, 0, FACES)
    target.total = source.total
    target.dice_left = source.dice_left
    target.faces_kept = source.faces_kept
    target.seats = source.seats
    target.open_tiles = source.open_tiles
    target.closed_tiles = source.closed_tiles
    _copy(source.tops, target.tops, 0, MAX_SEATS)
    _copy(source.below, target.below, 0, _HALF)
    _copy(source.below, target.below, _HALF, TILES)
    target.turn = source.turn
    copy_options(source, target)


@kernel
def copy_options(source: Row, target: Row) -> None:
    """Copy the options."""
    target.flip_without_tile = source.flip_without_tile
    target.fast_variant = source.fast_variant
    target.any_below = source.any_below
    target.forced_steal = source.forced_steal
    target.stop_can_fail = source.stop_can_fail
    target.soft_landing = source.soft_landing
    target.max_turns = source.max_turns


@kernel
def observe(state: Row, view: Row) -> None:
    """What the seat to move sees: everything but the chance to come."""
    copy_table(state, view)
    view.seat = state.to_move


@kernel
def imagine(view: Row, seed: Any, state: Row) -> None:
    """The state behind a view, with other chance to come."""
    copy_table(view, state)
    state.deal = seed
    state.to_move = view.seat
    state.truncated = 0


@kernel
def legal(view: Row, actions: Any) -> Any:
    """The legal actions by face, what follows, tile."""
    count = 0
    for face in range(1, FACES + 1):
        for then in range(4):
            if view.legal[face - 1] & (1 << then) == 0:
                continue
            if then == TAKE and view.any_below:
                total = view.total + view.dice[face - 1] * value(face)
                for tile in range(FIRST_TILE, min(total, LAST_TILE) + 1):
                    if has_tile(view.open_tiles, tile):
                        count = _write(actions, count, face, then, tile)
            else:
                count = _write(actions, count, face, then, 0)
    return count


@kernel
def _write(actions: Any, count: Any, face: Any, then: Any, tile: Any) -> Any:
    action = actions[count]
    action.face = face
    action.then = then
    action.tile = tile
    return count + 1


@kernel
def is_legal(state: Row, action: Row) -> Any:
    """Whether the seat to move may do this; for any bytes in `action`."""
    face, then, tile = action.face, action.then, action.tile
    if face < 1 or face > FACES or then < ROLL or then > STOP:
        return False
    if follow_ups(state, face) & (1 << then) == 0:
        return False
    if then != TAKE or not state.any_below:
        return tile == 0
    total = state.total + state.dice[face - 1] * value(face)
    return FIRST_TILE <= tile <= min(total, LAST_TILE) and has_tile(state.open_tiles, tile)


@kernel
def step(state: Row, action: Row) -> None:
    """Keep the face, do what follows, and roll up to the next decision or the end."""
    keep(state, action.face)
    if action.then == TAKE:
        take(state, action.tile)
    elif action.then == STEAL:
        steal(state)
    elif action.then == STOP or is_over(state):
        bust(state)
    else:
        roll(state)
        if has_new_face(state):
            return
        bust(state)
    next_turn(state)


@kernel
def stand_in(state: Row, action: Row) -> None:
    """Keep the lowest new face; take from the row if legal, else roll on if legal, else steal."""
    face = 1
    while follow_ups(state, face) == 0:
        face += 1
    bits = follow_ups(state, face)
    action.face = face
    action.tile = 0
    if bits & (1 << TAKE):
        action.then = TAKE
        if state.any_below:
            action.tile = highest(state.open_tiles, state.total + state.dice[face - 1] * value(face))
    elif bits & (1 << ROLL):
        action.then = ROLL
    else:
        action.then = STEAL


@kernel
def standing_key(state: Row, seat: Any, scores: Any) -> Any:
    """Write the worms of a seat; answer its key for the ranking, (worms, highest tile)."""
    tile = state.tops[seat]
    best = 0
    scores[seat] = 0
    while tile > 0:
        scores[seat] += worms(tile)
        best = max(best, tile)
        tile = state.below[tile - FIRST_TILE]
    return scores[seat] * 64 + best


@kernel
def result(state: Row, scores: Any, ranks: Any) -> None:
    """Worms by seat, and ranks by (worms, highest tile)."""
    keys = np.zeros(MAX_SEATS, np.int32)
    for seat in range(state.seats):
        keys[seat] = standing_key(state, seat, scores)
    for seat in range(state.seats):
        ranks[seat] = 0
        for other in range(state.seats):
            if keys[other] > keys[seat]:
                ranks[seat] += np.int8(1)

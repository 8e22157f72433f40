"""The rules of the game as compiled functions over single rows.

A match goes on by itself wherever nobody has a choice: `proceed` lets one thing happen and tells which,
`step` lets things happen until a seat must decide. RULES.md beside this file says the rules in words.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.dominoes.hands import (
    drop_tile,
    empty_hands,
    first_match,
    hand_pips,
    has_match,
    holds,
    insert,
)
from league.games.dominoes.layout import count, first_arm, fits, lay, note_fitting, open_arms, points
from league.games.dominoes.tiles import DOUBLES, DRAWN, SIDES, SPINNER
from league.kernels import Row, below, kernel, mix

DEALING, OPENING, PLAYING, SETTLING = range(4)
"""What comes next: a deal, the opening, somebody's turn, the end of the hand."""

NOTHING, DEALT, DREW, PLAYED, PASSED, SETTLED = range(6)
"""What `proceed` did."""

NEAREST, DOWN = 0, 1
DIVIDED, FULL = 0, 1
IMMEDIATE, HAND_END = 0, 1


@kernel
def start(state: Row) -> None:
    """Begin the match and go on to the first decision."""
    begin(state)
    advance(state)


@kernel
def step(state: Row, action: Row) -> None:
    """Take a placement and go on to the next decision or the end."""
    place(state, action.tile, action.arm)
    advance(state)


@kernel
def begin(state: Row) -> None:
    """Put the match before its first deal."""
    state.hand_number = -1
    state.phase = DEALING


@kernel
def advance(state: Row) -> None:
    """Let everything happen that needs no decision."""
    while proceed(state) != NOTHING:
        pass


@kernel
def proceed(state: Row) -> Any:
    """Let one thing happen that needs no decision, and tell which; nothing at a decision or after the end."""
    if state.to_move < 0:
        return NOTHING
    if state.phase == PLAYING:
        return take_turn(state)
    if state.phase == SETTLING:
        settle(state)
        return SETTLED
    if state.phase == OPENING:
        return open_hand(state)
    shuffle(state)
    deal_hands(state)
    return DEALT


@kernel
def shuffle(state: Row) -> None:
    """Bring the tiles of the next hand into an order made from the deal and the hand's number alone."""
    state.hand_number += 1
    tiles = set_size(state)
    seed = mix(state.deal, state.hand_number)
    for tile in range(tiles):
        state.deck[tile] = tile
    for last in range(tiles - 1, 0, -1):
        other = below(mix(seed, last), last + 1)
        state.deck[last], state.deck[other] = state.deck[other], state.deck[last]


@kernel
def set_size(table: Row) -> Any:
    """How many tiles the set has."""
    pips = np.int64(table.set)
    return (pips + 1) * (pips + 2) // 2


@kernel
def deal_hands(state: Row) -> None:
    """Clear the table and deal the hands from the front of the deck, seat by seat."""
    clear_table(state)
    empty_hands(state)
    for seat in range(state.seats):
        for _ in range(state.hand_size):
            take_tile(state, seat)
    state.phase = OPENING
    state.to_move = 0


@kernel
def clear_table(state: Row) -> None:
    """Take away the layout and forget the moves of the last hand."""
    state.spinner = -1
    state.arms = 0
    state.drawn = 0
    state.move_count = 0
    for arm in range(SIDES):
        state.arm_end[arm] = 0
        state.arm_double[arm] = 0
    note_fitting(state)
    for move in range(len(state.move_seat)):
        state.move_seat[move] = 0
        state.move_tile[move] = 0
        state.move_arm[move] = 0


@kernel
def take_tile(state: Row, seat: Any) -> None:
    """Move the next tile of the deck into a hand."""
    insert(state, seat, state.deck[state.drawn])
    state.drawn += 1


@kernel
def open_hand(state: Row) -> Any:
    """Lead with the highest double of all hands; while there is none, each seat draws one more tile."""
    if state.to_move == 0:
        seat, double = highest_double(state)
        if seat >= 0:
            state.to_move = seat
            state.phase = PLAYING
            place(state, double, SPINNER)
            return PLAYED
    draw(state)
    state.to_move = next_seat(state, state.to_move)
    return DREW


@kernel
def highest_double(state: Row) -> Any:
    """The seat that holds the highest double, and the double; -1 where nobody has one."""
    for pip in range(state.set, -1, -1):
        for seat in range(state.seats):
            if holds(state, seat, DOUBLES[pip]):
                return seat, DOUBLES[pip]
    return -1, np.int64(-1)


@kernel
def take_turn(state: Row) -> Any:
    """Play where one placement is legal, draw or pass where none is, and leave the rest to the seat."""
    tile, has_other = first_match(state)
    if has_other:
        return NOTHING
    if tile >= 0:
        arm = first_arm(state, tile)
        if fits_again(state, tile, arm):
            return NOTHING
        place(state, tile, arm)
        return PLAYED
    if may_draw(state):
        draw(state)
        return DREW
    state.turn += 1
    pass_on(state)
    return PASSED


@kernel
def fits_again(state: Row, tile: Any, arm: Any) -> Any:
    """Whether a tile fits an arm after the given one."""
    for other in range(arm + 1, open_arms(state)):
        if fits(state, tile, other):
            return True
    return False


@kernel
def may_draw(state: Row) -> Any:
    """Whether the boneyard holds more than what stays undrawn."""
    return set_size(state) - state.drawn > state.boneyard_reserve


@kernel
def draw(state: Row) -> None:
    """Move the next tile of the boneyard into the hand of the seat to move."""
    note(state, state.deck[state.drawn], DRAWN)
    take_tile(state, state.to_move)


@kernel
def note(state: Row, tile: Any, arm: Any) -> None:
    """Remember what the seat to move did."""
    at = state.move_count
    state.move_seat[at] = state.to_move
    state.move_tile[at] = tile
    state.move_arm[at] = arm
    state.move_count += 1


@kernel
def place(state: Row, tile: Any, arm: Any) -> None:
    """Play a tile of the seat to move, score it, and see what comes next."""
    seat = state.to_move
    drop_tile(state, seat, tile)
    lay(state, tile, arm)
    note(state, tile, arm)
    state.scores[seat] += points(count(state))
    state.turn += 1
    if state.win_check == IMMEDIATE and state.scores[seat] >= state.target:
        state.to_move = -1
    elif state.hand_sizes[seat] == 0:
        state.phase = SETTLING
    else:
        pass_on(state)


@kernel
def next_seat(table: Row, seat: Any) -> Any:
    """The seat after a seat, clockwise."""
    return seat + 1 if seat + 1 < table.seats else 0


@kernel
def pass_on(state: Row) -> None:
    """Give the turn to the next seat, or end the hand if nobody can do anything any more."""
    state.to_move = next_seat(state, state.to_move)
    if is_blocked(state):
        state.phase = SETTLING


@kernel
def is_blocked(state: Row) -> Any:
    """Whether nobody can place and nothing may be drawn."""
    return not may_draw(state) and not has_match(state)


@kernel
def settle(state: Row) -> None:
    """Give the winner of the hand the bonus; then deal again, unless the match is decided or at its cap."""
    winner = hand_winner(state)
    if winner >= 0:
        state.scores[winner] += bonus(state, winner)
    state.phase = DEALING
    if best_score(state) >= state.target:
        state.to_move = -1
    elif state.hand_number + 1 >= state.max_hands:
        state.truncated = 1
        state.to_move = -1


@kernel
def hand_winner(state: Row) -> Any:
    """The seat that is out, or else the only one with the fewest pips; -1 for a tie."""
    winner, fewest = -1, np.int64(32767)
    for seat in range(state.seats):
        held = hand_pips(state, seat)
        if state.hand_sizes[seat] == 0:
            return seat
        if held < fewest:
            winner, fewest = seat, held
        elif held == fewest:
            winner = -1
    return winner


@kernel
def bonus(state: Row, winner: Any) -> Any:
    """What the winner gets for the pips that the others hold beyond its own."""
    pips = -2 * hand_pips(state, winner)
    for seat in range(state.seats):
        pips += hand_pips(state, seat)
    fives = (pips + 2) // 5 if state.bonus_rounding == NEAREST else pips // 5
    return fives * 5 if state.bonus_unit == FULL else fives


@kernel
def best_score(state: Row) -> Any:
    """The highest score at the table."""
    best = np.int64(0)
    for seat in range(state.seats):
        best = max(best, np.int64(state.scores[seat]))
    return best


@kernel
def is_legal(state: Row, action: Row) -> Any:
    """Whether the seat to move may play this; for any bytes in `action`."""
    if action.arm < 0 or action.arm >= open_arms(state):
        return False
    if action.tile < 0 or action.tile >= set_size(state):
        return False
    return holds(state, state.to_move, action.tile) and fits(state, action.tile, action.arm)


@kernel
def stand_in(state: Row, action: Row) -> None:
    """Write the first legal placement, by tile, then arm."""
    action.tile = first_match(state)[0]
    action.arm = first_arm(state, action.tile)


@kernel
def result(state: Row, scores: Any, ranks: Any) -> None:
    """Points and ranks by seat."""
    for seat in range(state.seats):
        scores[seat] = state.scores[seat]
        ranks[seat] = 0
        for other in range(state.seats):
            if state.scores[other] > state.scores[seat]:
                ranks[seat] += np.int8(1)

"""What a seat sees, and what it may imagine behind it: kernels over state and view rows.

What a hand cannot hold is public: whoever drew or passed had none of the open pips, and nobody had a double
above the spinner. Every place of the deck keeps that as a set of traits, and `imagine` deals the unseen tiles
to places that allow them, so the imagined match could have gone exactly as the real one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.dominoes.hands import empty_hands, insert, list_hand, list_places
from league.games.dominoes.kernels import PLAYING, next_seat, set_size
from league.games.dominoes.layout import join, note_fitting, open_pips
from league.games.dominoes.tiles import (
    DOUBLE_BIT,
    DRAWN,
    HIGH,
    MAX_PIPS,
    PIP_BIT,
    SIDES,
    SPINNER,
    TRAITS,
)
from league.kernels import Row, below, kernel, mix

EVERY_SEAT = -1
ALL_PIPS = int(PIP_BIT.sum())
ALL_DOUBLES = int(DOUBLE_BIT.sum())
HIGHER_DOUBLES = np.array([int(DOUBLE_BIT[pip + 1 :].sum()) for pip in range(MAX_PIPS + 1)])
"""By pip: the doubles above it."""


@kernel
def copy_table(source: Row, target: Row) -> None:
    """Copy what lies open."""
    copy_options(source, target)
    target.turn = source.turn
    target.hand_number = source.hand_number
    target.spinner = source.spinner
    target.arms = source.arms
    for arm in range(SIDES):
        target.arm_end[arm] = source.arm_end[arm]
        target.arm_double[arm] = source.arm_double[arm]
    for seat in range(len(source.scores)):
        target.scores[seat] = source.scores[seat]
        target.hand_sizes[seat] = source.hand_sizes[seat]


@kernel
def copy_options(source: Row, target: Row) -> None:
    """Copy seats and options."""
    target.seats = source.seats
    target.set = source.set
    target.hand_size = source.hand_size
    target.boneyard_reserve = source.boneyard_reserve
    target.bonus_unit = source.bonus_unit
    target.bonus_rounding = source.bonus_rounding
    target.win_check = source.win_check
    target.target = source.target
    target.max_hands = source.max_hands


@kernel
def copy_moves(source: Row, target: Row, seat: Any) -> None:
    """Copy the moves of the hand as a seat saw them: what others drew stays hidden."""
    target.move_count = source.move_count
    viewer = np.int8(seat)
    for move in range(len(source.move_tile)):  # without branches, so that many moves are copied at once
        mover, arm = source.move_seat[move], source.move_arm[move]
        is_hidden = (arm == np.int8(DRAWN)) & (mover != viewer)
        target.move_seat[move] = mover
        target.move_arm[move] = arm
        target.move_tile[move] = source.move_tile[move] | -np.int8(is_hidden)


@kernel
def observe(state: Row, view: Row) -> None:
    """What the seat to move sees: the table, its hand, what it may play; of others' draws, that they were."""
    seat = state.to_move
    copy_table(state, view)
    copy_moves(state, view, seat)
    view.seat = seat
    view.boneyard_size = set_size(state) - state.drawn
    for at in range(len(view.hand)):
        view.hand[at] = 0
    for at in range(len(view.legal)):
        view.legal[at, 0] = 0
        view.legal[at, 1] = 0
    list_hand(state, seat, view.hand)
    view.legal_count = list_places(state, seat, view.legal)


@kernel
def legal(view: Row, actions: Any) -> Any:
    """Write the legal placements by tile, then arm."""
    for at in range(view.legal_count):
        action = actions[at]
        action.tile = view.legal[at, 0]
        action.arm = view.legal[at, 1]
    return view.legal_count


@kernel
def list_codes(views: Any, codes: Any) -> None:
    """Write the legal placements of many views one after the other, each as its row's two bytes in one number."""
    at = 0
    for index in range(len(views)):
        view = views[index]
        for place in range(view.legal_count):
            codes[at] = view.legal[place, 0] | view.legal[place, 1] << 8
            at += 1


@kernel
def imagine(view: Row, seed: Any, state: Row) -> None:
    """A whole state behind a view: a deal of the unseen tiles that the moves allow, and other chance to come.

    All such deals can come up, nearly evenly. What the choices of the others tell is for bots to read.
    """
    copy_table(view, state)
    copy_moves(view, state, view.seat)
    state.deal = seed
    state.to_move = view.seat
    state.truncated = 0
    state.phase = PLAYING
    deck, owner, lacks = retrace(view)
    hidden = np.flatnonzero(deck < 0)
    deal_unseen(deck, hidden, lacks[hidden], seed)
    for place in range(len(deck)):
        state.deck[place] = deck[place]
    state.drawn = len(deck) - view.boneyard_size
    note_fitting(state)
    fill_hands(view, state, owner, hidden)
    tell_draws(state)


@kernel
def known_lacks(view: Row, lacks: Any) -> None:
    """Write for each seat, `int64[seats]`, the pips that no tile in its hand has as far as is known, as bits.

    The viewer's own seat gets none.
    """
    deck, owner, barred = retrace(view)
    for seat in range(view.seats):
        lacks[seat] = 0 if seat == view.seat else ALL_PIPS
    for place in range(len(deck)):
        if owner[place] >= 0 and deck[place] < 0:
            lacks[owner[place]] &= barred[place]


@kernel
def retrace(view: Row) -> Any:
    """Go through the hand's moves once more, noting for each place of the deck what is public about it.

    A played tile is taken to come from the earliest place that allows it. That leaves the other places as
    free as any choice would, so no deal is lost: a place allows the more, the later it was drawn.

    Returns:
        Three arrays `int64[T]` over the places of the deck: the tile, -1 where unseen; whose hand it went to,
        -1 for the boneyard; and, for other seats than the viewer, the traits that an unseen tile cannot have.
    """
    tiles = set_size(view)
    deck, owner, lacks = np.full(tiles, -1, np.int64), np.full(tiles, -1, np.int64), np.zeros(tiles, np.int64)
    drawn = view.seats * view.hand_size
    for place in range(drawn):
        owner[place] = place // view.hand_size
    ends, arms = np.zeros(SIDES, np.int64), np.int64(0)
    turn, pips = -1, np.int64(ALL_DOUBLES)
    for move in range(view.move_count):
        seat, tile, arm = view.move_seat[move], view.move_tile[move], view.move_arm[move]
        pass_over(view, owner, lacks, turn, seat, pips)
        if arm == DRAWN:
            note_lack(owner, lacks, seat, pips)
            owner[drawn] = seat
            deck[drawn] = tile
            drawn += 1
            turn = seat if turn >= 0 else -1
            continue
        if arm == SPINNER:
            note_lack(owner, lacks, EVERY_SEAT, HIGHER_DOUBLES[HIGH[tile]])
        assign(view, deck, owner, lacks, seat, tile)
        arms = join(ends, arms, tile, arm)
        turn, pips = next_seat(view, seat), open_pips(ends, arms)
    pass_over(view, owner, lacks, turn, view.seat, pips)
    for at in range(view.hand_sizes[view.seat]):
        assign(view, deck, owner, lacks, view.seat, view.hand[at])
    return deck, owner, lacks


@kernel
def pass_over(view: Row, owner: Any, lacks: Any, turn: Any, seat: Any, traits: Any) -> None:
    """Note what the seats lack that were skipped from `turn` up to `seat`; -1 stands for nobody's turn."""
    while turn >= 0 and turn != seat:
        note_lack(owner, lacks, turn, traits)
        turn = next_seat(view, turn)


@kernel
def note_lack(owner: Any, lacks: Any, seat: Any, traits: Any) -> None:
    """Add traits to what the tiles in a hand, or in every hand, cannot have."""
    for place in range(len(owner)):
        if owner[place] >= 0 and (owner[place] == seat or seat == EVERY_SEAT):
            lacks[place] |= traits


@kernel
def assign(view: Row, deck: Any, owner: Any, lacks: Any, seat: Any, tile: Any) -> None:
    """Put a tile into the earliest free place of its seat that allows it; the viewer knows what it drew."""
    own = seat == view.seat
    for place in range(len(deck)):
        if own and deck[place] == tile:
            return
    for place in range(len(deck)):
        if owner[place] == seat and deck[place] < 0 and (own or not lacks[place] & TRAITS[tile]):
            deck[place] = tile
            return


@kernel
def deal_unseen(deck: Any, hidden: Any, barred: Any, seed: Any) -> None:
    """Deal the unseen tiles to the hidden places of the deck; none gets a trait that it bars."""
    tiles = unseen_tiles(deck)
    for last in range(len(tiles) - 1, 0, -1):
        exchange(tiles, last, below(mix(seed, last), last + 1))
    for at in range(len(tiles)):
        if TRAITS[tiles[at]] & barred[at]:
            repair(tiles, barred, at)
    stir(tiles, barred, seed)
    for at in range(len(tiles)):
        deck[hidden[at]] = tiles[at]


@kernel
def unseen_tiles(deck: Any) -> Any:
    """The tiles that lie at no known place of the deck, ascending."""
    unseen = np.ones(len(deck), np.bool_)
    for place in range(len(deck)):
        if deck[place] >= 0:
            unseen[deck[place]] = False
    return np.flatnonzero(unseen)


@kernel
def exchange(tiles: Any, one: Any, other: Any) -> None:
    """Let two places exchange their tiles."""
    tiles[one], tiles[other] = tiles[other], tiles[one]


@kernel
def repair(tiles: Any, barred: Any, wrong: Any) -> None:
    """Find the shortest ring of moves that gives the place `wrong` a tile it allows, and bars no tile moved.

    The true deal is such a set of rings, so a breadth-first search finds one.
    """
    count = len(tiles)
    goes_to = np.full(count, -1, np.int64)
    queue = np.zeros(count + 1, np.int64)
    queue[0] = wrong
    head, tail = 0, 1
    while head < tail:
        target = queue[head]
        head += 1
        for place in range(count):
            if goes_to[place] < 0 and not TRAITS[tiles[place]] & barred[target]:
                goes_to[place] = target
                if not TRAITS[tiles[wrong]] & barred[place]:
                    turn_ring(tiles, goes_to, wrong, place)
                    return
                queue[tail] = place
                tail += 1


@kernel
def turn_ring(tiles: Any, goes_to: Any, wrong: Any, last: Any) -> None:
    """Move every tile of the ring one on; the tile at `wrong` goes to `last`."""
    carried, place = tiles[wrong], last
    while place != wrong:
        tiles[place], carried = carried, tiles[place]
        place = goes_to[place]
    tiles[wrong] = carried


@kernel
def stir(tiles: Any, barred: Any, seed: Any) -> None:
    """Exchange tiles at random where both places allow it, to even out what repairs made uneven."""
    count = len(tiles)
    bits = mix(seed, count)
    for _ in range(2 * count):
        bits = mix(bits, count)
        one = below(bits, count)
        other = below(mix(bits, one), count)
        if not (TRAITS[tiles[one]] & barred[other] or TRAITS[tiles[other]] & barred[one]):
            exchange(tiles, one, other)


@kernel
def fill_hands(view: Row, state: Row, owner: Any, hidden: Any) -> None:
    """Give each seat what it still holds: the viewer its hand, the others their hidden places of the deck."""
    empty_hands(state)
    for at in range(view.hand_sizes[view.seat]):
        insert(state, view.seat, view.hand[at])
    for place in hidden:
        if owner[place] >= 0:
            insert(state, owner[place], state.deck[place])


@kernel
def tell_draws(state: Row) -> None:
    """Write into the moves what every seat drew."""
    place = state.seats * state.hand_size
    for move in range(state.move_count):
        if state.move_arm[move] == DRAWN:
            state.move_tile[move] = state.deck[place]
            place += 1

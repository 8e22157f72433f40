"""Rolls of Regenwormen: which faces come, what may be kept of them, and what may follow."""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.regenwormen.rows import COUNT_SHIFT, DICE, FACES, ROLL, STEAL, STOP, TAKE, WORM
from league.games.regenwormen.tiles import lowest
from league.kernels import Row, kernel, mix

_MASK32 = np.uint64(0xFFFFFFFF)
_BYTE = np.uint64(0xFF)
_SIX = np.uint64(FACES)
_S3, _S32 = np.uint64(3), np.uint64(32)
_EACH = 0x010101010101
_ALL = 0x80 * _EACH
_OF_WORM = 0x80 << 8 * (WORM - 1)
_ONCE, _TWICE, _FOUR_TIMES = (
    sum(0xFF << 8 * face for face in range(FACES) if min(face + 1, 5) & part) for part in (1, 2, 4)
)
"""The bytes of faces whose value has that part."""


@kernel
def faces_of_roll(state: Row) -> Any:
    """The eight dice of the present roll, a byte each, faces from 0; the first `dice_left` are rolled.

    Each half of a 64-bit hash of (deal, turn, roll) gives four dice as its first digits in base six.
    """
    bits = mix(state.deal, state.turn * 8 + state.faces_kept)
    upper, lower = bits >> _S32, bits & _MASK32
    dice = np.uint64(0)
    for die in range(DICE // 2):
        upper *= _SIX
        lower *= _SIX
        dice |= (upper >> _S32) << np.uint64(8 * die)
        dice |= (lower >> _S32) << np.uint64(8 * die + 32)
        upper &= _MASK32
        lower &= _MASK32
    return dice


# What may be kept is worked out for all faces at once, in numbers with a byte for each face, and whatever one condition
# says of the others, for processors guess wrong at the throw of dice. A condition is the highest bit of a byte.


@kernel
def packed(numbers: Any, first: Any, end: Any) -> Any:
    """Some of the small numbers of an array as bytes of one number, the first the lowest."""
    word: Any = 0
    for place in range(first, end):
        word |= (np.int64(numbers[place]) & 0xFF) << (8 * (place - first))
    return word


@kernel
def unpack(word: Any, numbers: Any, first: Any, end: Any) -> None:
    """Write bytes as some of the small numbers of an array."""
    for place in range(first, end):
        numbers[place] = word >> (8 * (place - first)) & 0xFF


@kernel
def _is_some(word: Any) -> Any:
    """Where bytes, all below 128, are not 0."""
    return (word + 0x7F * _EACH) & _ALL


@kernel
def look_at_roll(state: Row) -> None:
    """Work out `legal`: for each face the bits `1 << then` of what may follow keeping it, and above them how many dice.

    Where a face may not be kept all is 0. At a forced end with nothing to take, `ROLL` stands for going on into the
    failure.
    """
    dice, kept = packed(state.dice, 0, FACES), packed(state.kept, 0, FACES)
    totals = state.total * _EACH + (dice & _ONCE) + ((dice << 1) & _TWICE) + ((dice << 2) & _FOUR_TIMES)
    others = 0
    for seat in range(state.seats):
        tile = np.int64(state.tops[seat]) * (seat != state.to_move)
        others |= _ALL ^ _is_some(totals ^ (tile * _EACH))
    has_worm = _ALL * (state.kept[WORM - 1] > 0) | _OF_WORM
    steals = has_worm & others
    takes = has_worm & (totals + (128 - lowest(state.open_tiles)) * _EACH)
    takes &= ~(steals * (state.forced_steal != 0))
    is_last = _ALL * (state.faces_kept == FACES - 1) | _ALL ^ _is_some(dice ^ (state.dice_left * _EACH))
    is_free = steals | takes
    rolls = _ALL ^ (is_free & is_last)
    stops = (_ALL ^ (is_free | is_last)) * (state.stop_can_fail != 0)
    may_keep = _is_some(dice) & ~_is_some(kept)
    bits = rolls >> (7 - ROLL) | takes >> (7 - TAKE) | steals >> (7 - STEAL) | stops >> (7 - STOP)
    word = (bits | dice << COUNT_SHIFT) & ((may_keep << 1) - (may_keep >> 7))
    unpack(word, state.legal, 0, FACES)


@kernel
def follow_ups(table: Row, face: Any) -> Any:
    """What may follow keeping a face, as bits `1 << then`; 0 where the face may not be kept."""
    return table.legal[face - 1] & ((1 << COUNT_SHIFT) - 1)


@kernel
def roll(state: Row) -> None:
    """Roll the dice that are left; `dice` counts the faces, `legal` tells what may be kept."""
    dice = faces_of_roll(state)
    counts = np.uint64(0)
    for die in range(DICE):
        face = (dice >> np.uint64(8 * die)) & _BYTE
        counts += np.uint64(die < state.dice_left) << (face << _S3)
    for face in range(FACES):
        state.dice[face] = np.int8((counts >> np.uint64(8 * face)) & _BYTE)
    look_at_roll(state)


@kernel
def has_new_face(table: Row) -> Any:
    """Whether the roll shows a face not kept yet."""
    return packed(table.legal, 0, FACES) != 0

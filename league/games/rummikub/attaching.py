"""What may be attached to untouched old sets in an opening turn: longer runs and longer sequences.

The extensions of all old sets of one colour are folded set by set into *claims*: how many tiles of each number they
take, four bits a number. Sets that lead to the same claims are alike to the search.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from league.games.rummikub.problem import claim_run, lacking, room_of, starts_within
from league.games.rummikub.rows import RUN
from league.games.rummikub.sequences import CLAIMS, LENGTHS
from league.games.rummikub.sets import colour_of, first_of, index_of, kind_of, size_of
from league.kernels import kernel

_HIGH_BITS = 0x8888888888888


class Fold(NamedTuple):
    """Claims after each old set; entries of a set follow those of the sets before it.

    Attributes:
        claims: `[N]` tiles taken so far.
        parent: `[N]` the entry it came from.
        tail: `[N]` tiles before the old set's first, plus 16 times the new length; for sequences 16 times the index.
        begin: `[sets + 2]` where each set's entries begin.
    """

    claims: Any
    parent: Any
    tail: Any
    begin: Any


@kernel
def make_fold(capacity: Any, sets: Any) -> Any:
    """An empty fold."""
    return Fold(
        np.zeros(capacity, np.int64),
        np.zeros(capacity, np.int32),
        np.zeros(capacity, np.int64),
        np.zeros(sets + 2, np.int64),
    )


@kernel
def fits_within(claims: Any, room: Any) -> Any:
    """Whether claims take no more of any number than there is room."""
    return ((room | _HIGH_BITS) - claims) & _HIGH_BITS == _HIGH_BITS


@kernel
def _try_claims(
    fold: Any, problem: Any, colour: Any, room: Any, begin: Any, end: Any, entry: Any, more: Any, tail: Any
) -> Any:
    """Add an entry unless it is impossible or known; returns the end of the layer, or -1 when full."""
    claims = fold.claims[entry] + more
    if not fits_within(claims, room) or lacking(claims, room_of(problem, colour)) > problem.rack_jokers:
        return end
    for other in range(begin, end):
        if fold.claims[other] == claims:
            return end
    if end == fold.claims.size:
        return -1
    fold.claims[end], fold.parent[end], fold.tail[end] = claims, entry, tail
    return end + 1


@kernel
def _extend_run(
    fold: Any, problem: Any, colour: Any, room: Any, begin: Any, end: Any, entry: Any, code: Any
) -> Any:
    """Add the entries of one old run; returns the end of the layer, or -1 when full."""
    first, size = first_of(code) - 1, size_of(code)
    for front in range(first + 1):
        ahead = claim_run(first - front, front)
        if lacking(ahead, room_of(problem, colour)) > problem.rack_jokers:
            break
        for back in range(14 - first - size):
            more = ahead | claim_run(first + size, back)
            tail = front | (size + front + back) << 4
            end = _try_claims(fold, problem, colour, room, begin, end, entry, more, tail)
            if end < 0:
                return end
    return end


@kernel
def _extend_sequence(
    fold: Any, problem: Any, colour: Any, room: Any, begin: Any, end: Any, entry: Any, code: Any
) -> Any:
    """Add the entries of one old sequence; returns the end of the layer, or -1 when full."""
    for index in range(LENGTHS.size):
        shift = starts_within(code, index)
        if shift >= 0:
            more = CLAIMS[index] - CLAIMS[index_of(code)]
            end = _try_claims(fold, problem, colour, room, begin, end, entry, more, shift | index << 4)
            if end < 0:
                return end
    return end


@kernel
def fold_attachments(problem: Any, colour: Any, room: Any, fold: Any) -> Any:
    """Fold all old sets of a colour; the last layer holds the claims that can be attached, none first.

    Returns:
        Where the last layer ends, or -1 when the fold is full.
    """
    fold.begin[0], fold.begin[1], end, none = 0, 1, np.int64(1), np.int64(0)
    fold.claims[0] = 0
    for which in range(problem.set_count):
        code = np.int64(problem.sets[which])
        begin = end
        if kind_of(code) >= RUN and colour_of(code) == colour:
            for entry in range(fold.begin[which], begin):
                if kind_of(code) == RUN:
                    end = _extend_run(fold, problem, colour, room, begin, end, entry, code)
                else:
                    end = _extend_sequence(fold, problem, colour, room, begin, end, entry, code)
                if end < 0:
                    return end
        else:
            for entry in range(fold.begin[which], begin):
                end = _try_claims(fold, problem, colour, room, begin, end, entry, none, none)
                if end < 0:
                    return end
        fold.begin[which + 1], fold.begin[which + 2] = begin, end
    return end

"""Words of the maths variant as sets: runs and sequences with their jokers."""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.rummikub.paths import PURE, draw_tile, put
from league.games.rummikub.pieces import PIECES
from league.games.rummikub.problem import claim_run
from league.games.rummikub.rows import NUMBERS
from league.games.rummikub.sequences import CLAIMS, FIRST_OF, LENGTHS
from league.games.rummikub.sets import number_at, run_code, sequence_code, size_of
from league.games.rummikub.words import end_value, ends_of, piece_gain, strides_of
from league.kernels import kernel

NONE = np.int64(0)


@kernel
def value_without(
    problem: Any, machine: Any, path: Any, layer: Any, colour: Any, claims: Any, jokers: Any, counted: Any
) -> Any:
    """What the free jokers of a path's word add without some tiles, and without so many jokers; -1 if that fails."""
    row, words, strides = colour if layer == PURE else 4 + colour, machine.words, np.zeros(NUMBERS, np.int64)
    strides_of(words.most[row], strides)
    word = words.begin[row]
    for level in range(NUMBERS):
        letters = path.runs[layer, colour, level] - (claims >> 4 * level & 15)
        if letters < 0:
            return np.int64(-1)
        word += letters * strides[level]
    left, still = path.free[layer, colour] - jokers, path.counted[layer, colour] - counted
    if left < 0 or still < 0:
        return np.int64(-1)
    return end_value(ends_of(problem, layer == PURE), words.ends, word, left, still)


@kernel
def word_value(problem: Any, machine: Any, path: Any, layer: Any, colour: Any) -> Any:
    """What the free jokers of a path's word add; -1 when it makes no sets."""
    return value_without(problem, machine, path, layer, colour, NONE, NONE, NONE)


@kernel
def show_row(path: Any, layer: Any, code: Any) -> None:
    """Put a run or sequence on the table whose code has no jokers yet."""
    colour, jokers = code >> 2 & 3, 0
    for place in range(size_of(code)):
        level = number_at(code, place) - 1
        path.runs[layer, colour, level] -= 1
        jokers |= draw_tile(path, layer, colour, level) << place
    put(path, code | jokers << 12)


@kernel
def longest_row(
    problem: Any, machine: Any, path: Any, layer: Any, colour: Any, first: Any, value: Any
) -> Any:
    """The longest run or sequence from a smallest number on that needs no free joker and loses nothing; 0 for none."""
    best: Any = np.int64(0)
    longest: Any = 2
    for length in range(3, NUMBERS + 1 - first):
        claims = claim_run(first, length)
        if value_without(problem, machine, path, layer, colour, claims, NONE, NONE) == value:
            best, longest = run_code(colour, first + 1, length, 0), length
    for index in range(FIRST_OF[first + 1], FIRST_OF[first + 2]):
        fits = value_without(problem, machine, path, layer, colour, CLAIMS[index], NONE, NONE) == value
        if fits and LENGTHS[index] > longest:
            best, longest = sequence_code(colour, index, 0), np.int64(LENGTHS[index])
    return best


@kernel
def code_of_tiles(colour: Any, claims: Any) -> Any:
    """The run or sequence of so many tiles of each number."""
    first, length = 0, 0
    while not claims >> 4 * first & 15:
        first += 1
    while first + length < NUMBERS and claims >> 4 * (first + length) & 15:
        length += 1
    if claim_run(first, length) == claims:
        return run_code(colour, first + 1, length, 0)
    for index in range(CLAIMS.size):
        if CLAIMS[index] == claims:
            return sequence_code(colour, index, 0)
    return 0


@kernel
def row_with_jokers(
    problem: Any, machine: Any, path: Any, layer: Any, colour: Any, first: Any, value: Any
) -> Any:
    """Ready the jokers of a run or sequence with which a word loses nothing; returns its code."""
    ends = ends_of(problem, layer == PURE)
    for at in range(PIECES.shape[0]):
        jokers, numbers = PIECES[at, 2], PIECES[at, 3]
        if PIECES[at, 0] != first or jokers == 0:
            continue
        for counted in range(1 + ends.counted):
            left = value_without(problem, machine, path, layer, colour, PIECES[at, 1], jokers, counted)
            if left >= 0 and left + piece_gain(ends, numbers, counted) == value:
                claims = PIECES[at, 1]
                for shift in range(0, 4 * jokers, 4):
                    level = (numbers >> shift & 15) - 1
                    claims += 1 << 4 * level
                    path.jokers[layer, colour, level] += 1
                    path.runs[layer, colour, level] += 1
                path.free[layer, colour] -= jokers
                path.counted[layer, colour] -= counted
                return code_of_tiles(colour, claims)
    return np.int64(0)


@kernel
def show_word(problem: Any, machine: Any, path: Any, layer: Any, colour: Any) -> None:
    """Put the runs and sequences of a word on the table, from the smallest number up."""
    for level in range(NUMBERS):
        while path.runs[layer, colour, level] > 0:
            value = word_value(problem, machine, path, layer, colour)
            code = longest_row(problem, machine, path, layer, colour, level, value)
            if code == 0:
                code = row_with_jokers(problem, machine, path, layer, colour, level, value)
            show_row(path, layer, code)

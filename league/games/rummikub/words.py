"""What one colour can do alone in the maths variant: which tiles of a colour are all sets, and from where on.

A *word* says how many tiles of each number of a colour lie in runs and sequences. There are too many ways to begin and
continue sequences to search through, but few different futures of a word: all words of a position are judged from the
smallest on, and those that can end alike are merged number by number, from the last to the first. What comes out is
the smallest automaton over the numbers 1 to 13, one node for each different future.

Free jokers in runs and sequences are no letters of a word: an end says with how many of them the word makes sets.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from league.games.rummikub.pieces import PIECES
from league.games.rummikub.problem import is_mixed, is_pure, kept_here
from league.games.rummikub.rows import NUMBERS
from league.kernels import kernel

MOST_LETTERS = 5
NOWHERE = -1
_HIGH_BITS = 0x8888888888888


class Words(NamedTuple):
    """The words of the eight layers of a position: pure and mixed, of each colour.

    Attributes:
        most: `[8, 13]` the most letters of each number, plus 1.
        begin: `[9]` where the words of each layer begin in `ends`.
        ends: `[E, W]` how each word can end; bits by the number of free jokers where these add nothing, else what they
            add at best with each number of them, -1 where they make no sets.
        after: `[N, 5]` the node after a letter, or -1.
        leaf: `[N]` for nodes after the last number: a word that ends there.
        root: `[8]` the first node of each layer.
    """

    most: Any
    begin: Any
    ends: Any
    after: Any
    leaf: Any
    root: Any


class Ends(NamedTuple):
    """The ways a word can end: free jokers used, and of those one counted where that matters.

    Attributes:
        jokers: The most free jokers.
        counted: 1 where one joker counts, or none.
        all_count: 1 where all jokers count.
    """

    jokers: int
    counted: int
    all_count: int


@kernel
def ends_of(problem: Any, pure: Any) -> Any:
    """The ways the pure or the mixed words of a problem can end.

    What the jokers of pure sets stand for counts towards the quota of an opening.
    """
    if pure:
        return Ends(problem.rack_jokers if is_pure(problem) else 0, 0, 1)
    if not is_mixed(problem):
        return Ends(0, 0, 0)
    both = problem.table_jokers > 0 and problem.rack_jokers > 0
    return Ends(
        problem.free_jokers,
        1 if problem.by_number and both else 0,
        1 if problem.by_number and not both and problem.rack_jokers > 0 else 0,
    )


@kernel
def piece_gain(ends: Any, numbers: Any, counting: Any) -> Any:
    """What the jokers of a piece add."""
    if ends.all_count:
        return (numbers >> 4) + (numbers & 15)
    return max(numbers >> 4, numbers & 15) if counting else 0


@kernel
def strides_of(most: Any, strides: Any) -> Any:
    """Write what a letter of each number adds to the place of a word; returns how many words there are."""
    size = 1
    for level in range(NUMBERS - 1, -1, -1):
        strides[level] = size
        size *= most[level]
    return size


@kernel
def fit_pieces(ends: Any, most: Any, strides: Any, begin: Any, pieces: Any) -> None:
    """List the pieces that words of a layer can hold, `[P, 4]`: tiles, place, jokers, joker numbers.

    Of pieces with the same tiles and jokers only the one whose jokers add the most is listed. `begin[14]` says where
    those of each smallest number begin.
    """
    count, at = 0, 0
    for level in range(NUMBERS):
        begin[level] = count
        while at < PIECES.shape[0] and PIECES[at, 0] == level:
            tiles, place, fits = PIECES[at, 1], 0, PIECES[at, 2] <= ends.jokers
            for number in range(NUMBERS):
                letters = tiles >> 4 * number & 15
                place += letters * strides[number]
                fits = fits and letters < most[number]
            if fits:
                same = (
                    count > begin[level]
                    and pieces[count - 1, 0] == tiles
                    and pieces[count - 1, 2] == PIECES[at, 2]
                )
                if not same or piece_gain(ends, PIECES[at, 3], 1) > piece_gain(ends, pieces[count - 1, 3], 1):
                    count -= same
                    pieces[count, 0], pieces[count, 1] = tiles, place
                    pieces[count, 2], pieces[count, 3] = PIECES[at, 2], PIECES[at, 3]
                    count += 1
            at += 1
    begin[NUMBERS] = count


@kernel
def raise_plain(row: Any, first: Any, place: Any, run: Any, used: Any, mask: Any) -> None:
    """Raise the ends of `run` words from `first` on by one piece, where ends are bits."""
    for word in range(first, first + run):
        row[word] |= row[word - place] << used & mask


@kernel
def raise_counted(ends: Any, table: Any, first: Any, piece: Any, run: Any) -> None:
    """Raise the ends of `run` words from `first` on by one piece, where ends are numbers."""
    place, used = piece[1], piece[2]
    for counting in range(1 + (ends.counted and used > 0)):
        gain = piece_gain(ends, piece[3], counting)
        for jokers in range(used, ends.jokers + 1):
            for counted in range(counting, ends.counted + 1):
                rest = table[(jokers - used) * (ends.counted + 1) + counted - counting]
                row = table[jokers * (ends.counted + 1) + counted]
                for word in range(first, first + run):
                    if rest[word - place] >= 0:
                        row[word] = max(row[word], rest[word - place] + gain)


@kernel
def raise_block(ends: Any, most: Any, strides: Any, table: Any, piece: Any, level: Any, letter: Any) -> None:
    """Raise the ends of all words that hold a piece and have `letter` tiles of its smallest number and none below."""
    last, digits = NUMBERS - 1, np.zeros(NUMBERS, np.int64)
    while not piece[0] >> 4 * last & 15:
        last -= 1
    first, run = letter * strides[level], strides[level]
    for number in range(level + 1, last + 1):
        digits[number] = piece[0] >> 4 * number & 15
        first += digits[number] * strides[number]
    if last > level:
        run = (most[last] - digits[last]) * strides[last]
    number = last
    while number > level:
        if ends.counted or ends.all_count:
            raise_counted(ends, table, first, piece, run)
        else:
            raise_plain(table[0], first, piece[1], run, piece[2], (2 << ends.jokers) - 1)
        number = last - 1
        while number > level and digits[number] + 1 == most[number]:
            least = piece[0] >> 4 * number & 15
            first -= (digits[number] - least) * strides[number]
            digits[number] = least
            number -= 1
        digits[number] += 1
        first += strides[number]
    if last == level:
        if ends.counted or ends.all_count:
            raise_counted(ends, table, first, piece, run)
        else:
            raise_plain(table[0], first, piece[1], run, piece[2], (2 << ends.jokers) - 1)


@kernel
def judge_words(ends: Any, most: Any, table: Any) -> None:
    """Fill in the ends of all words of a layer, `table[E, W]`, smaller words first.

    Words without tiles below a number lie together, so that a piece serves whole stretches of them at once.
    """
    strides, begin = np.zeros(NUMBERS, np.int64), np.zeros(NUMBERS + 1, np.int64)
    strides_of(most, strides)
    pieces = np.zeros((PIECES.shape[0], 4), np.int64)
    fit_pieces(ends, most, strides, begin, pieces)
    for row in range(rows_of(ends)):
        table[row] = no_end(ends)
    table[0, 0] = 1 if no_end(ends) == 0 else 0
    for level in range(NUMBERS - 1, -1, -1):
        for letter in range(1, most[level]):
            for at in range(begin[level], begin[level + 1]):
                if pieces[at, 0] >> 4 * level & 15 <= letter:
                    raise_block(ends, most, strides, table, pieces[at], level, letter)


@kernel
def no_end(ends: Any) -> Any:
    """What stands for a word that makes no sets."""
    return -1 if ends.counted or ends.all_count else 0


@kernel
def rows_of(ends: Any) -> Any:
    """How many numbers a word needs for its ends: one of bits where jokers add nothing, else one for each end."""
    return (ends.jokers + 1) * (ends.counted + 1) if ends.counted or ends.all_count else 1


@kernel
def end_value(ends: Any, table: Any, word: Any, jokers: Any, counted: Any) -> Any:
    """What the jokers of a word add when it ends so, or -1 when it cannot."""
    if ends.counted or ends.all_count:
        return np.int64(table[jokers * (ends.counted + 1) + counted, word])
    return (table[0, word] >> jokers & 1) - 1


@kernel
def same_row(one: Any, other: Any) -> Any:
    """Whether two rows are equal."""
    for at in range(one.size):
        if one[at] != other[at]:
            return False
    return True


@kernel
def hash_row(row: Any) -> Any:
    """A hash of a row of small numbers."""
    bits = np.uint64(0)
    for at in range(row.size):
        bits = (bits ^ np.uint64(row[at] + 1)) * np.uint64(0x9E3779B97F4A7C15)
        bits ^= bits >> np.uint64(29)
    return bits


@kernel
def merge_ends(ends: Any, table: Any, leaf: Any, begin: Any, base: Any, node: Any) -> Any:
    """Make a leaf for each different end; `node[W]` is filled in. Returns the end of the nodes, or -1 when full."""
    end, mask, none = begin, (1 << 14) - 1, no_end(ends)
    slots = np.full(mask + 1, -1, np.int32)
    for word in range(node.size):
        alive, column = False, table[: rows_of(ends), base + word]
        for at in range(column.size):
            alive = alive or column[at] != none
        node[word] = NOWHERE
        if alive:
            slot = np.int64(hash_row(column)) & mask
            while slots[slot] >= 0 and not same_row(table[: rows_of(ends), leaf[slots[slot]]], column):
                slot = slot + 1 & mask
            if slots[slot] < 0:
                if end == leaf.size or 2 * (end - begin) > mask:
                    return np.int64(-1)
                slots[slot] = end
                leaf[end] = word + base
                end += 1
            node[word] = slots[slot]
    return end


@kernel
def merge_level(after: Any, begin: Any, node: Any, count: Any, letters: Any) -> Any:
    """Merge words alike in all letters of a number: `node[count]` shrinks by `letters`. Returns the end of the nodes.

    Returns -1 when the nodes are full.
    """
    end, mask = begin, 63
    while mask < 2 * (count // letters):
        mask = 2 * mask + 1
    slots = np.full(mask + 1, -1, np.int32)
    row = np.full(MOST_LETTERS, NOWHERE, np.int32)
    for word in range(count // letters):
        alive = False
        for letter in range(letters):
            row[letter] = node[word * letters + letter]
            alive = alive or row[letter] >= 0
        node[word] = NOWHERE
        if alive:
            slot = np.int64(hash_row(row)) & mask
            while slots[slot] >= 0 and not same_row(after[slots[slot]], row):
                slot = slot + 1 & mask
            if slots[slot] < 0:
                if end == after.shape[0]:
                    return -1
                slots[slot] = end
                for letter in range(MOST_LETTERS):
                    after[end, letter] = row[letter]
                end += 1
            node[word] = slots[slot]
    return end


@kernel
def merge_words(ends: Any, words: Any, layer: Any, begin: Any) -> Any:
    """Make the nodes of a layer; returns their end, or -1 when the nodes are full."""
    count = words.begin[layer + 1] - words.begin[layer]
    node = np.empty(count, np.int32)
    end = merge_ends(ends, words.ends, words.leaf, begin, words.begin[layer], node)
    if end < 0:
        return end
    for level in range(NUMBERS - 1, -1, -1):
        end = merge_level(words.after, end, node, count, words.most[layer, level])
        if end < 0:
            return end
        count //= words.most[layer, level]
    words.root[layer] = node[0]
    return end


@kernel
def letters_of(problem: Any, most: Any) -> None:
    """Write the most letters of each number in each layer, plus 1; one word where a layer has no sets."""
    for colour in range(4):
        for level in range(NUMBERS):
            rack = problem.rack[colour, level]
            tiles = problem.table[colour, level] + rack + kept_here(problem, colour, level)
            most[colour, level] = 1 + rack if is_pure(problem) else 1
            most[4 + colour, level] = 1 + tiles if is_mixed(problem) else 1


@kernel
def make_words(most: Any, begin: Any, ends: Any, nodes: Any) -> Any:
    """Judged words, and room for nodes."""
    after = np.full((nodes, MOST_LETTERS), NOWHERE, np.int32)
    return Words(most, begin, ends, after, np.zeros(nodes, np.int64), np.zeros(8, np.int64))


@kernel
def no_words() -> Any:
    """What stands for words where runs are the only rows."""
    return make_words(np.ones((8, NUMBERS), np.int64), np.zeros(9, np.int64), np.zeros((1, 1), np.int8), 1)


@kernel
def merge_layers(problem: Any, words: Any) -> Any:
    """Make the nodes of all layers; returns whether they fit."""
    end = np.int64(0)
    for layer in range(8):
        end = merge_words(ends_of(problem, layer < 4), words, layer, end)
        if end < 0:
            return False
    return True


@kernel
def find_words(problem: Any) -> Any:
    """The words of a problem."""
    most, begin, strides = np.ones((8, NUMBERS), np.int64), np.zeros(9, np.int64), np.zeros(NUMBERS, np.int64)
    letters_of(problem, most)
    for layer in range(8):
        begin[layer + 1] = begin[layer] + strides_of(most[layer], strides)
    rows = max(rows_of(ends_of(problem, True)), rows_of(ends_of(problem, False)))
    table = np.zeros((rows, begin[8]), np.int8)
    for layer in range(8):
        judge_words(ends_of(problem, layer < 4), most[layer], table[:, begin[layer] : begin[layer + 1]])
    nodes = np.int64(1 << 12)
    words = make_words(most, begin, table, nodes)
    while not merge_layers(problem, words):
        nodes *= 4
        words = make_words(most, begin, table, nodes)
    return words


@kernel
def least_jokers(problem: Any, words: Any, pure: Any, mixed: Any) -> Any:
    """The fewest free jokers with which the words that end in two leaves make sets."""
    jokers = 0
    for layer in range(2):
        ends, least = ends_of(problem, layer == 0), 0
        leaf = words.leaf[pure if layer == 0 else mixed]
        while least <= ends.jokers and end_value(ends, words.ends, leaf, least, 0) < 0:
            least += 1
        jokers += least
    return jokers

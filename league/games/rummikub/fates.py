"""What may become of the old jokers: each is kept as a tile of one colour, or released by such a tile."""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.rummikub.problem import can_release
from league.games.rummikub.rows import FREE, NUMBERS
from league.kernels import kernel

MOST_FATES = 64


@kernel
def list_variants(problem: Any, level: Any, variants: Any) -> Any:
    """List what may become of the old jokers of a number: each kept as one colour, or released by a tile of one.

    `variants[MOST_FATES, 5]` is filled with a tag for each colour, and how many jokers are released.

    Returns:
        The range of variants to use.
    """
    for tag in range(5):
        variants[0, tag] = 0
    begin, end = 0, 1
    for which in range(2):
        if problem.old_number[which] != level:
            continue
        last = end
        for variant in range(begin, last):
            for fate in range(1 + can_release(problem, which)):
                for colour in range(4):
                    if problem.old_colours[which] >> colour & 1:
                        for tag in range(5):
                            variants[end, tag] = variants[variant, tag]
                        variants[end, colour] += 1 if fate else 3
                        variants[end, 4] += fate
                        end += 1
        begin = last
    return begin, end


@kernel
def add_fates(problem: Any, which: Any, fates: Any, count: Any) -> Any:
    """Replace fates by those that tell of one more old joker; returns how many there are."""
    level, before = problem.old_number[which], count
    for fate in range(before):
        for released in range(1 + can_release(problem, which)):
            for colour in range(4):
                if problem.old_colours[which] >> colour & 1:
                    for cell in range(5):
                        fates[count, cell] = fates[fate, cell]
                    fates[count, 2 * which] = colour * NUMBERS + level
                    fates[count, 2 * which + 1] = 1 if released else 3
                    fates[count, 4] += released
                    count += 1
    for fate in range(count - before):
        for cell in range(5):
            fates[fate, cell] = fates[fate + before, cell]
    return count - before


@kernel
def list_fates(problem: Any, fates: Any) -> Any:
    """List what may become of the old jokers: each kept as one colour, or released by a tile of one.

    `fates[64, 5]` is filled with place and tag of either joker, and how many jokers are released.

    Returns:
        How many there are.
    """
    count = np.int64(1)
    fates[0, 0] = fates[0, 2] = -1
    fates[0, 4] = problem.table_jokers if problem.policy == FREE else 0
    for which in range(2):
        if problem.old_number[which] >= 0:
            count = add_fates(problem, which, fates, count)
    return count

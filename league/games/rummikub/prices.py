"""Prices that bring the colours, each alone, near to what they can do together.

What each colour could gain if it were alone bounds the search, and alone a colour cheats: it puts tiles into groups
that no other colour joins, and lays old jokers elsewhere that it never released. So tiles in groups, free jokers and
the places of old jokers have prices, such that no play pays anything in sum; what the colours gain less what they pay
still bounds every play, and far more tightly. The prices come from what the colours want, step by step: dearer where
they want too much together (subgradient steps of a Lagrangian relaxation; Held, Wolfe and Crowder, "Validation of
subgradient optimization", 1974).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.rummikub.colours import prune
from league.games.rummikub.machine import DEAD
from league.games.rummikub.problem import SHIFT, freed_by_rule
from league.games.rummikub.rows import ATTACH, NUMBERS
from league.games.rummikub.scratch import row_maker
from league.kernels import kernel

_STEPS = 20

PRICES = np.dtype(
    [
        ("dues", "i8", (4, 13)),
        ("fate", "i8", (13,)),
        ("joker", "i8"),
        ("tiles", "i8", (4, 13)),
        ("fates", "i8", (13,)),
        ("jokers", "i8"),
        ("roots", "i8", (4,)),
        ("split", "i8", (4,)),
    ]
)
"""Prices, and what the colours want at them.

| field | meaning |
|---|---|
| `dues` | paid thrice by a tile of a colour in groups of a number, and got back by every tile there |
| `fate`, `joker` | price of a place for an old joker of a number; of a free joker, got back by whoever releases one |
| `tiles`, `fates`, `jokers` | tiles wanted in groups, places for old jokers, free jokers beyond those released |
| `roots`, `split` | the first state of each colour, and how many free jokers it may use |
"""

make_prices = row_maker("make_prices", PRICES)


@kernel
def group_tiles(problem: Any, choice: Any) -> Any:
    """Tiles that need partners of other colours; what joins an old group in an opening has them."""
    return choice.pure_group + (0 if problem.turn == ATTACH else choice.mixed_group)


@kernel
def free_jokers_of(choice: Any) -> Any:
    """Free jokers that a choice uses, less those that it releases."""
    return choice.pure_jokers + choice.mixed_jokers - choice.tag % 3


@kernel
def fates_of(choice: Any) -> Any:
    """Old jokers that a choice keeps or releases."""
    return choice.tag // 3 + choice.tag % 3


@kernel
def charge(problem: Any, machine: Any, prices: Any) -> None:
    """Let all choices pay, and bound the colours anew."""
    for level in range(NUMBERS - 1, -1, -1):
        machine.prices[level] = machine.prices[level + 1]
        for number in problem.old_number:
            if number == level:
                machine.prices[level] += prices.fate[level]
    machine.prices[NUMBERS + 1] = prices.joker
    for colour in range(4):
        for level in range(NUMBERS):
            tile = 3 * prices.dues[colour, level]
            for other in range(4):
                tile -= prices.dues[other, level]
            for state in range(machine.level[colour, level], machine.level[colour, level + 1]):
                for at in range(machine.states[state].first, machine.states[state].last):
                    choice = machine.choices[at]
                    choice.price = tile * group_tiles(problem, choice) + prices.joker * free_jokers_of(choice)
                    choice.price += prices.fate[level] * fates_of(choice)
        prune(problem, machine, colour)


@kernel
def best_root(machine: Any, colour: Any, jokers: Any) -> Any:
    """The first state of a colour that promises most with so many free jokers."""
    best = machine.level[colour, 0]
    for state in range(best, machine.level[colour, 1]):
        if machine.states[state].bound[jokers] > machine.states[best].bound[jokers]:
            best = np.int64(state)
    return best


@kernel
def share_jokers(problem: Any, machine: Any, prices: Any) -> Any:
    """Share the free jokers among the colours so that they promise most; returns what they promise."""
    most = np.int64(8 * DEAD)
    for first in range(problem.free_jokers + 1):
        for second in range(problem.free_jokers - first + 1):
            for third in range(problem.free_jokers - first - second + 1):
                split = first, second, third, problem.free_jokers - first - second - third
                promise = np.int64(0)
                for colour in range(4):
                    root = best_root(machine, colour, split[colour])
                    promise += machine.states[root].bound[split[colour]]
                if promise > most:
                    most = promise
                    for colour in range(4):
                        prices.split[colour] = split[colour]
    for colour in range(4):
        prices.roots[colour] = best_root(machine, colour, prices.split[colour])
    return most


@kernel
def ask_colour(problem: Any, machine: Any, prices: Any, colour: Any) -> None:
    """Add what a colour wants at the prices."""
    state, left = np.int64(prices.roots[colour]), np.int64(prices.split[colour])
    for level in range(NUMBERS):
        at = np.int64(machine.states[state].first)
        while True:
            choice = machine.choices[at]
            rest = left - choice.pure_jokers - choice.mixed_jokers
            onward = machine.states[choice.to]
            if (
                rest >= 0
                and choice.gain - choice.price + onward.bound[rest] == machine.states[state].bound[left]
            ):
                break
            at += 1
        prices.tiles[colour, level] = group_tiles(problem, choice)
        prices.fates[level] += fates_of(choice)
        prices.jokers += free_jokers_of(choice)
        state, left = np.int64(choice.to), rest


@kernel
def ask(problem: Any, machine: Any, prices: Any) -> Any:
    """Find what the colours want at the prices, each alone; returns whether the jokers suffice for all of them."""
    if share_jokers(problem, machine, prices) < DEAD // 2:
        return False
    prices.jokers = -problem.rack_jokers - freed_by_rule(problem)
    for level in range(NUMBERS):
        prices.fates[level] = 0
        for number in problem.old_number:
            prices.fates[level] -= number == level
    for colour in range(4):
        ask_colour(problem, machine, prices, colour)
    return True


@kernel
def adjust(prices: Any, step: Any) -> Any:
    """Make dearer what is wanted too much, and cheaper what is not wanted enough; returns whether anything was."""
    excess = prices.jokers > 0
    prices.joker = max(0, prices.joker + 2 * step * prices.jokers)
    for level in range(NUMBERS):
        tiles = 0
        for colour in range(4):
            tiles += prices.tiles[colour, level]
        for colour in range(4):
            beyond = 3 * prices.tiles[colour, level] - tiles
            excess = excess or beyond > 0
            prices.dues[colour, level] = max(0, prices.dues[colour, level] + step * beyond)
        excess = excess or prices.fates[level] != 0
        prices.fate[level] += 2 * step * prices.fates[level]
    return excess


@kernel
def unit_of(problem: Any) -> Any:
    """The most that a tile can be worth."""
    unit = abs(problem.joker_weight)
    for place in range(52):
        if problem.rack[place // 13, place % 13] > 0:
            unit = max(unit, abs(problem.weights[place // 13, place % 13]))
    return unit << SHIFT


@kernel
def set_prices(problem: Any, machine: Any, rows: Any) -> None:
    """Find prices, and bound the colours with them; `rows[1]` of `PRICES` is room to work in."""
    prices, step = rows[0], 3 * unit_of(problem) // 10
    prices.joker = 0
    for level in range(NUMBERS):
        prices.fate[level] = 0
        for colour in range(4):
            prices.dues[colour, level] = 0
    for _ in range(_STEPS):
        if not ask(problem, machine, prices) or not adjust(prices, step):
            break
        charge(problem, machine, prices)
        step = step * 7 // 8

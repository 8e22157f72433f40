"""Prices that bring the colours, each alone, near to what they can do together.

What each colour could gain if it were alone bounds the search, and alone a colour cheats: it puts tiles into groups
that no other colour joins, and lays old jokers elsewhere that it never released. So free jokers have a price, got back
by whoever releases one, and what a colour does at a number has one, such that no four colours that fit together pay
anything in sum. What the colours gain less what they pay still bounds every play, and far more tightly.

Number by number, the prices are set so that all that a colour can do there is worth to it a quarter of the best that
the four can do together with it; but for jokers, which the colours do not share out there, no step loosens the bound
(block coordinate descent on the Lagrangian dual by max-marginals; Werner, "A Linear Programming Approach to Max-sum
Problem: A Review", 2007).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from league.games.rummikub.bounds import root_reach
from league.games.rummikub.colours import prune
from league.games.rummikub.fates import MOST_FATES, list_variants
from league.games.rummikub.machine import DEAD
from league.games.rummikub.problem import SHIFT
from league.games.rummikub.rows import ATTACH, NUMBERS
from league.kernels import kernel

_TILES = 5
"""Two real tiles and two jokers of a kind can be in groups, or none."""
_DEEDS = 9 * _TILES
_ROUNDS = 2
"""How often the prices of all numbers are set; more gains little."""
_DEAREST = 3
"""What a free joker costs at most, in tiles: it seldom lets more than so many be laid."""


class Market(NamedTuple):
    """Prices, and what they come from. What a colour does at a number is told by its deed; see `deed_of`.

    Attributes:
        prices: `[4, 13, D]` what a colour pays for a deed at a number.
        wants: `[4, D]` the most that a colour gains all in all, by its deed at the number in hand.
        grants: `[4, D]` the most that the four colours gain together, by the deed of one of them.
        ways: `[S, 3]` the most that a colour has gained before a state with 0, 1 or 2 free jokers.
        variants: `[F, 5]` what may become of the old jokers of the number in hand.
    """

    prices: Any
    wants: Any
    grants: Any
    ways: Any
    variants: Any


@kernel
def make_market(states: Any) -> Any:
    """A market where nothing costs anything."""
    return Market(
        np.zeros((4, NUMBERS, _DEEDS), np.int64),
        np.zeros((4, _DEEDS), np.int64),
        np.zeros((4, _DEEDS), np.int64),
        np.zeros((states, 3), np.int64),
        np.zeros((MOST_FATES, 5), np.int64),
    )


@kernel
def deed_of(problem: Any, choice: Any) -> Any:
    """What ties a choice to those of other colours: fates of old jokers, and tiles that need partners in groups.

    What joins an old group in an opening has its partners.
    """
    return choice.tag * _TILES + choice.pure_group + (0 if problem.turn == ATTACH else choice.mixed_group)


@kernel
def joker_dues(machine: Any, choice: Any) -> Any:
    """What a choice pays for the free jokers that it uses, less what it gets for those that it releases."""
    return machine.joker[0] * (choice.pure_jokers + choice.mixed_jokers - choice.tag % 3)


@kernel
def charge(problem: Any, machine: Any, market: Any) -> None:
    """Let all choices pay, and bound the colours anew."""
    for colour in range(4):
        for level in range(NUMBERS):
            prices = market.prices[colour, level]
            for state in range(machine.level[colour, level], machine.level[colour, level + 1]):
                for at in range(machine.states[state].first, machine.states[state].last):
                    choice = machine.choices[at]
                    choice.price = prices[deed_of(problem, choice)] + joker_dues(machine, choice)
        prune(problem, machine, colour)


@kernel
def ask(problem: Any, machine: Any, market: Any, level: Any) -> None:
    """Find what the deeds at a number are worth to the colours, each alone, the joker's price paid."""
    market.wants[:] = 2 * DEAD
    for colour in range(4):
        wants = market.wants[colour]
        for state in range(machine.level[colour, level], machine.level[colour, level + 1]):
            for at in range(machine.states[state].first, machine.states[state].last):
                choice = machine.choices[at]
                onward, deed = machine.states[choice.to], deed_of(problem, choice)
                gain = choice.gain - joker_dues(machine, choice)
                rest = problem.free_jokers - choice.pure_jokers - choice.mixed_jokers
                for before in range(rest + 1):
                    reach = market.ways[state, before] + gain + onward.bound[rest - before]
                    wants[deed] = max(wants[deed], reach)


@kernel
def grant(market: Any, tags: Any) -> None:
    """Find what the deeds at a number are worth to all colours together, under one fate of the old jokers."""
    wants, grants = market.wants, market.grants
    first, second, third, fourth = _TILES * tags[0], _TILES * tags[1], _TILES * tags[2], _TILES * tags[3]
    for one in range(_TILES):
        for two in range(_TILES if wants[0, first + one] > DEAD // 2 else 0):
            for three in range(_TILES if wants[1, second + two] > DEAD // 2 else 0):
                for four in range(_TILES if wants[2, third + three] > DEAD // 2 else 0):
                    if 3 * max(one, two, three, four) <= one + two + three + four:
                        worth = wants[0, first + one] + wants[1, second + two]
                        worth += wants[2, third + three] + wants[3, fourth + four]
                        grants[0, first + one] = max(grants[0, first + one], worth)
                        grants[1, second + two] = max(grants[1, second + two], worth)
                        grants[2, third + three] = max(grants[2, third + three], worth)
                        grants[3, fourth + four] = max(grants[3, fourth + four], worth)


@kernel
def settle(problem: Any, market: Any, level: Any) -> None:
    """Set the prices of a number; a deed that fits with nothing is out of reach."""
    market.grants[:] = 8 * DEAD
    first, last = list_variants(problem, level, market.variants)
    for variant in range(first, last):
        grant(market, market.variants[variant])
    for colour in range(4):
        for deed in range(_DEEDS):
            want, granted = market.wants[colour, deed], market.grants[colour, deed]
            market.prices[colour, level, deed] = want + (-granted >> 2) if granted > DEAD // 2 else -DEAD


@kernel
def walk(problem: Any, machine: Any, market: Any, level: Any) -> None:
    """Find the best ways to the states after a number."""
    for colour in range(4):
        for state in range(machine.level[colour, level + 1], machine.level[colour, level + 2]):
            market.ways[state] = 2 * DEAD
        for state in range(machine.level[colour, level], machine.level[colour, level + 1]):
            for at in range(machine.states[state].first, machine.states[state].last):
                choice = machine.choices[at]
                gain = choice.gain - joker_dues(machine, choice)
                gain -= market.prices[colour, level, deed_of(problem, choice)]
                used = choice.pure_jokers + choice.mixed_jokers
                for before in range(problem.free_jokers - used + 1):
                    reach = market.ways[state, before] + gain
                    market.ways[choice.to, before + used] = max(market.ways[choice.to, before + used], reach)


@kernel
def unit_of(problem: Any) -> Any:
    """The most that a tile can be worth."""
    unit = abs(problem.joker_weight)
    for place in range(52):
        if problem.rack[place // 13, place % 13] > 0:
            unit = max(unit, abs(problem.weights[place // 13, place % 13]))
    return unit << SHIFT


@kernel
def bargain(problem: Any, machine: Any, market: Any) -> Any:
    """Find prices beside that of a free joker, and bound the colours with them; returns what they promise together."""
    charge(problem, machine, market)
    for _ in range(_ROUNDS):
        for level in range(NUMBERS):
            ask(problem, machine, market, level)
            settle(problem, market, level)
            walk(problem, machine, market, level)
        charge(problem, machine, market)
    return root_reach(problem, machine)


@kernel
def set_prices(problem: Any, machine: Any) -> None:
    """Find prices, and bound the colours with them: a free joker costs as much as some tiles, more while it helps."""
    states, unit = machine.level[3, NUMBERS + 1], unit_of(problem)
    machine.joker[0] = unit
    best = make_market(states)
    promised = bargain(problem, machine, best)
    for _ in range(_DEAREST - 1 if problem.free_jokers else 0):
        machine.joker[0] += unit
        market = make_market(states)
        reach = bargain(problem, machine, market)
        if reach > promised:
            machine.joker[0] -= unit
            charge(problem, machine, best)
            break
        promised, best = reach, market

"""What a play can still be worth at most: what the four colours gain each alone, and what jokers may add.

Each state of a colour knows what the colour can gain from there with 0, 1 or 2 free jokers. Four rows of that, one for
each colour, are the *bounds* `[4, 3]` of all that follows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from league.games.rummikub.machine import DEAD
from league.games.rummikub.problem import SHIFT, freed_by_rule, is_pure
from league.games.rummikub.rows import NUMBERS
from league.games.rummikub.tree import Ties
from league.kernels import kernel


@kernel
def reachable(bounds: Any, left: Any) -> Any:
    """The most that four colours can gain with `left` free jokers among them.

    `bounds[4, 3]` says what each can gain with 0, 1 or 2.
    """
    if left == 0:
        return bounds[0, 0] + bounds[1, 0] + bounds[2, 0] + bounds[3, 0]
    none = bounds[0, 0]
    one = bounds[0, 1]
    two = bounds[0, 2]
    for colour in range(1, 4):
        here = bounds[colour]
        two = max(two + here[0], max(one + here[1], none + here[2]))
        one = max(one + here[0], none + here[1])
        none += here[0]
    return two if left > 1 else one


@kernel
def set_bounds(bounds: Any, colour: Any, state: Any) -> None:
    """Copy the bounds of a state to row `colour`."""
    for jokers in range(3):
        bounds[colour, jokers] = state.bound[jokers]


@kernel
def paid_ahead(problem: Any, machine: Any, ties: Any) -> Any:
    """What plays from a node on pay at most for free jokers, and so get back; see `prices.py`."""
    return machine.joker[0] * (problem.rack_jokers + ties.released - ties.used)


@kernel
def number_hope(problem: Any) -> Any:
    """An upper bound on what rack jokers add when each is worth its number."""
    return NUMBERS * problem.rack_jokers << SHIFT if problem.by_number else 0


@kernel
def best_roots(machine: Any, colour: Any, bounds: Any) -> None:
    """Write what a colour gains at most from any of its first states."""
    for jokers in range(3):
        bounds[colour, jokers] = DEAD
        for state in range(machine.level[colour, 0], machine.level[colour, 1]):
            bounds[colour, jokers] = max(bounds[colour, jokers], machine.states[state].bound[jokers])


@kernel
def root_reach(problem: Any, machine: Any) -> Any:
    """The most that any play could be worth if the colours were alone."""
    bounds = np.empty((4, 3), np.int64)
    for colour in range(4):
        best_roots(machine, colour, bounds)
    released = freed_by_rule(problem)
    reach = reachable(bounds, problem.free_jokers) + paid_ahead(problem, machine, Ties(0, released, 0, 0))
    return reach + number_hope(problem) - (problem.joker_weight * released << SHIFT)


@kernel
def root_quota(problem: Any, machine: Any, states: Any) -> Any:
    """The most quota that four first states could reach."""
    most = 0 if is_pure(problem) else problem.free_jokers
    for colour in range(4):
        most += machine.states[machine.level[colour, 0] + states[colour]].quota_hope
    return most

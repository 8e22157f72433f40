"""The random bot at the engine's speed."""

from typing import Any

import numpy as np

from league import CompiledBot
from league.games.regenwormen import GAME
from league.games.regenwormen.kernels import legal
from league.games.regenwormen.rows import ACTION, FACES
from league.kernels import below, kernel

MOST = GAME.max_legal
ACTIONS = 15
"""The bits of `view.legal[face]` that stand for actions."""
COUNTS = 0x4332322132212110
"""How many bits a number from 0 to 15 has, a hexadecimal digit each, 0 at the right."""


@kernel
def any_tile(view: Any, action: Any, seed: Any) -> None:
    """Draw from the list of actions, where they name tiles."""
    actions = np.empty(MOST, ACTION)
    drawn = actions[below(seed, legal(view, actions))]
    action.face = drawn.face
    action.then = drawn.then
    action.tile = drawn.tile


@kernel
def count_of(bits: Any) -> Any:
    """How many actions the bits of a face stand for."""
    return (COUNTS >> (np.int64(bits & ACTIONS) << 2)) & 15


class CompiledRandom(CompiledBot):
    """Any legal action, each as likely as the others, compiled."""

    game = "regenwormen"

    @staticmethod
    def choose(view: Any, action: Any, seed: Any, options: Any) -> None:
        """Count the bits of `view.legal` and draw one; no branch depends on the draw, which would cost most."""
        if view.any_below:
            any_tile(view, action, seed)
            return
        count = 0
        for face in range(FACES):
            count += count_of(view.legal[face])
        drawn = below(seed, count)
        passed, chosen, before = 0, 0, 0
        for face in range(FACES):
            passed += count_of(view.legal[face])
            chosen += passed <= drawn
            before = passed if passed <= drawn else before
        bits: Any = np.int64(view.legal[chosen])
        then, seen = 0, 0
        for place in range(4):
            seen += bits >> place & 1
            then += seen <= drawn - before
        action.face = chosen + 1
        action.then = then

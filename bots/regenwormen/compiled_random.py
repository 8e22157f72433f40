"""The random bot at the engine's speed."""

from typing import Any

import numpy as np

from league import CompiledBot
from league.games.regenwormen import GAME
from league.games.regenwormen.kernels import legal
from league.games.regenwormen.rows import ACTION, FACES
from league.kernels import below, kernel

MOST = GAME.max_legal


@kernel
def any_tile(view: Any, action: Any, seed: Any) -> None:
    """Draw from the list of actions, where they name tiles."""
    actions = np.empty(MOST, ACTION)
    drawn = actions[below(seed, legal(view, actions))]
    action.face = drawn.face
    action.then = drawn.then
    action.tile = drawn.tile


class CompiledRandom(CompiledBot):
    """Any legal action, each as likely as the others, compiled."""

    game = "regenwormen"

    @staticmethod
    def choose(view: Any, action: Any, seed: Any, options: Any) -> None:
        """Count the bits of `view.legal`, four for each face, and draw one."""
        if view.any_below:
            any_tile(view, action, seed)
            return
        bits = 0
        for face in range(FACES):
            bits |= view.legal[face] << (4 * face)
        count = 0
        rest = bits
        while rest:
            rest &= rest - 1
            count += 1
        for _ in range(below(seed, count)):
            bits &= bits - 1
        place = 0
        while bits & 1 == 0:
            bits >>= 1
            place += 1
        action.face = (place >> 2) + 1
        action.then = place & 3

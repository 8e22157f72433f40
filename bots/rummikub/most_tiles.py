"""Greedy: the most tiles, every turn."""

from __future__ import annotations

from typing import Any

import numpy as np

from league import CompiledBot
from league.games.rummikub.rows import DRAW, PASS
from league.games.rummikub.solver import best_play

ONE_EACH = np.ones(53, np.int64)


class MostTiles(CompiledBot):
    """Lays as many tiles as it can, rearranging the table as needed; compiled."""

    game = "rummikub"

    @staticmethod
    def choose(view: Any, action: Any, seed: Any, options: Any) -> None:
        """The play of the most tiles."""
        if not best_play(view, ONE_EACH, np.int64(0), action):
            action.kind = DRAW if view.pool_size > 0 else PASS

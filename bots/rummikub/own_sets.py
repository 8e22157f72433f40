"""Only sets from the rack: it never touches the table."""

from __future__ import annotations

from typing import Any

import numpy as np

from league import CompiledBot
from league.games.rummikub.rows import DRAW, PASS
from league.games.rummikub.solver import best_own_sets

ONE_EACH = np.ones(53, np.int64)


class OwnSets(CompiledBot):
    """Lays as many tiles as whole sets of its own allow, and never adds to the table or rearranges it; compiled."""

    game = "rummikub"

    @staticmethod
    def choose(view: Any, action: Any, seed: Any, options: Any) -> None:
        """The most tiles in sets of the rack alone."""
        if not best_own_sets(view, ONE_EACH, np.int64(0), action):
            action.kind = DRAW if view.pool_size > 0 else PASS

"""The floor of every ranking, at the speed of the engine."""

from __future__ import annotations

from typing import Any

from league import CompiledBot
from league.kernels import below


class CompiledRandom(CompiledBot):
    """Plays any legal placement; compiled."""

    game = "dominoes"

    @staticmethod
    def choose(view: Any, action: Any, seed: Any, options: Any) -> None:
        """All placements are equally likely."""
        at = below(seed, view.legal_count)
        action.tile = view.legal[at, 0]
        action.arm = view.legal[at, 1]

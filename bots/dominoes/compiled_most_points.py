"""The natural beginner, at the speed of the engine."""

from __future__ import annotations

from typing import Any

from league import CompiledBot
from league.games.dominoes.layout import count_after, points


class CompiledMostPoints(CompiledBot):
    """Plays what scores most now; of equal placements the first. Compiled."""

    game = "dominoes"

    @staticmethod
    def choose(view: Any, action: Any, seed: Any, options: Any) -> None:
        """The placement with most points."""
        most = -1
        for at in range(view.legal_count):
            scored = points(count_after(view, view.legal[at, 0], view.legal[at, 1]))
            if scored > most:
                most = scored
                action.tile = view.legal[at, 0]
                action.arm = view.legal[at, 1]

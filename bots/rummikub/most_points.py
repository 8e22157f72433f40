"""Greedy: the largest sum, every turn."""

from __future__ import annotations

from league import Bot
from league.games.rummikub import DRAW, PASS, Plain, Play, View


class MostPoints(Bot):
    """Lays the largest sum of numbers it can, so that little is left to pay for."""

    game = "rummikub"

    def choose(self, view: View) -> Plain | Play:
        """The play of the largest value."""
        return view.best_play("value") or (DRAW if view.pool_size else PASS)

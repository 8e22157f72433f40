"""The natural beginner: take the points that lie there."""

from __future__ import annotations

from league import Bot
from league.games.dominoes import Place, View


class MostPoints(Bot):
    """Plays what scores most now."""

    game = "dominoes"

    def choose(self, view: View) -> Place:
        """The placement with most points; of equal ones the first."""
        return max(view.legal, key=view.points)

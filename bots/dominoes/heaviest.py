"""Get rid of pips first, and only then look for points."""

from __future__ import annotations

from league import Bot
from league.games.dominoes import Place, View


class Heaviest(Bot):
    """Plays its heaviest tile, where it scores most, so that little is held against it when another goes out."""

    game = "dominoes"

    def choose(self, view: View) -> Place:
        """The tile with most pips, on the end that makes most points of it."""
        return max(view.legal, key=lambda place: (place.tile.pips, view.points(place)))

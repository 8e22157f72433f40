"""Get rid of pips, whatever they score."""

from __future__ import annotations

from league import Bot
from league.games.dominoes import Place, View


class Heaviest(Bot):
    """Plays its heaviest tile, so that little is held against it when another goes out."""

    game = "dominoes"

    def choose(self, view: View) -> Place:
        """The tile with most pips; of equal ones the last."""
        return max(view.legal, key=lambda place: (place.tile.pips, place))

"""A bot that fears to end without a worm."""

from league import Bot
from league.games.regenwormen import Keep, View

EAGER = {"stop": 0, "roll": 1, "take": 2, "steal": 3}


class WormFirst(Bot):
    """Takes a tile whenever it can; else keeps worms at the first chance, and after that the most points."""

    game = "regenwormen"

    def choose(self, view: View) -> Keep:
        """Look for a tile, then for worms, then for points."""
        return max(view.legal, key=lambda keep: (EAGER[keep.then], keep.tile, keep.face == 6, keep.points))

"""A bot that looks at faces alone."""

from league import Bot
from league.games.regenwormen import Keep, View

EAGER = {"stop": 0, "roll": 1, "take": 2, "steal": 3}


class HighestFace(Bot):
    """Keeps the highest face, the worm above all, and takes a tile as soon as there is one, best from others."""

    game = "regenwormen"

    def choose(self, view: View) -> Keep:
        """Take the highest face, then what ends the turn well."""
        return max(view.legal, key=lambda keep: (keep.face, EAGER[keep.then], keep.tile))

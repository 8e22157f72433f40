"""A bot that counts."""

from league import Bot
from league.games.regenwormen import Keep, View

EAGER = {"stop": 0, "roll": 1, "take": 2, "steal": 3}


class MostPoints(Bot):
    """Keeps the face whose dice count most together, and takes a tile as soon as there is one."""

    game = "regenwormen"

    def choose(self, view: View) -> Keep:
        """Take the most points, then what ends the turn well."""
        return max(view.legal, key=lambda keep: (keep.points, EAGER[keep.then], keep.tile))

"""Points now, and a hand that can still play next time."""

from __future__ import annotations

from league import Bot
from league.games.dominoes import Place, View


class KeepOptions(Bot):
    """Adds to its points a share of the best points that its other tiles could make of the same ends."""

    game = "dominoes"
    options = {"later": 0.3}

    def choose(self, view: View) -> Place:
        """The best sum of points now and points in sight."""
        hand = view.hand

        def worth(place: Place) -> float:
            replies = [view.reply(place, tile) for tile in hand if tile != place.tile]
            in_sight = max((points for points in replies if points is not None), default=0)
            return view.points(place) + float(self.options["later"]) * in_sight

        return max(view.legal, key=worth)

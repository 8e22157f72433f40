"""Count what is out: what the next seat can make of the ends, and what it is known to lack."""

from __future__ import annotations

from league import Bot
from league.games.dominoes import Place, Tile, View


class Counter(Bot):
    """Weighs its points against the points that the next seat may be expected to answer with.

    Unseen tiles are equally likely to be in the next seat's hand, but for those with pips that its draws and passes
    showed it lacks. A seat that cannot answer at all must draw, which is worth something in itself.
    """

    game = "dominoes"
    options = {"reply": 1.0, "per_tile": 0.6, "stuck": 4.0}

    def choose(self, view: View) -> Place:
        """The best placement by its own points, the reply it allows and what it leaves to play."""
        hand = view.hand
        after = (view.seat + 1) % view.seats
        lacks = view.lacks[after]
        out = [tile for tile in self._unseen(view) if tile.high not in lacks and tile.low not in lacks]
        chance = min(1.0, view.hand_sizes[after] / max(1, len(out)))

        def worth(place: Place) -> float:
            pips = view.open_after(place)
            fitting = sum(not pips.isdisjoint(tile) for tile in hand if tile != place.tile)
            reply, silence = self._reply(view, place, out, chance)
            return (
                view.points(place)
                + float(self.options["per_tile"]) * fitting
                - float(self.options["reply"]) * reply
                + float(self.options["stuck"]) * silence
            )

        return max(view.legal, key=worth)

    def _unseen(self, view: View) -> list[Tile]:
        """The tiles that are neither in the own hand nor on the table."""
        seen = {move.tile for move in view.moves} | set(view.hand)
        top = 6 if view.options.set == "double6" else 12
        tiles = (Tile(high, low) for high in range(top + 1) for low in range(high + 1))
        return [tile for tile in tiles if tile not in seen]

    def _reply(self, view: View, place: Place, out: list[Tile], chance: float) -> tuple[float, float]:
        """Expected points of the best reply, and the chance that there is none."""
        replies = [view.reply(place, tile) for tile in out]
        expected, silence = 0.0, 1.0
        for points in sorted((points for points in replies if points is not None), reverse=True):
            expected += silence * chance * points
            silence *= 1 - chance
        return expected, silence

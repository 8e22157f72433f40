"""Holds back what it can always lay later, until somebody comes near to going out."""

from __future__ import annotations

from league import Bot
from league.games.rummikub import DRAW, PASS, Plain, Play, View

COLOURS = "krby"
TILES = [f"{colour}{number}" for colour in COLOURS for number in range(1, 14)]


def takers(view: View) -> dict[str, int]:
    """How many sets on the table would take each tile as they lie: runs at their ends, groups of three."""
    found = dict.fromkeys(TILES, 0)
    for tiles in view.table:
        names = [tile.removeprefix("j:") for tile in tiles]
        numbers = [int(name[1:]) for name in names]
        if len(set(numbers)) == 1:
            fits = [f"{colour}{numbers[0]}" for colour in COLOURS] if len(names) == 3 else []
            fits = [name for name in fits if name not in names]
        else:
            fits = [f"{names[0][0]}{number}" for number in (numbers[0] - 1, numbers[-1] + 1)]
        for name in fits:
            if name in found:
                found[name] += 1
    return found


class Patient(Bot):
    """Lays the tiles that fit nowhere else and keeps the others, jokers above all; watches the other racks.

    With somebody near to going out, or the pool near its end, it lays all it can.
    """

    game = "rummikub"
    options = {"alarm": 4}

    def choose(self, view: View) -> Plain | Play:
        """Everything when it goes out, opens or must hurry; else what will not keep."""
        most = view.best_play()
        if most is None:
            return DRAW if view.pool_size else PASS
        out = len(most.played) == len(view.rack)
        if out or not view.opened[view.seat] or self.must_hurry(view):
            return most
        return view.best_play(self.weights(view)) or most

    def must_hurry(self, view: View) -> bool:
        """Whether another rack is short or the pool is nearly empty."""
        others = [size for seat, size in enumerate(view.rack_sizes) if seat != view.seat]
        return min(others) <= int(self.options["alarm"]) or view.pool_size <= 2 * view.seats

    def weights(self, view: View) -> dict[str, int]:
        """What each tile is worth on the table: much, little if the table will take it later, nothing for a joker."""
        later = takers(view)
        return {tile: 100 if later[tile] < 2 else 60 for tile in TILES} | {"j": -150}

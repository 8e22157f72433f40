"""What a seat at Rummikub sees."""

from __future__ import annotations

from league import games
from league.games.rummikub.actions import Plain, Play
from league.games.rummikub.notation import TileSet, set_tiles, tiles_of
from league.games.rummikub.solving import Objective


class View(games.SeatView):
    """The table before a turn."""

    __slots__ = ()

    @property
    def legal(self) -> tuple[Plain | Play, ...]:
        """Draw or pass, then candidate plays, the largest first; found when first asked for.

        Candidates differ in the rack tiles they lay, and each is one table that shows them. Any other valid table may
        be answered as well.
        """
        from league.games.rummikub.listing import list_legal
        from league.kernels import own

        return list_legal(own(self.row))

    def best_play(self, objective: Objective = "tiles") -> Play | None:
        """The best play under the rules of the match, as `solve` finds it, or None when no tile can be laid.

        Args:
            objective: `"tiles"`, `"value"`, or whole numbers by tile.
        """
        from league.games.rummikub.listing import best_of
        from league.kernels import own

        return best_of(own(self.row), objective)

    @property
    def rack(self) -> tuple[str, ...]:
        """The seat's own tiles: black, red, blue, yellow, each ascending, jokers last."""
        return tiles_of(self.row["rack"].tolist())

    @property
    def table(self) -> tuple[TileSet, ...]:
        """The sets on the table, jokers as `j:r7`."""
        row = self.row
        return tuple(map(set_tiles, row["sets"][: row["set_count"]].tolist()))

    @property
    def pool_size(self) -> int:
        """Tiles still to draw."""
        return int(self.row["pool_size"])

    @property
    def rack_sizes(self) -> tuple[int, ...]:
        """Tiles on each rack, by seat."""
        return tuple(self.row["rack_sizes"][: self.seats].tolist())

    @property
    def opened(self) -> tuple[bool, ...]:
        """Which seats have opened."""
        return tuple(map(bool, self.row["opened"][: self.seats].tolist()))

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of the rounds before, by seat."""
        return tuple(self.row["totals"][: self.seats].tolist())

    @property
    def round(self) -> int:
        """Rounds finished so far."""
        return int(self.row["rounds_over"])

    @property
    def turn(self) -> int:
        """Turns finished so far in the match."""
        return int(self.row["turn"])

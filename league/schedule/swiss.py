"""Swiss: in each round bots meet others that stand where they stand, nobody twice while that can be helped."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from league.schedule import Format, Listed, Schedule, Standing, require_bots, sets_of_round


class SwissFormat(Format):
    """Rounds of tables of neighbours in the standings; who is left over has a bye.

    Args:
        names: Names of the bots.
        seats: Seats at a table.
        sets: Mirror sets of the whole league, spread evenly over rounds and tables, rounded up.
        batch: Matches of a batch.
        rounds: How many rounds.
    """

    name = "swiss"

    def __init__(self, names: list[str], seats: int, sets: int, batch: int, rounds: int = 7) -> None:
        require_bots(names, seats)
        self._bots, self._seats, self._rounds, self._batch = len(names), seats, rounds, batch
        self._tables = len(names) // seats
        self._of_round = sets_of_round(sets, rounds, self._tables, seats)
        self.sets = rounds * self._of_round
        self._met: dict[tuple[int, int], int] = {}
        self._byes = [0] * len(names)

    def round(self, number: int, first_set: int, standings: Sequence[Standing]) -> Schedule | None:
        """The next pairing."""
        if number == self._rounds:
            return None
        if number == 0:
            self._met, self._byes = {}, [0] * self._bots
        order = [s.bot for s in sorted(standings, key=lambda s: (-s.points, s.bot))] or list(
            range(self._bots)
        )
        lineups = self._pair(self._without_byes(order))
        for lineup in lineups:
            for pair in combinations(sorted(lineup), 2):
                self._met[pair] = self._met.get(pair, 0) + 1
        return Listed(lineups, self._of_round, self._batch, first_set)

    def _without_byes(self, order: list[int]) -> list[int]:
        """The bots that play; the lowest of those with the fewest byes sit out."""
        spare = self._bots - self._tables * self._seats
        from_below = order[::-1]
        lowest = sorted(from_below, key=lambda bot: self._byes[bot])[:spare]
        for bot in lowest:
            self._byes[bot] += 1
        return [bot for bot in order if bot not in lowest]

    def _pair(self, order: list[int]) -> list[tuple[int, ...]]:
        """Fill tables from the top; the next seat goes to the highest bot that met the table least."""
        lineups = []
        left = list(order)
        while left:
            table = [left.pop(0)]
            while len(table) < self._seats:
                chosen = min(left, key=lambda bot: (self._meetings(bot, table), left.index(bot)))
                left.remove(chosen)
                table.append(chosen)
            lineups.append(tuple(table))
        return self._mend(lineups)

    def _mend(self, lineups: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
        """Exchange bots between tables as long as that avoids repeats; the top tables' greed may leave some below."""
        best = self._repeats(lineups)
        improved = True
        while best and improved:
            improved = False
            for swapped in _exchanges(lineups):
                repeats = self._repeats(swapped)
                if repeats < best:
                    lineups, best, improved = swapped, repeats, True
                    break
        return lineups

    def _repeats(self, lineups: list[tuple[int, ...]]) -> int:
        pairs = (pair for lineup in lineups for pair in combinations(sorted(lineup), 2))
        return sum(self._met.get(pair, 0) for pair in pairs)

    def _meetings(self, bot: int, table: list[int]) -> int:
        return sum(self._met.get((min(bot, other), max(bot, other)), 0) for other in table)


def _exchanges(lineups: list[tuple[int, ...]]) -> list[list[tuple[int, ...]]]:
    """All ways to exchange one bot of a table with one of another, near tables first."""
    tables = range(len(lineups))
    near = sorted(((a, b) for a in tables for b in tables if a < b), key=lambda ab: (ab[1] - ab[0], -ab[0]))
    made = []
    for one, other in near:
        for here in range(len(lineups[one])):
            for there in range(len(lineups[other])):
                swapped = [list(lineup) for lineup in lineups]
                swapped[one][here], swapped[other][there] = swapped[other][there], swapped[one][here]
                made.append([tuple(lineup) for lineup in swapped])
    return made


FORMAT = SwissFormat

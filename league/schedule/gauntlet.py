"""Gauntlet: one or more challengers, each against every group of the field."""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from league.errors import ConfigError, unknown
from league.schedule import Format, Schedule, Standing, circle
from league.schedule.round_robin import combination, stride


class Gauntlet(Schedule):
    """Every challenger with every group of the field once a deal.

    Args:
        challengers: Indices of the challengers.
        field: Indices of the others.
        seats: Seats at the table; one is a challenger's.
        sets: How many mirror sets.
        batch: Matches of a batch.
    """

    def __init__(self, challengers: list[int], field: list[int], seats: int, sets: int, batch: int) -> None:
        super().__init__(seats, sets, batch)
        self.challengers = challengers
        self.field = field
        self.groups = comb(len(field), seats - 1)
        self._stride = stride(self.groups)

    def lineup(self, index: int) -> tuple[int, ...]:
        """A challenger and the group it meets; challengers take turns."""
        meeting, who = divmod(index, len(self.challengers))
        turn, place = divmod(meeting, self.groups)
        others = combination(place * self._stride % self.groups, len(self.field), self.seats - 1)
        return circle((self.challengers[who], *(self.field[other] for other in others)), turn)


class GauntletFormat(Format):
    """`schedule.challengers` against the field."""

    name = "gauntlet"
    adaptive = False

    def __init__(self, names: list[str], seats: int, sets: int, batch: int, challengers: list[str]) -> None:
        for name in challengers:
            if name not in names:
                raise ConfigError(f"schedule.challengers: {unknown('bot', name, names)}")
            if challengers.count(name) > 1:
                raise ConfigError(f"schedule.challengers: '{name}' is named twice; name each bot once")
        chosen = [names.index(name) for name in challengers]
        field = [index for index in range(len(names)) if index not in chosen]
        if not chosen:
            raise ConfigError("schedule.challengers = []: name the bots that run the gauntlet")
        if len(field) < seats - 1:
            raise ConfigError(
                f"bots: a gauntlet of {seats} seats needs {seats - 1} bots beside the challengers"
            )
        self.sets = sets
        self.schedule = Gauntlet(chosen, field, seats, sets, batch)

    def round(self, number: int, first_set: int, standings: Sequence[Standing]) -> Schedule | None:
        """The only round."""
        return self.schedule if number == 0 else None


FORMAT = GauntletFormat

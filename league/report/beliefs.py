"""What the gathered counts say beyond the standings: who beats whom, who goes in circles, what seats are worth."""

from __future__ import annotations

from dataclasses import dataclass

from league.games import Game
from league.rate.order_free import order_free
from league.rate.pairwise import Cycle, Pairwise, cycles, pairwise
from league.rate.seats import Seats, seat_effect
from league.report.facts import Facts
from league.report.gather import Gathered


@dataclass(frozen=True)
class Beliefs:
    """What does not depend on the order of matches; bots are places in `Facts.bots`.

    Attributes:
        compared: Every bot against every other.
        cycles: Bots that beat each other in a circle.
        seats: What seats are worth.
    """

    compared: Pairwise
    cycles: list[Cycle]
    seats: Seats


def believe(facts: Facts, gathered: Gathered, game: Game) -> Beliefs:
    """Fit, resample and compare."""
    rating = facts.config["rating"]
    draw = game.draw_probability(rating["draw_probability"])
    fit = order_free(rating["method"], gathered.tally, draw)
    compared = pairwise(fit, gathered.tally, gathered.resamples)
    return Beliefs(compared, cycles(compared), seat_effect(gathered.tally, gathered.resamples))

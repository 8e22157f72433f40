"""The order-free fit that stands beside a rating of record, and whose intervals are the league's."""

from __future__ import annotations

from league.rate import Method, plackett_luce, trueskill_batch
from league.rate.fit import Fit
from league.rate.tally import Tally
from league.rate.trueskill import Parameters


def order_free(method: Method, tally: Tally, draw_probability: float) -> Fit:
    """Fit all matches of a tally at once, by the model of the method of record.

    Args:
        method: That method.
        tally: The matches.
        draw_probability: How often two equal neighbours in the ranking tie; Plackett-Luce finds that out itself.
    """
    if method == "plackett_luce":
        return plackett_luce.fit(tally)
    return trueskill_batch.fit(tally, Parameters(draw_probability=draw_probability, backend="exact"))

from __future__ import annotations

import numpy as np
import pytest

from league.games import find_game
from league.play import Batch, Limits
from league.play.seated import play_seated
from league.rate import Columns
from league.rate.resamples import Resamples
from league.rate.seats import NullTest, null_test
from league.rate.tally import Tally
from league.roster.find import find_bot
from league.schedule.round_robin import RoundRobin
from tests.bots.contract import seated


def null_league(game_name: str, bot: str, seats: int, sets: int) -> NullTest:
    """A league of copies of one bot, one more than there are seats."""
    game, schedule = find_game(game_name)(seats), RoundRobin(seats + 1, seats, sets)
    copies = [seated(find_bot(bot, game_name)) for _ in range(seats + 1)]
    deals, bots = schedule.columns(0, len(schedule))
    ranks = play_seated(game, copies, Batch(0, 0, deals, bots), Limits(), seed=11).ranks
    tally, resamples = Tally(seats + 1, seats), Resamples(seats + 1, seats, 1)
    for part in (tally, resamples):
        part.fold(Columns(bots, ranks, deals))
    return null_test(tally, resamples)


@pytest.mark.parametrize(
    ("game", "bot", "seats", "sets"),
    [
        ("regenwormen", "compiled_random", 4, 1000),
        ("dominoes", "compiled_random", 3, 400),
        ("rummikub", "most_tiles", 2, 60),
    ],
)
def test_copies_of_one_bot_come_out_alike(game: str, bot: str, seats: int, sets: int) -> None:
    """Neither a place in the roster nor one at the table is worth anything beyond what the game says of its seats."""
    found = null_league(game, bot, seats, sets)
    assert found.copies_chance > 1e-4
    assert np.abs(found.score - 0.5).max() < 0.05

from __future__ import annotations

import numpy as np
import pytest

from league.duel import self_play
from league.games.find import find_game
from league.roster.find import find_bot
from tests.bots.contract import seated


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
    found = self_play(find_game(game)(seats), seated(find_bot(bot, game)), sets, seed=11)
    assert found.copies_chance > 1e-4
    assert np.abs(found.score - 0.5).max() < 0.05

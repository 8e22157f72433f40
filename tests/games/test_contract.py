"""The game contract over every game that is found."""

import pytest

from league.games.find import game_names
from tests.games.contract import GameContract


@pytest.mark.parametrize("name", game_names())
class TestEveryGame(GameContract):
    """Every game, built in or installed."""

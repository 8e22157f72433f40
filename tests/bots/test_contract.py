"""The bot contract over every example bot."""

import pytest

from league.roster.find import find_bots
from tests.bots.contract import BotContract

EXAMPLES = [entry for entry in find_bots()[0] if entry.example]


def test_all_examples_load() -> None:
    assert not find_bots()[1]


@pytest.mark.parametrize("entry", EXAMPLES, ids=lambda entry: f"{entry.game}-{entry.name}")
class TestEveryExample(BotContract):
    """Every bot that comes with the package."""

"""The example bots of dominoes do what they say: compiled twins, an order of strength."""

from __future__ import annotations

from typing import Any

import pytest

from league.games.dominoes import GAME
from league.roster.find import find_bot
from tests.bots.contract import actions_by_match, play_alone, share


def test_compiled_twins_play_alike() -> None:
    options: dict[str, Any]
    for seats, options in ((2, {}), (4, {"bonus_unit": "full"}), (3, {"boneyard_reserve": 2})):
        game = GAME(seats, options)
        python, compiled = (
            actions_by_match(play_alone(game, find_bot(prefix + "most_points", "dominoes"), 6, seed=2))
            for prefix in ("", "compiled_")
        )
        assert python == compiled


@pytest.mark.parametrize(
    ("better", "worse", "sets", "least"),
    [
        ("keep_options", "most_points", 4000, 0.505),
        ("most_points", "heaviest", 150, 0.85),
        ("heaviest", "random", 150, 0.57),
        ("most_points", "random", 150, 0.85),
        ("counter", "most_points", 100, 0.53),
        ("sampler", "most_points", 150, 0.58),
    ],
)
def test_order_of_strength(better: str, worse: str, sets: int, least: float) -> None:
    assert share(GAME(2), better, worse, sets) > least

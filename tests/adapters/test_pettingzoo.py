"""The games as PettingZoo environments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from league.adapters.pettingzoo import env, rewards_of
from league.errors import ConfigError
from league.games.find import find_game, game_names

SHORT = {"rummikub": {"max_turns": 30}, "dominoes": {"max_hands": 2}}


def table(name: str, seats: int = 3) -> Any:
    return env(name, seats, SHORT.get(name))


@pytest.mark.parametrize("name", game_names())
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_keeps_to_the_interface(name: str) -> None:
    played = table(name)
    api_test(played, num_cycles=60)
    seed_test(lambda: table(name), num_cycles=40)
    assert played.possible_agents == ["seat_0", "seat_1", "seat_2"]
    assert not any(played.infos.values()), "what others may not see"


@pytest.mark.parametrize("name", game_names())
def test_plays_the_match_that_the_kernels_play(name: str) -> None:
    """The last legal action throughout, here and on the bare kernels."""
    played = table(name)
    played.reset(seed=4)
    rewards = dict.fromkeys(played.agents, 0.0)
    deal = int(np.random.Generator(np.random.PCG64(4)).integers(2**64, dtype=np.uint64))
    game = find_game(name)(3, SHORT.get(name, {}))
    state = game.start(deal)[0]
    for agent in played.agent_iter():
        seen, reward, terminated, truncated, _ = played.last()
        rewards[agent] += reward
        if terminated or truncated:
            played.step(None)
            continue
        view = game.view(state)
        assert agent == f"seat_{view.seat}"
        assert seen["action_mask"].sum() == len(view.legal)
        played.step(len(view.legal) - 1)
        game.play(state, view.legal[-1])
    assert state["to_move"] < 0
    assert list(rewards.values()) == pytest.approx(rewards_of(game.result(state)[1]))


def test_an_index_beyond_the_legal_actions_is_refused() -> None:
    played = table("regenwormen")
    played.reset(seed=1)
    with pytest.raises(IndexError, match="legal actions, counted from 0"):
        played.step(played.action_space(played.agent_selection).n - 1)


def test_bad_options_are_refused_as_everywhere() -> None:
    with pytest.raises(ConfigError, match=r"game.seats = 11"):
        env("dominoes", 11)


def test_draws_the_table() -> None:
    played = env("dominoes", 2, render_mode="ansi")
    played.reset(seed=1)
    assert "seat 0" in played.render()

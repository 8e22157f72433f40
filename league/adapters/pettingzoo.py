"""The games as PettingZoo environments, for training; the extra `zoo` installs it.

    from league.adapters.pettingzoo import env
    table = env("regenwormen", seats=3)

Source: Terry et al., "PettingZoo: Gym for multi-agent reinforcement learning" (NeurIPS 2021), the AEC interface.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from league.games import Game
from league.games.find import find_game
from league.kernels import rows

__all__ = ["TableEnv", "env"]


def env(
    game: str,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    render_mode: str | None = None,
) -> Any:
    """A table of a game, which checks that its methods are called in order.

    Args:
        game: The game's name.
        seats: How many agents there are; the game's fewest when None.
        options: The game's options.
        render_mode: `"ansi"` for the table as text, or None.

    Raises:
        ConfigError: There is no such game, seat count, option or value.
    """
    return OrderEnforcingWrapper(TableEnv(find_game(game)(seats, options), render_mode))


class TableEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """A match at a table; agent `seat_k` sits on seat k.

    An action is an index into the legal actions in their order, `view.legal[action]` to a bot. What an agent observes
    is `{"observation": int64[V], "action_mask": int8[A]}`: the numbers of its view row, field by field, and which
    indices are legal; of an agent that is not to move all are 0. At the end each agent is rewarded with the share of
    the others that it beat less the share that beat it, in -1 to 1.

    Args:
        game: What is played.
        render_mode: `"ansi"` or None.
    """

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        super().__init__()
        self.game, self.render_mode = game, render_mode
        self.metadata = {
            "name": f"{game.name}_v{game.version}",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(game.seats)]
        self._views, self._legal, self._count = (
            rows(1, game.view_dtype),
            rows(game.max_legal, game.action_dtype),
            0,
        )
        self._numbers = len(numbers_of(self._views[0]))
        widest = np.iinfo(np.int64)
        self._space = gymnasium.spaces.Dict(
            {
                "observation": gymnasium.spaces.Box(widest.min, widest.max, (self._numbers,), np.int64),
                "action_mask": gymnasium.spaces.Box(0, 1, (game.max_legal,), np.int8),
            }
        )
        self._choice = gymnasium.spaces.Discrete(game.max_legal)

    def observation_space(self, agent: str) -> Any:
        """The space of every agent's observations."""
        return self._space

    def action_space(self, agent: str) -> Any:
        """The space of every agent's actions."""
        return self._choice

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start the match of a deal; the same seed gives the same dice, tiles and draws, no seed the next deal."""
        del options
        if seed is not None or not hasattr(self, "_deals"):
            self._deals = np.random.Generator(np.random.PCG64(0 if seed is None else seed))
        self._states = self.game.start(int(self._deals.integers(2**64, dtype=np.uint64)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Any] = {agent: {} for agent in self.agents}
        self._look()

    def step(self, action: int | None) -> None:
        """Take the chosen action for the agent to move.

        Raises:
            IndexError: It is no index of a legal action.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < self._count:
            raise IndexError(f"{agent} answered {action}: it has {self._count} legal actions, counted from 0")
        self._cumulative_rewards[agent] = 0.0
        self.game.kernels.step(self._states[0], self._legal[action])
        self._look()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees; nothing where it is not to move."""
        numbers, mask = np.zeros(self._numbers, np.int64), np.zeros(self.game.max_legal, np.int8)
        if self._count and agent == self.agent_selection:
            numbers[:] = numbers_of(self._views[0])
            mask[: self._count] = 1
        return {"observation": numbers, "action_mask": mask}

    def render(self) -> str | None:
        """The table as text, all open."""
        return self.game.draw_text(self._states[0]) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held open."""

    def _look(self) -> None:
        """See who is to move and what it may do, or end the match."""
        state, self._count = self._states[0], 0
        if state["to_move"] < 0:
            self._end(bool(state["truncated"]))
            return
        self.agent_selection = self.possible_agents[int(state["to_move"])]
        kernels = self.game.kernels
        kernels.observe(state, self._views[0])
        self._count = int(kernels.legal(self._views[0], self._legal))

    def _end(self, cut: bool) -> None:
        ranks = self.game.result(self._states[0])[1]
        self.rewards = dict(zip(self.agents, rewards_of(ranks), strict=True))
        ended = self.truncations if cut else self.terminations
        ended.update(dict.fromkeys(self.agents, True))
        self.agent_selection = self.agents[0]


def numbers_of(view: Any) -> Any:
    """The numbers of a view row, field by field, `int64[V]`."""
    return np.concatenate([np.ravel(view[name]).astype(np.int64) for name in view.dtype.names])


def rewards_of(ranks: list[int]) -> list[float]:
    """The share of the others that each seat beat, less the share that beat it.

    >>> rewards_of([0, 1, 1])
    [1.0, -0.5, -0.5]
    """
    others: Mapping[int, int] = {rank: ranks.count(rank) for rank in ranks}
    behind = [sum(count for other, count in others.items() if other > rank) for rank in ranks]
    ahead = [sum(count for other, count in others.items() if other < rank) for rank in ranks]
    return [(won - lost) / (len(ranks) - 1) for won, lost in zip(behind, ahead, strict=True)]

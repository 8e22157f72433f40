"""Monte Carlo: deal the hidden tiles at random, try each idea, and let everybody play greedily for some turns."""

from __future__ import annotations

from typing import Any

import numpy as np

from league import Bot
from league.games.rummikub import DRAW, PASS, Plain, Play, View
from league.games.rummikub import kernels as rules
from league.games.rummikub.rows import ACTION
from league.games.rummikub.solver import best_play
from league.kernels import rows

ONE_EACH = np.ones(53, np.int64)
KEEP_JOKERS: dict[str, int] = {f"{colour}{number}": 100 for colour in "krby" for number in range(1, 14)} | {
    "j": -150
}


class MonteCarlo(Bot):
    """Compares laying the most tiles, the most points, all but jokers, and nothing, in imagined worlds."""

    game = "rummikub"
    options = {"worlds": 4, "turns": 6}

    def choose(self, view: View) -> Plain | Play:
        """The idea with the best mean over the same worlds for all."""
        ideas = self.ideas(view)
        if len(ideas) == 1:
            return ideas[0]
        seeds = [self.rng.getrandbits(64) for _ in range(int(self.options["worlds"]))]
        worths = [sum(self.play_out(view, idea, seed) for seed in seeds) for idea in ideas]
        return ideas[int(np.argmax(worths))]

    def ideas(self, view: View) -> list[Plain | Play]:
        """What might be done, without doubles; a play that goes out needs no comparison."""
        wait = DRAW if view.pool_size else PASS
        most = view.best_play()
        if most is None:
            return [wait]
        if len(most.played) == len(view.rack):
            return [most]
        others = [view.best_play("value"), view.best_play(KEEP_JOKERS)]
        return list(dict.fromkeys([most, *[play for play in others if play], wait]))

    def play_out(self, view: View, idea: Plain | Play, seed: int) -> float:
        """The lead after the idea and some greedy turns in one world."""
        states, actions = rows(1, view.game.state_dtype), rows(1, ACTION)
        views = rows(1, view.game.view_dtype)
        state, action = states[0], view.game.action_row(idea)
        rules.imagine(view.row, np.uint64(seed), state)
        start = int(state["rounds_over"])
        for _ in range(1 + int(self.options["turns"])):
            rules.step(state, action)
            if state["to_move"] < 0 or state["rounds_over"] > start:
                break
            action = actions[0]
            rules.observe(state, views[0])
            answer_greedily(views[0], action)
        return lead(state, view.seat, over=bool(state["rounds_over"] > start))


def answer_greedily(view: Any, action: Any) -> None:
    """The most tiles, or a draw."""
    if not best_play(view, ONE_EACH, np.int64(0), action):
        action["kind"], action["unplaced"], action["count"], action["sets"] = (
            int(view["pool_size"] == 0),
            0,
            0,
            0,
        )


def lead(state: Any, seat: int, *, over: bool) -> float:
    """Points ahead of the mean of the others; while the round goes on, what the racks hold counts against each."""
    points = state["totals"].astype(float)
    if not over:
        points -= [int(rules.rack_total(state, other)) for other in range(4)]
    others = [points[other] for other in range(state["seats"]) if other != seat]
    return float(points[seat] - sum(others) / len(others))

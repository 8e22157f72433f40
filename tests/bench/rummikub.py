"""The solver of Rummikub beside integer programs, and rounds a second: `python -m tests.bench.rummikub`."""

from __future__ import annotations

import sys
from typing import Any, cast

import numpy as np

from league.clock import now_ns
from league.games.rummikub import GAME, View
from league.games.rummikub import kernels as rules
from league.games.rummikub.solver import best_play
from league.kernels import Rows, rows
from league.play import Batch, Limits
from league.play.hosts import host_for
from league.play.table import play_batch
from league.roster.find import find_bot
from tests.games.rummikub.milp import KINDS, most_weight

ONE_EACH = np.ones(53, np.int64)
SEATS = 4


def positions(rounds: int) -> Rows:
    """What opened seats see in rounds of greedy play."""
    game, found = GAME(SEATS), []
    view, action = rows(1, GAME.view_dtype), rows(1, GAME.action_dtype)
    for deal in range(rounds):
        state = game.start(deal)[0]
        while state["to_move"] >= 0:
            rules.observe(state, view[0])
            if state["opened"][state["to_move"]]:
                found.append(view.copy())
            if not best_play(view[0], ONE_EACH, np.int64(0), action[0]):
                rules.stand_in(state, action[0])
            rules.step(state, action[0])
    return cast(Rows, np.concatenate(found))


def solve_ms(views: Rows) -> Any:
    """Milliseconds of each solve, the best of three."""
    action, times = rows(1, GAME.action_dtype)[0], np.empty((3, len(views)))
    for repeat in range(3):
        for at, view in enumerate(views):
            started = now_ns()
            best_play(view, ONE_EACH, np.int64(0), action)
            times[repeat, at] = (now_ns() - started) / 1e6
    return times.min(axis=0)


def program_ms(views: Rows) -> Any:
    """Milliseconds that `scipy.optimize.milp` takes to find the most tiles."""
    game, times = GAME(SEATS), []
    weights = dict.fromkeys(KINDS, 1)
    for view in cast(list[View], list(game.views(views))):
        rack, table = tuple(view.rack), tuple(map(tuple, view.table))
        started = now_ns()
        most_weight(rack, table, weights, "substitute")
        times.append((now_ns() - started) / 1e6)
    return np.array(times)


def rounds_a_second(bot: str, rounds: int) -> float:
    """Rounds a second of four copies of a bot, played by one process."""
    game, found = GAME(SEATS), find_bot(bot, "rummikub")
    best = 0.0
    for _ in range(3):
        host = host_for(game, found.bundle, found.kind, dict(found.options), "none", Limits())
        batch = Batch(0, 0, np.arange(rounds), np.zeros((rounds, SEATS), np.int16))
        started = now_ns()
        play_batch(game, batch, [host], Limits(), league_seed=1)
        best = max(best, rounds / (now_ns() - started) * 1e9)
        host.close()
    return best


if __name__ == "__main__":
    many = positions(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
    ours, some = solve_ms(many), many[:: max(1, len(many) // 100)]
    mine, theirs = solve_ms(some).mean(), program_ms(some).mean()
    print(
        f"{len(ours)} positions: median {np.median(ours):.3f} ms, 99th percentile {np.quantile(ours, 0.99):.2f} ms"
    )
    print(f"{len(some)} of them: mean {mine:.3f} ms, milp {theirs:.1f} ms, ratio {theirs / mine:.0f}")
    for name, rounds in (("most_tiles", 200), ("own_sets", 1000), ("random", 50)):
        print(f"{name}: {rounds_a_second(name, rounds):,.0f} rounds a second")

"""A batch of compiled bots comes to the same in one loop as at the table, also where a bot fails."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from league.games import Game
from league.games.find import find_game, game_names
from league.kernels import Rows
from league.play import Ask, Batch, Failure, Host, Limits, Played
from league.play.fused import play_fused
from league.play.hosts import host_for
from league.play.table import play_batch
from league.roster import Bundle
from league.roster.find import find_bots

FAULTY = b"""
from league import CompiledBot
from league.games.regenwormen import GAME
from league.games.regenwormen.kernels import legal
from league.games.regenwormen.rows import ACTION
from league.kernels import below
import numpy as np

MOST = GAME.max_legal


class Faulty(CompiledBot):
    game = "regenwormen"

    @staticmethod
    def choose(view, action, seed, options):
        actions = np.empty(MOST, ACTION)
        drawn = actions[below(seed, legal(view, actions))]
        action.face, action.then, action.tile = drawn.face, drawn.then, drawn.tile
        if view.turn == 7:
            %s
"""


class Nobody(Host):
    """Sits nowhere, and cannot be asked by compiled code, so that all sit down at the table."""

    def choose(self, ask: Ask, actions: Rows) -> Sequence[Failure]:
        raise AssertionError("nobody sits here")


def batch_of(game: Game, bots: int, matches: int) -> Batch:
    """Every bot on every seat, a deal for each match."""
    places = (np.arange(matches)[:, None] + np.arange(game.seats)) % bots
    return Batch(2, 40, np.arange(matches), places.astype(np.int16))


def assert_same(one: Played, other: Played) -> None:
    for column in ("scores", "ranks", "truncated", "turns", "decisions"):
        assert np.array_equal(getattr(one, column), getattr(other, column)), column
    assert one.actions.tobytes() == other.actions.tobytes()
    assert one.faults == other.faults


@pytest.mark.parametrize("name", game_names())
def test_compiled_bots_play_as_they_do_at_the_table(name: str) -> None:
    game = find_game(name)()
    bots = [bot for bot in find_bots()[0] if bot.game == name and bot.kind == "compiled"]
    hosts = [host_for(game, bot.bundle, bot.kind, bot.options, "none", Limits()) for bot in bots]
    batch = batch_of(game, len(bots), 12)
    fused = play_fused(game, batch, hosts, league_seed=5)
    assert fused is not None
    assert_same(fused, play_batch(game, batch, [*hosts, Nobody()], Limits(), league_seed=5))
    assert_same(fused, play_batch(game, batch, hosts, Limits(), league_seed=5))
    assert (fused.think_ns > 0).all()


@pytest.mark.parametrize("fault", ["action.face = 0", "raise ValueError('never on the seventh turn')"])
def test_a_bot_that_fails_is_charged_at_the_table(fault: str) -> None:
    game = find_game("regenwormen")(2)
    bundle = Bundle({"faulty.py": FAULTY % fault.encode()}, "faulty.py", "Faulty")
    hosts = [host_for(game, bundle, "compiled", {}, "none", Limits())]
    batch = batch_of(game, 1, 30)
    assert play_fused(game, batch, hosts, league_seed=5) is None
    played = play_batch(game, batch, hosts, Limits(), league_seed=5)
    assert played.faults
    assert_same(played, play_batch(game, batch, [*hosts, Nobody()], Limits(), league_seed=5))

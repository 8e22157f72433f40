"""Hands of dominoes a second, beside OpenSpiel's block dominoes: `python -m tests.bench.dominoes`."""

from __future__ import annotations

import random
from importlib import import_module
from typing import Any

import numpy as np

from league.clock import now_ns
from league.games.dominoes import GAME
from league.games.dominoes import kernels as rules
from league.games.dominoes.sight import legal, observe
from league.kernels import below, kernel, mix, rows


@kernel
def play_hands(state: Any, view: Any, actions: Any, deals: Any) -> Any:
    """Play one hand of each deal with bots that look, list what is legal and take any; tell the decisions."""
    decisions = 0
    for deal in range(deals):
        state.deal = deal
        state.to_move = 0
        rules.start(state)
        while state.to_move >= 0:
            observe(state, view)
            chosen = below(mix(state.deal, decisions), legal(view, actions))
            rules.step(state, actions[chosen])
            decisions += 1
    return decisions


def ours(hands: int) -> float:
    """Hands a second of compiled random bots for two, one match a hand."""
    game = GAME(2, {"max_hands": 1, "target": 1_000_000})
    state, view, actions = (
        game.blank()[0],
        rows(1, game.view_dtype)[0],
        rows(game.max_legal, game.action_dtype),
    )
    play_hands(state, view, actions, 1)
    started = now_ns()
    play_hands(state, view, actions, hands)
    return hands / (now_ns() - started) * 1e9


def open_spiel(hands: int) -> float:
    """Hands a second of `python_block_dominoes` with random choices."""
    import pyspiel

    import_module("open_spiel.python.games.block_dominoes")
    game, rng = pyspiel.load_game("python_block_dominoes"), random.Random(1)
    started = now_ns()
    for _ in range(hands):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return hands / (now_ns() - started) * 1e9


if __name__ == "__main__":
    pairs = [(ours(20_000), open_spiel(300)) for _ in range(5)]
    mine, theirs = np.max(pairs, axis=0)
    print(f"hands a second: {mine:,.0f}, OpenSpiel {theirs:,.0f}, ratio {mine / theirs:.0f}")

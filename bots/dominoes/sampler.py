"""Monte Carlo over hidden hands: imagine what the others may hold, and play it out on the engine."""

from __future__ import annotations

from typing import Any

import numpy as np

from league import Bot
from league.games.dominoes import Place, View, layout
from league.games.dominoes import kernels as rules
from league.games.dominoes.hands import list_places
from league.games.dominoes.sight import imagine
from league.kernels import kernel, mix, own, rows

MATCH = 40.0
"""What winning or losing the match counts, in points."""


class Sampler(Bot):
    """Deals the unseen tiles so as to fit all draws and passes, and plays every placement out in each such world.

    In the playouts every seat takes the most points, of equal ones one at random. The playout ends with the hand.
    """

    game = "dominoes"
    options = {"worlds": 60}

    def choose(self, view: View) -> Place:
        """The placement with the best mean over the same imagined worlds for all."""
        legal = view.legal
        worth = np.zeros(len(legal))
        states = rows(2, view.game.state_dtype)
        places = np.zeros((view.game.max_legal, 2), np.int8)
        seed = np.uint64(self.rng.getrandbits(64))
        search(own(view.row), seed, int(self.options["worlds"]), states, places, worth)
        return legal[int(worth.argmax())]


@kernel
def search(view: Any, seed: Any, worlds: Any, states: Any, places: Any, worth: Any) -> None:
    """Add up for each legal placement what it comes to in each world."""
    for world in range(worlds):
        chance = mix(seed, world)
        imagine(view, chance, states[0])
        for at in range(view.legal_count):
            states[1] = states[0]
            rules.place(states[1], view.legal[at, 0], view.legal[at, 1])
            play_out(states[1], chance, places)
            worth[at] += lead(states[1], view.seat)


@kernel
def play_out(state: Any, chance: Any, places: Any) -> None:
    """Play to the end of the hand, everybody greedily."""
    happened = rules.PLAYED
    while happened != rules.SETTLED and state.to_move >= 0:
        happened = rules.proceed(state)
        if happened == rules.NOTHING and state.to_move >= 0:
            chance = mix(chance, 1)
            play_greedily(state, chance, places)


@kernel
def play_greedily(state: Any, chance: Any, places: Any) -> None:
    """Play what scores most; of equal placements one at random."""
    count = list_places(state, state.to_move, places)
    best, best_key = 0, np.uint64(0)
    for at in range(count):
        scored = layout.points(layout.count_after(state, places[at, 0], places[at, 1]))
        key = (np.uint64(scored) << np.uint64(32)) | (mix(chance, at) >> np.uint64(32))
        if at == 0 or key > best_key:
            best, best_key = at, key
    rules.place(state, places[best, 0], places[best, 1])


@kernel
def lead(state: Any, seat: Any) -> Any:
    """Points ahead of the best other seat, and the match if it is decided."""
    best = 0
    for other in range(state.seats):
        if other != seat:
            best = max(best, state.scores[other])
    ahead = float(state.scores[seat] - best)
    if state.to_move < 0:
        ahead += MATCH if ahead > 0 else -MATCH
    return ahead

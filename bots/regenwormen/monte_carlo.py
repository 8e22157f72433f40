"""A bot that tries every action many times on the engine itself."""

from typing import Any

import numpy as np

from league import CompiledBot
from league.games.regenwormen import GAME
from league.games.regenwormen.kernels import imagine, legal, standing_key, step
from league.games.regenwormen.rolls import follow_ups
from league.games.regenwormen.rows import ACTION, FACES, MAX_SEATS, ROLL, STATE, STEAL, TAKE, WORM
from league.games.regenwormen.tiles import highest, value
from league.kernels import kernel, mix

MOST = GAME.max_legal


@kernel
def play_simply(state: Any, action: Any) -> None:
    """Keep the most points, worms counting a little more; end the turn as soon as there is a tile."""
    best = -1
    for face in range(1, FACES + 1):
        bits = follow_ups(state, face)
        if bits == 0:
            continue
        worth = state.dice[face - 1] * value(face) + 2 * (face == WORM) + 100 * (bits > (1 << ROLL))
        if worth > best:
            best = worth
            action.face = face
            action.then = STEAL if bits & (1 << STEAL) else TAKE if bits & (1 << TAKE) else ROLL
            action.tile = 0
            if action.then == TAKE and state.any_below:
                action.tile = highest(state.open_tiles, state.total + state.dice[face - 1] * value(face))


@kernel
def lead_of(state: Any, seat: Any, scores: Any) -> Any:
    """The worms of a seat over the mean of the others."""
    lead = 0.0
    for other in range(state.seats):
        standing_key(state, other, scores)
        lead += scores[other] if other == seat else -scores[other] / (state.seats - 1)
    return lead


@kernel
def playout(state: Any, action: Any, turns: Any) -> None:
    """Take an action and play on until so many turns are over."""
    last = state.turn + turns
    step(state, action)
    while state.to_move >= 0 and state.turn < last:
        play_simply(state, action)
        step(state, action)


class MonteCarlo(CompiledBot):
    """Plays every legal action out many times with imagined dice, and takes the one that gains most worms."""

    game = "regenwormen"
    options = {"playouts": 60, "turns": 1}

    @staticmethod
    def choose(view: Any, action: Any, seed: Any, options: Any) -> None:
        """Compare all actions over the same dice."""
        actions, tried = np.empty(MOST, ACTION), np.zeros(1, ACTION)
        states, scores = np.zeros(1, STATE), np.zeros(MAX_SEATS, np.int32)
        count = legal(view, actions)
        best = -1e9
        for place in range(count):
            gain = 0.0
            for number in range(options.playouts):
                imagine(view, mix(seed, number), states[0])
                tried[0] = actions[place]
                playout(states[0], tried[0], options.turns)
                gain += lead_of(states[0], view.seat, scores)
            if gain > best:
                best = gain
                action.face = actions[place].face
                action.then = actions[place].then
                action.tile = actions[place].tile

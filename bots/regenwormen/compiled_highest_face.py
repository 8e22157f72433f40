"""The bot `highest_face` at the engine's speed."""

from typing import Any

from league import CompiledBot
from league.games.regenwormen.rows import FACES, ROLL, STEAL, TAKE
from league.games.regenwormen.tiles import highest, value


class CompiledHighestFace(CompiledBot):
    """Plays as `highest_face` does: the highest face first, a tile as soon as there is one; compiled."""

    game = "regenwormen"

    @staticmethod
    def choose(view: Any, action: Any, seed: Any, options: Any) -> None:
        """Take the highest face, then what ends the turn well."""
        face = FACES
        while view.legal[face - 1] == 0:
            face -= 1
        bits = view.legal[face - 1]
        action.face = face
        if bits & (1 << STEAL):
            action.then = STEAL
        elif bits & (1 << TAKE):
            action.then = TAKE
            if view.any_below:
                action.tile = highest(view.open_tiles, view.total + view.dice[face - 1] * value(face))
        else:
            action.then = ROLL

"""A short match, event by event: the same deal and choices must give it for as long as the game's version stands."""

from __future__ import annotations

import json
from pathlib import Path

from league.games.dominoes import GAME

GOLDEN = Path(__file__).with_name("transcript.jsonl")
OPTIONS = {"target": 20, "win_check": "hand_end"}


def transcript() -> list[str]:
    """Three seats that play the middle one of their legal placements."""
    game = GAME(3, OPTIONS)
    state = game.start(2026)[0]
    events = [frame.event for frame in game.opening_frames(state)]
    while state["to_move"] >= 0:
        legal = game.view(state).legal
        place = legal[len(legal) // 2]
        events += [frame.event for frame in game.frames(state, game.action_row(place))]
        game.play(state, place)
    return [json.dumps(event) for event in events]


def test_transcript() -> None:
    assert transcript() == GOLDEN.read_text().splitlines()

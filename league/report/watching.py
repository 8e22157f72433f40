"""A replay made ready for the viewer: boards, moves in words, scores as they stood, moments to jump to."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from league.games import Event, Frame, Game
from league.logged import Replay
from league.report.briefs import leads
from league.report.encoding import Boards

SWINGS = 5
"""Moments of a match to which the viewer jumps."""


@dataclass(frozen=True)
class Move:
    """One line of the list beside the board.

    Attributes:
        seat: Whose move it is; None where it is nobody's.
        text: What happened, all open.
        is_fault: Whether it is a fault.
    """

    seat: int | None
    text: str
    is_fault: bool


@dataclass(frozen=True)
class Watch:
    """A match as the viewer shows it; its last frame is the recorded result.

    Attributes:
        match, deal: Which one.
        labels: `name@version` by seat.
        scores, ranks: As recorded.
        moves: A line a frame.
        swings: Frames at which the lead changed most.
        last_board: The final board.
        packed: Boards and scores for the viewer: JSON, deflated, in base 64.
    """

    match: int
    deal: int
    labels: Sequence[str]
    scores: Sequence[int]
    ranks: Sequence[int]
    moves: Sequence[Move]
    swings: Sequence[int]
    last_board: str
    packed: str


def watch(replay: Replay) -> Watch:
    """Draw every frame of a match."""
    game, frames = replay.game, replay.frames
    scores = standings_by_frame(replay)
    swings = swings_of(scores)
    boards = Boards()
    seats: list[int | None] = [None, *range(game.seats)] if game.hidden else [None]
    views = []
    last = ""
    for seat in seats:
        drawn = [game.draw_svg(frame.state, _of_game(frame.event), seat) for frame in frames]
        drawn.append(game.draw_svg(frames[-1].state, None, seat) if frames else "")
        views.append(boards.pack(drawn))
        last = last or drawn[-1]
    told = {
        "words": boards.words,
        "views": views,
        "told": [told_to(game, frames, seat) for seat in seats if seat is not None],
        "scores": scores.tolist(),
        "swings": swings,
    }
    return Watch(
        match=replay.match,
        deal=replay.deal,
        labels=replay.bots,
        scores=replay.result["scores"],
        ranks=replay.result["ranks"],
        moves=[*(_move(game, frame.event) for frame in frames), Move(None, replay.outcome, False)],
        swings=swings,
        last_board=last,
        packed=pack(told),
    )


def _of_game(event: Event) -> Event | None:
    """The event if the game knows it; a fault is the league's."""
    return None if event["event"] == "fault" else event


def pack(value: Any) -> str:
    """A JSON value, deflated, in base 64."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _move(game: Game, event: Event) -> Move:
    if event["event"] == "fault":
        return Move(event["seat"], f"fault, {event['kind']}: {event['message']}", True)
    return Move(event.get("seat"), game.tell(event), False)


def told_to(game: Game, frames: Sequence[Frame], seat: int) -> dict[str, str]:
    """The moves that `seat` heard of otherwise than all open, by frame."""
    told = {}
    for place, frame in enumerate(frames):
        if frame.event["event"] != "fault":
            text = game.tell(frame.event, seat)
            if text != game.tell(frame.event):
                told[str(place)] = text
    return told


def standings_by_frame(replay: Replay) -> Any:
    """`int64[frames + 1, seats]` how the seats stood, the recorded scores last."""
    rows = [replay.game.standing(frame.state) for frame in replay.frames]
    return np.array([*rows, replay.result["scores"]], np.int64)


def swings_of(scores: Any) -> list[int]:
    """The frames at which somebody's lead changed most, in order."""
    if scores.shape[1] < 2 or len(scores) < 2:
        return []
    change = np.abs(np.diff(leads(scores), axis=0)).max(axis=1)
    best = np.argsort(-change, kind="stable")[:SWINGS]
    return sorted(int(place) + 1 for place in best if change[place] > 0)


def comeback_of(scores: Any, ranks: Sequence[int]) -> int:
    """By how much the winner was once behind; 0 where the win is shared."""
    if list(ranks).count(0) != 1 or scores.shape[1] < 2:
        return 0
    return max(0, int(-leads(scores)[:, list(ranks).index(0)].min()))

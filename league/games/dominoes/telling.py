"""A match of dominoes told to people: events in words, and what reports count."""

from __future__ import annotations

from collections.abc import Sequence

from league.games import Event, Measure, tell_plainly
from league.words import counted


def tell(event: Event, seat: int | None) -> str:
    """What happened, in words: all of it, or only what `seat` may know."""
    match event:
        case {"event": "deal", "hand": hand}:
            return f"Hand {hand + 1} is dealt"
        case {"event": "draw", "seat": drawer, "tile": [high, low]}:
            return f"draws {high}-{low}" if seat in (None, drawer) else "draws a tile"
        case {"event": "play", "tile": [high, low], "arm": arm, "ends": ends, "points": points}:
            place = "as the spinner" if arm is None else f"on arm {arm}"
            gain = f", {counted(points, 'point')}" if points else ""
            return f"plays {high}-{low} {place}: the ends count {ends}{gain}"
        case {"event": "pass"}:
            return "passes"
        case {"event": "hand_over", "hand": hand, "reason": reason, "winner": winner, "bonus": bonus}:
            how = "blocked" if reason == "blocked" else "over"
            gain = (
                f", seat {winner} gets {counted(bonus, 'point')} for the tiles of the others" if bonus else ""
            )
            return f"Hand {hand + 1} is {how}{gain}"
    return tell_plainly(event)


def _points(events: Sequence[Event], seats: int) -> list[list[float | None]]:
    """What each seat got for ends while playing, and for the tiles of others after going out."""
    counts: list[list[float]] = [[0.0, 0.0] for _ in range(seats)]
    for event in events:
        if event["event"] == "play":
            counts[event["seat"]][0] += event["points"]
        elif event["event"] == "hand_over" and event["winner"] is not None:
            counts[event["winner"]][1] += event["bonus"]
    return [[*seat] for seat in counts]


POINTS = Measure("Where points come from", "points a match", ("open ends", "tiles of others"), _points)

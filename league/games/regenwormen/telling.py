"""A match of Regenwormen told to people: events in words, and what reports count."""

from __future__ import annotations

from collections.abc import Sequence

from league.games import Event, Measure, tell_plainly
from league.words import counted

_REASONS = {
    "no_new_face": "no new face to keep",
    "no_worm": "no worm among the kept dice",
    "no_tile": "no tile to be had",
}


def tell(event: Event) -> str:
    """What happened, in words."""
    match event:
        case {"event": "roll", "dice": dice}:
            return f"rolls {_faces(dice)}"
        case {"event": "keep", "face": face, "count": count, "total": total, "dice_left": left}:
            return f"keeps {count} × {_faces([face])}: {total} together, {counted(left, 'die', 'dice')} left"
        case {"event": "take", "tile": tile}:
            return f"takes tile {tile}"
        case {"event": "steal", "tile": tile, "from": victim}:
            return f"steals tile {tile} from seat {victim}"
        case {"event": "bust", "reason": reason, "returned": returned, "turned": turned}:
            back = f", gives back tile {returned}" if returned else ""
            down = f", tile {turned} is turned down" if turned else ""
            return f"busts with {_REASONS[reason]}{back}{down}"
    return tell_plainly(event)


def _faces(dice: Sequence[int]) -> str:
    return " ".join("W" if face == 6 else str(face) for face in dice)


_ENDS = ("take", "steal", "bust")


def _ends(events: Sequence[Event], seats: int) -> list[list[float | None]]:
    """How each seat's turns ended."""
    counts: list[list[float | None]] = []
    for seat in range(seats):
        mine = [event["event"] for event in events if event.get("seat") == seat]
        counts.append([float(mine.count(end)) for end in _ENDS])
    return counts


TURNS = Measure("How turns end", "turns a match", ("tiles taken", "tiles stolen", "busts"), _ends)

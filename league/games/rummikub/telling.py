"""A match of Rummikub told to people: events in words, and what reports count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from league.games import Event, Measure, tell_plainly
from league.words import counted

_REASONS = {"time_limit": "for thinking too long", "illegal": "for an illegal play"}


def tell(event: Event, seat: int | None) -> str:
    """What happened, in words: all of it, or only what `seat` may know."""
    match event:
        case {"event": "start", "round": number, "first": first}:
            return f"Round {number + 1} begins with seat {first}"
        case {"event": "play", "played": played, "meld": meld}:
            return f"{'opens with' if meld else 'plays'} {' '.join(played)}"
        case {"event": "draw", "tile": None}:
            return "passes, for the pool is empty"
        case {"event": "draw", "seat": drawer, "tile": tile}:
            return f"draws {tile}" if seat in (None, drawer) else "draws a tile"
        case {"event": "penalty", "seat": drawer, "reason": reason, "tiles": tiles}:
            drawn = " ".join(tiles) if seat in (None, drawer) else counted(len(tiles), "tile")
            return f"draws {drawn} {_REASONS[reason]}"
        case {"event": "round_over", "round": number, "reason": reason, "winner": winner, "scores": scores}:
            how = "nobody can go on" if reason == "stuck" else "a rack is empty"
            won = "nobody wins" if winner is None else f"seat {winner} wins"
            return f"Round {number + 1} is over, {how}, {won}: {', '.join(f'{score:+d}' for score in scores)}"
    return tell_plainly(event)


def rounds(events: Sequence[Event]) -> Iterator[list[Event]]:
    """The events of each round, the last of which may lack its end."""
    current: list[Event] = []
    for event in events:
        if event["event"] == "start" and current:
            yield current
            current = []
        if event["event"] != "fault":
            current.append(event)
    if current:
        yield current


def _opening(events: Sequence[Event], seats: int) -> list[list[float | None]]:
    """In which of its turns of a round each seat opened, on average over the rounds in which it did."""
    turns: list[list[int]] = [[] for _ in range(seats)]
    for each in rounds(events):
        taken, mover = [0] * seats, None
        for event in each:
            if event["event"] in ("play", "draw", "penalty"):
                taken[event["seat"]] += event["seat"] != mover
                mover = event["seat"]
                if event.get("meld"):
                    turns[mover].append(taken[mover])
    return [[sum(mine) / len(mine)] if mine else [None] for mine in turns]


def _tiles_left(events: Sequence[Event], seats: int) -> list[list[float | None]]:
    """How many tiles each seat held at the end of a round, on average."""
    left: list[list[int]] = [[] for _ in range(seats)]
    for each in rounds(events):
        sizes = [len(hand) for hand in each[0]["hands"]]
        for event in each[1:]:
            match event:
                case {"event": "play", "seat": seat, "played": played}:
                    sizes[seat] -= len(played)
                case {"event": "draw", "seat": seat, "tile": tile}:
                    sizes[seat] += tile is not None
                case {"event": "penalty", "seat": seat, "tiles": tiles}:
                    sizes[seat] += len(tiles)
        for seat, size in enumerate(sizes):
            left[seat].append(size)
    return [[sum(mine) / len(mine)] if mine else [None] for mine in left]


OPENING = Measure("Turn of the opening", "own turns until it opens", ("turn",), _opening)
LEFT = Measure("Tiles left", "tiles in hand when a round ends", ("tiles",), _tiles_left)

"""What is counted in a sample of replayed matches: the game's own measures, and comebacks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from league.games import Game
from league.logged import Replay
from league.report.facts import Facts
from league.report.watching import comeback_of, standings_by_frame

SIZE = 240
"""Matches replayed for statistics, spread evenly over the league."""

COMEBACKS = 2


@dataclass
class Sample:
    """Sums over replayed matches; bots are places in `Facts.bots`.

    Attributes:
        matches: How many were replayed.
        sums, counts: By measure of the game, `float64[bots, parts]`.
        comebacks: The greatest, as match and by how much the winner was once behind.
    """

    matches: int
    sums: list[Any] = field(default_factory=list)
    counts: list[Any] = field(default_factory=list)
    comebacks: list[tuple[int, int]] = field(default_factory=list)


def spread(total: int, size: int = SIZE) -> list[int]:
    """Numbers from 0 to below `total`, evenly spread.

    >>> spread(10, 4)
    [0, 2, 5, 7]
    """
    return [place * total // size for place in range(size)] if total > size else list(range(total))


def sample(facts: Facts, game: Game, replays: Iterable[Replay]) -> Sample:
    """Count in every replay."""
    places = {bot.label: place for place, bot in enumerate(facts.bots)}
    shapes = [(len(facts.bots), len(measure.parts)) for measure in game.measures]
    taken = Sample(0, [np.zeros(shape) for shape in shapes], [np.zeros(shape) for shape in shapes])
    found: list[tuple[int, int]] = []
    for replay in replays:
        taken.matches += 1
        _measure(taken, game, replay, [places[label] for label in replay.bots])
        behind = comeback_of(standings_by_frame(replay), replay.result["ranks"])
        if behind and not any(frame.event["event"] == "fault" for frame in replay.frames):
            found.append((replay.match, behind))
    taken.comebacks = sorted(found, key=lambda pair: (-pair[1], pair[0]))[:COMEBACKS]
    return taken


def _measure(taken: Sample, game: Game, replay: Replay, bots: Sequence[int]) -> None:
    events = [frame.event for frame in replay.frames]
    for number, measure in enumerate(game.measures):
        for seat, values in enumerate(measure.count(events, game.seats)):
            for part, value in enumerate(values):
                if value is not None:
                    taken.sums[number][bots[seat], part] += value
                    taken.counts[number][bots[seat], part] += 1

"""A plain game for tests: a race by the open die or by a hidden card, a seat after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from pydantic import Field

from league.games import GameOptions
from league.games.plain import Match, PlainGame

CARDS = 3


class RaceOptions(GameOptions):
    """The options of the race."""

    goal: int = Field(15, ge=5, le=60, description="steps to the goal")


class RaceMatch(Match):
    """Hands, places and the die."""

    def __init__(self, seats: int, options: RaceOptions, rng: Random) -> None:
        self.goal, self.at, self.to_move = options.goal, [0] * seats, 0
        self.hands = [sorted(rng.sample(range(1, 7), CARDS)) for _ in range(seats)]
        self._roll(rng)

    def _roll(self, rng: Random) -> None:
        self.die = rng.randint(1, 6)
        self.rolled = [f"rolls {self.die}"]

    def legal(self) -> Sequence[str]:
        assert self.to_move is not None
        return ["die", *(f"card {card}" for card in self.hands[self.to_move])]

    def step(self, action: str, rng: Random) -> None:
        seat = self.to_move
        assert seat is not None
        steps = self.die if action == "die" else int(action.removeprefix("card "))
        if action != "die":
            self.hands[seat].remove(steps)
        self.at[seat] += steps
        self.to_move, self.rolled = None, []
        if self.at[seat] < self.goal:
            self.to_move = (seat + 1) % len(self.at)
            self._roll(rng)

    def scores(self) -> Sequence[int]:
        return self.at

    def view(self, seat: int) -> Sequence[Any]:
        return [self.die, self.at, self.hands[seat], "é\n|" * seat]

    def news(self) -> Sequence[str]:
        return self.rolled


class Race(PlainGame):
    """A race by die or by card."""

    name = "race"
    title = "A <race>"
    version = 1
    seat_counts = range(2, 5)
    hidden = True
    match = RaceMatch
    words: ClassVar[Mapping[str, str]] = {
        "die": "what the die shows",
        "at": "how far each seat is",
        "hand": "the cards of the seat that looks",
        "noise": "letters that are not easily written",
    }
    Options = RaceOptions
    longest = 40


class OpenRaceMatch(RaceMatch):
    """The same with open cards."""

    def view(self, seat: int) -> Sequence[Any]:
        return [self.die, self.at, self.hands]


class OpenRace(Race):
    """A race in which nothing is hidden."""

    name = "open_race"
    hidden = False
    match = OpenRaceMatch
    words: ClassVar[Mapping[str, str]] = {"die": "the die", "at": "the places", "hands": "all cards"}


class Narrow(Race):
    """A race that has more actions than it says."""

    name = "narrow"
    max_legal = 3


def install(folder: Path) -> None:
    """Make the games, and one that is not there, known to whoever has the folder on its path, as a package does."""
    info = folder / "race-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: race\nVersion: 1\n")
    places = {"race": "Race", "open_race": "OpenRace", "narrow": "Narrow", "nowhere": "Nowhere"}
    points = "".join(f"{name} = tests.games.race:{place}\n" for name, place in places.items())
    (info / "entry_points.txt").write_text(f"[league.games]\n{points}")

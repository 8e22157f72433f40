"""One logged match as frames and events."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from league.errors import ResultsError
from league.games import Event, Frame, Game
from league.games.find import game_of
from league.kernels import Rows
from league.play.seeding import deal_seeds
from league.read import Results, open_results, tables
from league.store import ResultFolder
from league.words import counted


@dataclass(frozen=True)
class LoggedLeague:
    """What a result folder says of its league, ready for replays."""

    folder: ResultFolder
    kept: Mapping[str, Any]
    game: Game

    @property
    def seed(self) -> int:
        """The league's seed."""
        return int(self.kept["config"]["league"]["seed"])

    def require_actions(self) -> None:
        """Refuse a league whose matches cannot be replayed.

        Raises:
            ResultsError: Its actions were not logged.
        """
        if self.kept["config"]["log"]["level"] != "actions":
            raise ResultsError(
                f'{self.folder.uri}: played with log.level = "results"; replays need "actions", so set that '
                "and play the league again with --fresh"
            )


def open_league(results: Results) -> LoggedLeague:
    """A result folder's league.

    Raises:
        ResultsError: There is none, or another version of the game played it.
    """
    folder = open_results(results)
    kept = folder.read_league()
    game, version = game_of(kept["config"]["game"]), kept["config"]["game"]["version"]
    if game.version != version:
        raise ResultsError(
            f"{results}: played with version {version} of {game.name}, this package has version {game.version}; "
            f"install the package that played it (league {kept['league_version']})"
        )
    return LoggedLeague(folder, kept, game)


@dataclass(frozen=True)
class Replay:
    """A logged match.

    Attributes:
        game: Its game.
        match: Index in the schedule.
        deal: Its deal.
        bots: `name@version` by seat.
        frames: What happened at the table, in order, faults among it.
        result: The recorded result, as the last event says it.
    """

    game: Game
    match: int
    deal: int
    bots: list[str]
    frames: list[Frame] = field(repr=False)
    result: Event

    @property
    def outcome(self) -> str:
        """The result as a sentence, ranks from 1."""
        result = self.result
        ended = "" if result["termination"] == "completed" else ", ended by a cap"
        order = sorted(range(len(result["ranks"])), key=lambda seat: (result["ranks"][seat], seat))
        places = (f"{result['ranks'][seat] + 1}. seat {seat} with {result['scores'][seat]}" for seat in order)
        return f"Result after {counted(result['turns'], 'turn')}{ended}: {', '.join(places)}"

    def events(self) -> Iterator[Event]:
        """The lines of the replay format: the match, what happened, the result."""
        yield {
            "event": "match",
            "match": self.match,
            "game": self.game.name,
            "version": self.game.version,
            "options": self.game.options.model_dump(),
            "deal": self.deal,
            "bots": self.bots,
        }
        for frame in self.frames:
            yield frame.event
        yield self.result


def replay(results: Results, match: int) -> Replay:
    """One match of a league.

    Raises:
        ResultsError: There is no such match, or its actions were not logged.
    """
    league = open_league(results)
    for found in replays(league, match, match + 1):
        return found
    raise no_such_match(match, league.folder, league.kept["matches"])


def no_such_match(match: int, folder: ResultFolder, total: int) -> ResultsError:
    """What to raise where a league of `total` matches does not have that one."""
    if 0 <= match < total:
        return ResultsError(
            f"match {match} is not in {folder.uri}: not played yet, or lost; run the league again"
        )
    return ResultsError(f"match {match} is not there: {folder.uri} has matches 0 to {total - 1}")


def lost(folder: ResultFolder, matches: int) -> ResultsError:
    """What to raise where matches are gone that the standings count."""
    return ResultsError(
        f"{folder.uri}: {matches:,} of the rated matches are not there; run the league again, which plays them"
    )


def replays(league: LoggedLeague, first: int = 0, end: int | None = None) -> Iterator[Replay]:
    """The matches `first` to `end` of a league, one after another.

    Raises:
        ResultsError: Their actions were not logged.
    """
    league.require_actions()
    for table in tables(league.folder.uri, None, first, end):
        for row in table.to_pylist():
            yield replay_of(league, row)


def replay_of(league: LoggedLeague, row: Mapping[str, Any]) -> Replay:
    """A row of `matches` as a replay."""
    result = {
        "event": "result",
        "scores": row["scores"],
        "ranks": row["ranks"],
        "termination": row["termination"],
        "turns": row["turns"],
        "decisions": row["decisions"],
    }
    state = league.game.start(int(deal_seeds(league.seed, [row["deal"]])[0]))
    actions = np.frombuffer(row["actions"], league.game.action_dtype)
    frames = list(_frames(league.game, state, actions, row["faults"]))
    return Replay(league.game, row["match"], row["deal"], row["bots"], frames, result)


def _frames(game: Game, state: Rows, actions: Rows, faults: list[dict[str, Any]]) -> Iterator[Frame]:
    """All frames of a match; a fault stands before what the stand-in did."""
    yield from game.opening_frames(state[0])
    for decision, action in enumerate(actions):
        for fault in faults:
            if fault["decision"] == decision:
                yield Frame({"event": "fault", **fault}, state[0].copy())
        yield from game.frames(state[0], action)
        game.kernels.step(state[0], action)


def event_line(event: Mapping[str, Any]) -> str:
    """An event as one line of JSON."""
    return json.dumps(event, ensure_ascii=False, separators=(",", ":"))


def event_text(game: Game, event: Event, seat: int | None = None) -> str:
    """An event as a line for people: all of it, or only what `seat` may know."""
    who = f"seat {event['seat']} " if "seat" in event else ""
    return f"  {who}{game.tell(event, seat)}"

"""Play logged matches again and compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from league.errors import ResultsError
from league.games import Game
from league.kernels import Rows, rows
from league.logged import LoggedLeague, lost, open_league
from league.play import Batch, Limits, Played
from league.play.hosts import Isolation
from league.play.loops import loops_of
from league.play.seated import Seated, play_seated
from league.play.seeding import deal_seeds
from league.play.table import rank_faulty_last
from league.progress import Quiet, Reporter
from league.read import Results, read_standings, tables
from league.roster import Bundle, label_of
from league.roster.find import is_example
from league.roster.load import safe_path
from league.store import LEAGUE, STANDINGS, ResultFolder
from league.store.schema import TERMINATIONS


@dataclass(frozen=True)
class Verdict:
    """What verification found.

    Attributes:
        checked: Matches that were compared.
        wrong: One line for each match that came out otherwise.
    """

    checked: int
    wrong: Sequence[str]


def verify(
    results: Results, sample: int | None = None, bots: bool = False, reporter: Reporter | None = None
) -> Verdict:
    """Replay logged matches from their deals and actions, and compare with what was recorded.

    Args:
        results: A result folder or its URI.
        sample: Only so many matches, spread evenly over the league.
        bots: Ask the bots again as well, batch by batch, and compare their actions. All but example bots are kept
            apart meanwhile, so one that ran unguarded and drew from the global generators acts otherwise.
        reporter: Hears how it goes.

    Raises:
        ResultsError: There are no such results, actions were not logged, matches are gone that are rated, or sources
            of bots were changed.
    """
    league = open_league(results)
    league.require_actions()
    asked = _seated(league) if bots else []
    checked, there, wrong, reporter = 0, 0, [], reporter or Quiet()
    reporter.start(league.kept["matches"])
    try:
        for table in tables(results):
            there += len(table)
            chosen = _sampled(table, league, sample)
            if len(chosen):
                checked += len(chosen)
                wrong += list(_compare(league, chosen))
                if bots:
                    wrong += list(_compare_bots(league, asked, table, chosen))
            reporter.advance(there, there)
    finally:
        reporter.finish()
    rated = read_standings(league.folder)["matches"] if league.folder.exists(STANDINGS) else 0
    if there < rated:
        raise lost(league.folder, rated - there)
    return Verdict(checked, wrong)


def _sampled(table: pa.Table, league: LoggedLeague, sample: int | None) -> pa.Table:
    """The rows of a part that are in the sample."""
    total = league.kept["matches"]
    if sample is None or sample >= total:
        return table
    return table.filter(table.column("match").to_numpy() * sample % total < sample)


def _compare(league: LoggedLeague, table: pa.Table) -> Iterator[str]:
    """Lines for the matches of a table that do not replay to what was recorded."""
    game, recorded = league.game, table.to_pylist()
    states = _starts(game, deal_seeds(league.seed, table.column("deal").to_numpy()))
    actions = np.frombuffer(b"".join(row["actions"] for row in recorded), game.action_dtype)
    decisions = [len(row["actions"]) // game.action_dtype.itemsize for row in recorded]
    ends = np.cumsum(decisions)
    scores = np.zeros((len(table), game.seats), np.int32)
    ranks = np.zeros((len(table), game.seats), np.int8)
    faulty_at = np.zeros(len(table), np.int64)
    loops_of(game).replay(states, actions, ends, scores, ranks, faulty_at)
    faulty = np.zeros((len(table), game.seats), np.bool_)
    for place, row in enumerate(recorded):
        faulty[place, [fault["seat"] for fault in row["faults"]]] = True
    rank_faulty_last(ranks, faulty)
    for place, row in enumerate(recorded):
        if faulty_at[place] >= 0:
            yield f"match {row['match']}: action {faulty_at[place]} does not fit"
            continue
        replayed = {
            "scores": scores[place].tolist(),
            "ranks": ranks[place].tolist(),
            "turns": int(states["turn"][place]),
            "decisions": decisions[place],
            "termination": TERMINATIONS[states["truncated"][place]],
        }
        wrong = [
            f"{what} {row[what]} replays to {came}" for what, came in replayed.items() if row[what] != came
        ]
        if wrong:
            yield f"match {row['match']}: {'; '.join(wrong)}"


def _starts(game: Game, seeds: Any) -> Rows:
    """The states at the first decision of matches."""
    states = rows(len(seeds), game.state_dtype)
    loops_of(game).deal(states, np.arange(len(seeds), dtype=np.int32), game.blank(), seeds)
    return states


def _seated(league: LoggedLeague) -> list[Seated]:
    """The league's bots, to be asked again."""
    kept = league.folder.read_league(is_played=True)
    return [seated_from(league.folder, bot) for bot in kept["bots"]]


def _compare_bots(
    league: LoggedLeague, bots: Sequence[Seated], table: pa.Table, chosen: pa.Table
) -> Iterator[str]:
    """Lines for the matches in which the bots now do something else."""
    again = play_again(league, bots, table)
    ends = np.concatenate([[0], np.cumsum(again.decisions)])
    first = table.column("match")[0].as_py()
    for row in chosen.to_pylist():
        place = row["match"] - first
        if again.actions[ends[place] : ends[place + 1]].tobytes() != row["actions"]:
            yield f"match {row['match']}: the bots now act otherwise ({', '.join(row['bots'])})"


def seated_from(folder: ResultFolder, kept: dict[str, Any]) -> Seated:
    """A bot of `league.json` with its source from beside it.

    Whoever hands on a result folder may have written anything into it, so what says there that it ran unguarded is
    kept apart here, unless it is one of the example bots.

    Raises:
        ResultsError: The source is not the one that was played.
    """
    place = f"bots/{kept['version']}"
    try:
        files = {path: folder.read(f"{place}/{safe_path(path)}") for path in kept["files"]}
    except ValueError as error:
        raise ResultsError(f"{folder.place(LEAGUE)}: bots.files: {error}; restore the file") from None
    bundle = Bundle(files, kept["main"], kept["attribute"])
    if bundle.version != kept["version"] or label_of(kept["name"], bundle.version) != kept["label"]:
        raise ResultsError(
            f"{folder.place(place)}: not the source of {kept['label']} that was played; "
            "restore it, or verify without --bots"
        )
    isolation: Isolation = kept["isolation"]
    if isolation == "none" and not is_example(bundle):
        isolation = "process"
    return Seated(kept["label"], bundle, kept["kind"], kept["options"], isolation)


def play_again(league: LoggedLeague, bots: Sequence[Seated], part: pa.Table) -> Played:
    """Play a whole part again; nothing is written.

    Raises:
        ResultsError: A bot of it is not one of the league's.
    """
    places = {bot.label: place for place, bot in enumerate(bots)}
    number, seated = part.column("batch")[0].as_py(), part.column("bots").to_pylist()
    for label in sorted({label for lineup in seated for label in lineup} - set(places)):
        raise ResultsError(
            f"{league.folder.place(league.folder.part(number))}: played by {label}, which "
            f"{league.folder.place(LEAGUE)} does not name; restore the one or the other"
        )
    lineups = [[places[label] for label in lineup] for lineup in seated]
    batch = Batch(
        number,
        part.column("match")[0].as_py(),
        part.column("deal").to_numpy(),
        np.array(lineups, np.int16),
    )
    return play_seated(league.game, bots, batch, Limits(**league.kept["config"]["limits"]), league.seed)

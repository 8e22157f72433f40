"""Play one batch: a pure function of the job and the batch's number, in any process, twice if need be."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from league.games.find import game_with
from league.kernels import Rows
from league.play import Ask, Batch, Failure, Host, Played
from league.play.hosts import host_for
from league.play.seated import play_seated
from league.play.table import play_batch
from league.run import Job, Outcome, Span, cores
from league.schedule import Schedule
from league.store import ResultFolder
from league.store.parts import write_table
from league.store.schema import matches_schema, table_of


def play_span(job: Job, schedule: Schedule, span: Span) -> Outcome:
    """Play a batch, write its part, answer what rating needs."""
    deals, bots = schedule.columns(span.first, span.count)
    batch = Batch(span.number, schedule.first_set * schedule.seats + span.first, deals, bots)
    game = game_with(job.game, job.seats, job.options)
    played = play_seated(game, job.bots, batch, job.limits, job.seed, _logs(job))
    schema = matches_schema(job.log_actions, job.identity)
    table = table_of(played, [bot.label for bot in job.bots], machine(), schema)
    write_table(ResultFolder(job.folder), ResultFolder.part(span.number), table)
    return outcome_of(played, len(job.bots))


def machine() -> str:
    """This host as the log names it: what thinking times depend on, for those who read them later."""
    made_of = f"{platform.system()} {platform.machine()}, {cores()} cores, Python {platform.python_version()}"
    return f"{platform.node() or 'unknown'} ({made_of})"


def _logs(job: Job) -> Path | None:
    """Where logs of bots are kept: beside the parts, where that is a folder of this machine."""
    return None if "://" in job.folder else Path(job.folder) / "logs"


def outcome_of(played: Played, bots: int) -> Outcome:
    """What rating needs of a played batch."""
    counts = np.zeros((2, bots), np.int64)
    for match, faults in played.faults.items():
        for fault in faults:
            counts[int(fault.kind == "forfeit"), played.batch.bots[match, fault.seat]] += 1
    batch = played.batch
    return Outcome(batch.number, batch.deals, batch.bots, played.ranks, played.scores, counts[0], counts[1])


OUTCOME_COLUMNS = ("deal", "bots", "ranks", "scores", "faults")
"""The columns that `outcome_from_part` needs."""


def outcome_from_part(number: int, table: pa.Table, labels: Sequence[str], seats: int) -> Outcome:
    """What rating needs of a part that was played earlier."""
    count = len(table)
    column = {name: table.column(name).combine_chunks() for name in OUTCOME_COLUMNS}
    words = column["bots"].values
    place = np.array([labels.index(label) for label in words.dictionary.to_pylist()], np.int16)
    bots = place[words.indices.to_numpy()].reshape(count, seats)
    counts = np.zeros((2, len(labels)), np.int64)
    for match in np.flatnonzero(column["faults"].value_lengths().to_numpy()).tolist():
        for fault in column["faults"][match].as_py():
            counts[int(fault["kind"] == "forfeit"), bots[match, fault["seat"]]] += 1
    return Outcome(
        number,
        np.array(column["deal"]),
        bots,
        np.array(column["ranks"].values).reshape(count, seats),
        np.array(column["scores"].values).reshape(count, seats),
        counts[0],
        counts[1],
    )


class _Mute(Host):
    """Answers nothing, so that a stand-in plays."""

    def choose(self, ask: Ask, actions: Rows) -> Sequence[Failure]:
        return [Failure(place, "forfeit", "") for place in range(len(ask.views))]


def warm(job: Job) -> None:
    """Compile every kernel the league will need, so that workers find them on disk instead of all compiling them."""
    game, count = game_with(job.game, job.seats, job.options), len(job.bots)
    mutes: list[Host] = [_Mute() for _ in job.bots]
    hosts = [
        host_for(game, bot.bundle, bot.kind, bot.options, bot.isolation, job.limits)
        if bot.kind == "compiled" and bot.isolation == "none"
        else mute
        for bot, mute in zip(job.bots, mutes, strict=True)
    ]
    bots = (np.arange(count)[:, None] + np.arange(game.seats)) % count
    for table in (mutes, hosts):
        play_batch(game, Batch(0, 0, np.arange(count), bots.astype(np.int16)), table, job.limits, job.seed)

"""The driver: what is missing is played, what is there is read, all is folded in batch order and written down."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import islice, takewhile
from os import PathLike
from pathlib import Path
from types import FrameType
from typing import Any, Literal, TypeAlias

import pyarrow as pa

from league.clock import now_ns
from league.config import LeagueConfig
from league.errors import ConfigError
from league.play.loops import tell_of_compiling
from league.progress import Quiet, Reporter
from league.run import Job, Outcome, RunError, Runner, Span, cores, job_of, spans_of
from league.run.batches import OUTCOME_COLUMNS, outcome_from_part, play_span, warm
from league.run.claim import claim
from league.run.fold import Fold, standings_of
from league.run.inline import InlineRunner
from league.sandbox.lockdown import missing
from league.sandbox.spawn import close_zygote
from league.schedule import Schedule
from league.store import RATINGS, STANDINGS, ResultFolder
from league.store.parts import BrokenPartError, matches_of_part, read_part, write_table
from league.store.schema import RATINGS_SCHEMA, identity_of, matches_schema

CHECKPOINTS = 50
"""Ratings are kept at about so many points of a league."""

WORTH_RAY_S = 20
"""`engine = "auto"` plays inline what it expects to take less than so many seconds."""

GUESSABLE = 1 << 64
"""Smaller seeds could be tried out by a bot, which sees what comes of them."""

WATCH_EVERY_S = 10
"""Who watches is shown the ratings so often."""


@dataclass(frozen=True)
class Glimpse:
    """A league while it is played.

    Attributes:
        folder: Its results.
        league: Its name.
        played: Matches rated so far.
        planned: Matches it will have.
        ratings: Name, `mu` and `sigma` of each bot.
    """

    folder: ResultFolder
    league: str
    played: int
    planned: int
    ratings: list[tuple[str, float, float]]


Onlooker: TypeAlias = Callable[[Glimpse], None]


@dataclass(frozen=True)
class Summary:
    """What a run came to.

    Attributes:
        folder: URI of the results.
        matches: Matches there now.
        played: Matches played by this run.
        complete: Whether the league is; false after an interruption.
        standings: The ranking, best first.
        faults: Faults of all bots together, forfeits apart.
        forfeits: Matches forfeited.
    """

    folder: str
    matches: int
    played: int
    complete: bool
    standings: list[dict[str, Any]]
    faults: int
    forfeits: int


def run_league(
    config: LeagueConfig,
    out: str | PathLike[str] = "results",
    *,
    engine: Literal["auto", "inline", "ray"] | None = None,
    cluster: str | None = None,
    workers: int | None = None,
    fresh: bool = False,
    reporter: Reporter | None = None,
    watch: Onlooker | None = None,
) -> Summary:
    """Play a league, resume what is there, rate it, and write the standings.

    Args:
        config: The league.
        out: Folder or URI below which the league's own folder lies.
        engine: Where batches are played, instead of the config's `run.engine`.
        cluster: Address of a Ray cluster, instead of the config's `run.cluster`.
        workers: Batches at the same time, instead of the config's `run.workers`.
        fresh: Throw away what is there first.
        reporter: Hears how it goes.
        watch: Shown the ratings now and then.

    Raises:
        LeagueError: The results belong to another league, cannot be written, or the league cannot be played.
    """
    how = _How(
        engine or config.run.engine,
        config.run.cluster if cluster is None else cluster,
        config.run.workers if workers is None else workers,
    )
    if how.engine == "inline" and how.cluster != "local":
        raise ConfigError(
            f"run.engine = 'inline' joins no cluster: drop run.cluster = '{how.cluster}', or use 'ray'"
        )
    if how.cluster != "local":
        from league.run.on_ray import require_answer

        require_answer(how.cluster)  # before anything is thrown away
    below = ResultFolder.at(out).uri
    folder = ResultFolder(f"{below if '://' in below else Path(below).absolute()}/{config.name}")
    identity = identity_of(config.frozen)
    with folder.held():
        claim(folder, config, fresh)
        job = job_of(config, folder.uri, identity)
        return _Driver(config, folder, job, how, reporter or Quiet(), watch).run()


@dataclass(frozen=True)
class _How:
    """Where batches are played."""

    engine: str
    cluster: str
    workers: int | None


class _Driver:
    """One run of a league."""

    def __init__(
        self,
        config: LeagueConfig,
        folder: ResultFolder,
        job: Job,
        how: _How,
        reporter: Reporter,
        watch: Onlooker | None,
    ) -> None:
        self.config, self.folder, self.job, self.how, self.reporter = config, folder, job, how, reporter
        self.watch, self.watched = watch, now_ns()
        self.fold = Fold.start(config)
        self.schema = matches_schema(config.log_actions, job.identity)
        self.labels = [bot.label for bot in config.bots]
        self.checkpoints: list[pa.Table] = []
        self.done = 0
        self.played = 0
        self.stopped = self.complete = False
        self.runner: Runner | None = None
        self.held = ExitStack()

    def run(self) -> Summary:
        """Round after round until the league is complete or somebody interrupts."""
        wanted = self.config.file.schedule.matches
        if wanted != self.config.matches:
            self.reporter.note(
                f"schedule.matches: {wanted:,} rounded up to {self.config.matches:,}, whole mirror sets and rounds"
            )
        if missing() and any(bot.isolation != "none" for bot in self.config.bots):
            self.reporter.note(f"this system lacks {'; '.join(missing())}: bots are kept apart without")
        if self.config.file.roster is not None and abs(self.config.seed) < GUESSABLE:
            self.reporter.note(
                f"league.seed = {self.config.seed} can be guessed, and with it all chance: where submitted bots "
                "play for something, take 25 digits that nobody knows"
            )
        self.reporter.start(self.config.matches)
        try:
            with self._interruptible(), self.held:
                self._rounds()
        finally:
            self.reporter.finish()
            close_zygote()
        return self._write()

    def _rounds(self) -> None:
        number = batches = sets = 0
        while (schedule := self._next(number, sets)) is not None:
            if self.stopped or not self._round(schedule, batches):
                return
            number, batches, sets = number + 1, batches + schedule.batches, sets + schedule.sets
        self.complete = True  # also when somebody interrupted while the last batch was played

    def _next(self, number: int, sets: int) -> Schedule | None:
        """The round that follows from the standings."""
        is_due = number and self.config.format.adaptive
        return self.config.format.round(number, sets, self.fold.standings() if is_due else ())

    def _round(self, schedule: Schedule, first_number: int) -> bool:
        """Play what is missing of a round and fold all of it, in order; answer whether it was all of it."""
        there = self._parts_there(schedule, first_number)
        due = (span for span in spans_of(schedule, first_number) if span.number not in there)
        outcomes = self._play(schedule, due, schedule.batches - len(there))
        try:
            for span in spans_of(schedule, first_number):
                kept = span.number in there
                outcome = self._read(schedule, span) if kept else next(outcomes, None)
                if outcome is None:
                    return False
                if not kept:
                    self._require_part(span)
                    self.played += span.count
                self._add(span, outcome)
            return True
        finally:
            outcomes.close()

    def _parts_there(self, schedule: Schedule, first_number: int) -> set[int]:
        """The batches of a round that have a whole part; what is there of others is gone before anything is played."""
        names = set(self.folder.list("matches"))
        there = set()
        for span in spans_of(schedule, first_number):
            name = self.folder.part(span.number)
            if Path(name).name not in names:
                continue
            if self._is_whole(span):
                there.add(span.number)
            elif self.folder.exists(name):
                self.folder.delete(name)
        return there

    def _require_part(self, span: Span) -> None:
        """Make sure that a part just played is where this process looks for it, and not on a worker's own disk."""
        name = self.folder.part(span.number)
        if not self.folder.exists(name):
            raise RunError(
                f"{self.folder.place(name)}: a worker wrote it where this machine cannot see it; "
                "give --out a folder that all nodes share, or a storage URI"
            )

    def _is_whole(self, span: Span) -> bool:
        """Whether a batch has all its matches; a broken part is set aside.

        The short parts of the last block of a league that was extended since are neither: they are played over.
        """
        try:
            return matches_of_part(self.folder, span.number, self.schema) == span.count
        except BrokenPartError as error:
            self._set_aside(span, error.reason)
            return False

    def _set_aside(self, span: Span, fault: str) -> None:
        name = self.folder.part(span.number)
        kept = self.folder.set_aside(name)
        self.reporter.note(f"{self.folder.place(name)}: {fault}; kept as {kept} and played again")

    def _read(self, schedule: Schedule, span: Span) -> Outcome:
        """The outcome of a part; one whose footer was whole may still turn out to be broken inside."""
        name = Path(self.folder.part(span.number)).name
        try:
            table = read_part(self.folder, name, self.job.identity, OUTCOME_COLUMNS)
        except BrokenPartError as error:
            self._set_aside(span, error.reason)
            return play_span(self.job, schedule, span)
        return outcome_from_part(span.number, table, self.labels, self.config.game.seats)

    def _add(self, span: Span, outcome: Outcome) -> None:
        self.fold.add(outcome)
        before, self.done = self.done, self.done + span.count
        if before * CHECKPOINTS // self.config.matches < self.done * CHECKPOINTS // self.config.matches:
            self._checkpoint()
        self.reporter.advance(self.done, self.played, self._leaders())
        if self.watch and now_ns() - self.watched > WATCH_EVERY_S * 10**9:
            self.watch(self._glimpse())
            self.watched = now_ns()

    def _glimpse(self) -> Glimpse:
        estimate = self.fold.online.estimate()
        names = [bot.name for bot in self.config.bots]
        ratings = list(zip(names, estimate.mu.tolist(), estimate.sigma.tolist(), strict=True))
        return Glimpse(self.folder, self.config.name, self.done, self.config.matches, ratings)

    def _leaders(self) -> list[str]:
        estimate = self.fold.online.estimate()
        best = (3 * estimate.sigma - estimate.mu).argsort(kind="stable")[:3]
        return [self.config.bots[bot].name for bot in best.tolist()]

    def _checkpoint(self) -> None:
        estimate = self.fold.online.estimate()
        count = len(self.labels)
        columns = [
            self.labels,
            [len(self.checkpoints)] * count,
            [self.done] * count,
            estimate.mu,
            estimate.sigma,
        ]
        self.checkpoints.append(pa.table(columns, schema=RATINGS_SCHEMA))

    def _play(self, schedule: Schedule, due: Iterator[Span], count: int) -> Generator[Outcome]:
        """Outcomes of the batches that are due, in their order, until somebody interrupts."""
        if not count:
            return
        wanted = takewhile(lambda span: not self.stopped, due)
        if self.runner is None:
            yield from self._open(schedule, wanted, count)
        if self.runner is not None:
            yield from self.runner.play(schedule, wanted)

    def _open(self, schedule: Schedule, wanted: Iterator[Span], count: int) -> Iterator[Outcome]:
        """Open the runner for this round and all after it; `auto` plays a batch here to tell which one pays."""
        tell_of_compiling(self.config.game, self.reporter.note)
        engine = self.how.engine
        if engine != "inline":
            warm(self.job)
        if engine == "auto":
            later = self.config.matches - schedule.first_set * schedule.seats - len(schedule)
            for span in islice(wanted, 1):
                began = now_ns()
                outcome = play_span(self.job, schedule, span)
                engine = self._engine_for((now_ns() - began) / 1e9 * (count - 1 + later / span.count))
                yield outcome
        if not self.stopped:
            self.runner = self.held.enter_context(self._runner(engine))

    def _engine_for(self, seconds: float) -> str:
        """Where to play what takes so many seconds here."""
        many = (self.how.workers or cores()) > 1
        worth = self.how.cluster != "local" or (many and seconds > WORTH_RAY_S)
        return "ray" if worth else "inline"

    def _runner(self, engine: str) -> Runner:
        if engine == "inline":
            return InlineRunner(self.job)
        from league.run.on_ray import RayRunner

        return RayRunner(self.job, self.how.workers, self.how.cluster)

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        """The first Ctrl-C finishes the batches in flight, the second ends at once."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, self._interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.stopped:
            raise KeyboardInterrupt
        self.stopped = True
        with suppress(RuntimeError):  # the stream may be in the middle of a line
            self.reporter.note("stopping once the batches in flight are complete; Ctrl-C again stops at once")

    def _write(self) -> Summary:
        """Write ratings and standings."""
        if self.done and (not self.checkpoints or self.checkpoints[-1]["matches"][0].as_py() != self.done):
            self._checkpoint()
        ratings = pa.concat_tables(self.checkpoints) if self.checkpoints else RATINGS_SCHEMA.empty_table()
        write_table(self.folder, RATINGS, ratings)
        standings = standings_of(self.config, self.fold)
        self.folder.write_json(
            STANDINGS,
            {"league": self.config.name, "matches": self.done, "standings": standings},
        )
        return Summary(
            self.folder.uri,
            self.done,
            self.played,
            self.complete,
            standings,
            int(self.fold.faults.sum()),
            int(self.fold.forfeits.sum()),
        )

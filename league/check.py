"""Is a bot ready for a league? Contract matches in isolation, each finding with the place to look at.

A bot passes when it plays legally through seat counts and options, within its limits, and decides the same again: in
a new process, with its matches played one at a time instead of side by side, and in one seat of a match while the
others are not its own, so that it can know nothing that is hidden from that seat.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any, Literal, get_args

import numpy as np

import league
from league.clock import now_ns
from league.errors import ConfigError
from league.games import Game, SeatView
from league.games.find import find_game, kept_of
from league.play import Batch, Fault, Limits, Played
from league.play.hosts import host_for
from league.play.loops import tell_of_compiling
from league.play.recorded import RecordedHost
from league.play.seated import Seated, play_seated
from league.play.seeding import deal_seeds
from league.play.table import play_batch
from league.roster import Entry
from league.sandbox.spawn import spawned_afresh
from league.store import FORMAT_VERSION, LEAGUE, ResultFolder
from league.store.parts import write_table
from league.store.schema import identity_of, matches_schema, table_of
from league.unrepeatable import unrepeatable
from league.words import counted

COUNTS = ((24, 100), (2, 1500), (1, 0))
"""Matches of each variant, and CPU milliseconds that a match may take for so many; any for the last.

They are few and far apart, so that next time, on another machine, a bot plays as many again.
"""

PATIENCE = 10
"""How many times as long as of CPU a match may take by the clock, which also runs while a bot sleeps."""

ALONE = 6
"""Matches that are played once more, one at a time."""

SHOWN = 3
"""Findings of a kind that are told; more would say the same."""

COST_MATCHES = 10_000


@dataclass(frozen=True)
class Finding:
    """Something to tell the author.

    Attributes:
        level: `error` fails the check, `warning` does not.
        text: What was found, and where.
        view: What the bot saw there.
        look: The command that shows it.
    """

    level: Literal["error", "warning"]
    text: str
    view: str = ""
    look: str = ""


@dataclass(frozen=True)
class Checked:
    """What a check came to.

    Attributes:
        entry: The bot.
        count: Matches of each variant, the first of `COUNTS` unless it is slow.
        matches, decisions: How much was played.
        decision_us: CPU time of a decision on average, in microseconds; 0 where faults cut the matches short.
        limit_share: The same as a share of `limits.decision_ms`.
        cost_s: CPU seconds that the bot takes in one seat of `COST_MATCHES` matches.
        findings: What there is to tell.
    """

    entry: Entry
    count: int
    matches: int
    decisions: int
    decision_us: float
    limit_share: float
    cost_s: float
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Whether a league may count on it."""
        return all(finding.level != "error" for finding in self.findings)


@dataclass(frozen=True)
class Variant:
    """A table to play at."""

    game: Game
    name: str


def variants(game: str) -> list[Variant]:
    """The default options at every seat count, then each option that is a choice changed by itself."""
    found = find_game(game)
    wanted: list[tuple[str, int | None, dict[str, Any]]] = [(f"{n}-seats", n, {}) for n in found.seat_counts]
    for name, field in found.Options.model_fields.items():
        choices = get_args(field.annotation) or ((True, False) if field.annotation is bool else ())
        others = [value for value in choices if value != field.default and isinstance(value, bool | str)]
        wanted += [(f"{name}-{value}".lower(), None, {name: value}) for value in others]
    tables = []
    for name, seats, options in wanted:
        with suppress(ConfigError):  # not every option goes with every seat count
            tables.append(Variant(found(seats, options), name))
    return tables


def check(
    entry: Entry,
    folder: Path,
    limits: Limits | None = None,
    seed: int = 0,
    progress: Callable[[str], None] = lambda step: None,
) -> Checked:
    """Check a bot.

    Args:
        entry: The bot.
        folder: Where matches with findings are kept for replays; nothing is written without any.
        limits: What it may use.
        seed: Seed of all chance.
        progress: Hears of each step.
    """
    return _Check(entry, folder, limits or Limits(), seed, progress).run()


def summary(checked: Checked) -> dict[str, Any]:
    """What a roster keeps of a check."""
    return {
        "passed": checked.passed,
        "matches": checked.matches,
        "decisions": checked.decisions,
        "decision_us": round(checked.decision_us, 1),
        "warnings": sum(finding.level == "warning" for finding in checked.findings),
        "league_version": league.__version__,
    }


class _Check:
    """One check; totals grow as matches are played."""

    def __init__(
        self, entry: Entry, folder: Path, limits: Limits, seed: int, progress: Callable[[str], None]
    ) -> None:
        self._entry, self._folder, self._limits, self._seed = entry, folder, limits, seed
        self._progress = progress
        self._bot = Seated.of(entry, "process")
        self._findings: list[Finding] = []
        self._kept: set[Path] = set()
        self._matches = self._decisions = self._think_ns = 0
        self._per_seat = 0.0
        self._is_faulty = False

    def run(self) -> Checked:
        tables = variants(self._entry.game)
        count = self._first_impression(tables)
        if not self._findings:
            for variant in tables:
                self._progress(f"playing {variant.name}")
                self._plays(variant, count)
        if not self._findings:
            self._progress("asking for the same decisions again")
            self._repeats(tables[0], min(count, ALONE))
        if self._matches > 1:
            self._progress("watching for clocks and generators")
            watched = unrepeatable(self._entry, tables[0].game, self._seed)
            self._findings += [Finding("warning", text) for text in watched]
        each = 0.0 if self._is_faulty else self._think_ns / max(1, self._decisions) / 1000
        return Checked(
            self._entry,
            count,
            self._matches,
            self._decisions,
            each,
            each / 1000 / self._limits.decision_ms,
            self._per_seat * each * COST_MATCHES / 1e6,
            tuple(self._findings),
        )

    def _first_impression(self, tables: list[Variant]) -> int:
        """Play a match to see how fast it is; answer how many matches of each variant there is time for."""
        tell_of_compiling(tables[0].game, self._progress)
        self._progress("loading")
        self._plays(tables[0], 1)
        self._per_seat = self._decisions / tables[0].game.seats
        a_match_ns = 0 if self._findings else self._match_ns(tables[0].game)
        return next((count for count, most_ms in COUNTS if a_match_ns <= most_ms * 1e6), COUNTS[-1][0])

    def _match_ns(self, game: Game) -> int:
        """What a match takes: two more than one, so that what is loaded at first does not count."""
        first, began = self._think_ns, now_ns()
        self._play(game, 0, 3)
        return max((self._think_ns - 2 * first) // 2, (now_ns() - began) // 3 // PATIENCE)

    def _play(self, game: Game, first: int, count: int) -> Played:
        """Matches `first` and on, with the bot in every seat."""
        deals = np.arange(first, first + count)
        batch = Batch(0, first, deals, np.zeros((count, game.seats), np.int16))
        played = play_seated(game, [self._bot], batch, self._limits, self._seed)
        self._matches += count
        self._decisions += int(played.decisions.sum())
        self._think_ns += int(played.think_ns.sum())
        return played

    def _plays(self, variant: Variant, count: int) -> None:
        """Find faults in a variant."""
        played = self._play(variant.game, 0, count)
        faults = [(match, fault) for match, found in played.faults.items() for fault in found]
        real = [(match, fault) for match, fault in faults if fault.kind != "forfeit"]
        self._is_faulty = self._is_faulty or bool(real)
        for match, fault in real[:SHOWN]:
            self._findings.append(self._fault(variant, played, match, fault))
        if len(real) > SHOWN:
            more = counted(len(real) - SHOWN, "more fault")
            self._findings.append(Finding("error", f"{variant.name}: {more}"))

    def _fault(self, variant: Variant, played: Played, match: int, fault: Fault) -> Finding:
        place = f"{variant.name}, match {match}, decision {fault.decision}, seat {fault.seat}"
        text = f"{place}: {fault.kind}: {fault.message}"
        return self._finding(text, variant, played, match, fault.decision)

    def _finding(self, text: str, variant: Variant, played: Played, match: int, decision: int) -> Finding:
        view = self._view(variant.game, played, match, decision)
        kept = self._keep(variant, played)
        return Finding("error", text, repr(view) if view else "", f"league replay {quote(str(kept))} {match}")

    def _view(self, game: Game, played: Played, match: int, decision: int) -> SeatView | None:
        """What the seat to move saw at a decision."""
        state = game.start(int(deal_seeds(self._seed, played.batch.deals[match : match + 1])[0]))
        for action in actions_of(played, match)[:decision]:
            game.kernels.step(state[0], action)
        return game.view(state[0]) if state["to_move"][0] >= 0 else None

    def _keep(self, variant: Variant, played: Played) -> Path:
        """Write the matches down as a league's results, for `league replay`."""
        place = self._folder / f"{self._entry.name}-{variant.name}"
        folder, game = ResultFolder(str(place.absolute())), variant.game
        if place in self._kept:
            return place
        self._kept.add(place)
        folder.clear()
        config = {
            "league": {"name": place.name, "seed": self._seed},
            "game": kept_of(game),
            "log": {"level": "actions"},
        }
        kept = {"format": FORMAT_VERSION, "league_version": league.__version__, "config": config, "bots": []}
        table = table_of(played, [self._bot.label], "check", matches_schema(True, identity_of(config)))
        write_table(folder, folder.part(0), table)
        folder.write_json(LEAGUE, kept | {"matches": len(played.scores), "batch": len(played.scores)})
        return place

    def _repeats(self, variant: Variant, count: int) -> None:
        """Play matches again: in a process of another interpreter, one at a time, and seat by seat."""
        first = self._play(variant.game, 0, count)
        with spawned_afresh():
            again = self._play(variant.game, 0, count)
        self._compare(variant, first, again, 0, "the same matches in a new process")
        for match in range(count):
            self._compare(variant, first, self._play(variant.game, match, 1), match, "this match by itself")
        for match in range(count):
            for seat in range(variant.game.seats):
                alone = self._alone(variant.game, first, match, seat)
                how = f"seat {seat} only, where it cannot know what other seats see"
                self._compare(variant, first, alone, match, how)

    def _alone(self, game: Game, first: Played, match: int, seat: int) -> Played:
        """A match with the bot in one seat, while the other seats do again what it did in them."""
        actions = actions_of(first, match)
        others = actions[movers(game, self._seed, first, match) != seat]
        bots = np.array([[0 if place == seat else 1 for place in range(game.seats)]], np.int16)
        batch = Batch(0, match, first.batch.deals[match : match + 1], bots)
        bot = self._bot
        host = host_for(game, bot.bundle, bot.kind, bot.options, "process", self._limits)
        try:
            return play_batch(game, batch, [host, RecordedHost(others)], self._limits, self._seed)
        finally:
            host.close()

    def _compare(self, variant: Variant, first: Played, other: Played, offset: int, how: str) -> None:
        for match in range(len(other.scores)):
            ours, theirs = actions_of(first, offset + match), actions_of(other, match)
            decision = first_difference(ours, theirs)
            if decision is not None and len(self._findings) < SHOWN:
                answers = [
                    str(variant.game.decode(each[decision])) if decision < len(each) else "nothing"
                    for each in (ours, theirs)
                ]
                text = (
                    f"{variant.name}, match {offset + match}, decision {decision}: answers '{answers[0]}', then, "
                    f"playing {how}, '{answers[1]}'; use self.rng, and keep nothing outside of self"
                )
                self._findings.append(self._finding(text, variant, first, offset + match, decision))


def movers(game: Game, seed: int, played: Played, match: int) -> Any:
    """The seat that made each decision of a match, `int8[decisions]`."""
    state = game.start(int(deal_seeds(seed, played.batch.deals[match : match + 1])[0]))
    seats = []
    for action in actions_of(played, match):
        seats.append(int(state["to_move"][0]))
        game.kernels.step(state[0], action)
    return np.array(seats, np.int8)


def actions_of(played: Played, match: int) -> Any:
    """The action rows of a match."""
    end = int(played.decisions[: match + 1].sum())
    return played.actions[end - int(played.decisions[match]) : end]


def first_difference(ours: Any, theirs: Any) -> int | None:
    """The first decision at which two matches differ; none if they are the same."""
    for decision in range(max(len(ours), len(theirs))):
        if decision >= min(len(ours), len(theirs)) or ours[decision].tobytes() != theirs[decision].tobytes():
            return decision
    return None

"""Ratios on this machine: what we measure and a yardstick, in turn, in one run.

Machines are shared and noisy, so no absolute time means much: each pair is measured several times, one after the
other, and the best of each counts; of the ratings, whose two figures come from short spells, the round in the middle.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from league.adapters.openspiel import pyspiel
from league.bot import Bot
from league.clock import now_ns
from league.errors import ConfigError
from league.games import Game
from league.games.find import find_game
from league.play import Batch, Host, Limits
from league.play.hosts import host_for
from league.play.in_process import InProcessHost
from league.play.isolated import IsolatedHost
from league.play.table import play_batch
from league.rate.speed import against_package
from league.roster import Bundle, Entry
from league.roster.find import find_bots

SEATS = 4

ROUNDS = 5
"""How often each side of a pair is measured."""

MATCHES = 2000
"""The most matches of a batch that is measured, but for the large ones."""

LARGE = 5
"""So many times as many make the large batches that quick isolated bots want."""

ENOUGH_NS = 500_000_000
"""After how long fewer are enough."""


@dataclass(frozen=True)
class Measured:
    """One line of the benchmark.

    Attributes:
        what: What was measured.
        ours: Its figure.
        yardstick: What stands beside it; empty where nothing does.
        theirs: The yardstick's figure.
        ratio: How many times as fast ours is; None where nothing stands beside it.
    """

    what: str
    ours: str
    yardstick: str = ""
    theirs: str = ""
    ratio: float | None = None


class Last(Bot):
    """The least that a Python bot can do."""

    def choose(self, view: Any) -> Any:
        """Answer the last legal action."""
        return view.legal[-1]


LAST = b"""from league import Bot


class Last(Bot):
    game = "%s"

    def choose(self, view):
        return view.legal[-1]
"""


def bench(game_name: str) -> Iterator[Measured]:
    """Measure a game, line by line."""
    found = find_game(game_name)
    game = found(SEATS if SEATS in found.seat_counts else found.seat_counts[0])
    compiled = _compiled_bot(game_name)
    matches = _enough(game, lambda: InProcessHost(game, Last, {}))
    plain = Bundle({"last.py": LAST % game_name.encode()}, "last.py", "Last")

    def compiled_ns(bot: Entry) -> float:
        return _decision_ns(
            game, lambda: host_for(game, bot.bundle, "compiled", {}, "none", Limits()), matches
        )

    def python_ns(matches: int) -> float:
        return _decision_ns(game, lambda: InProcessHost(game, Last, {}), matches)

    def isolated_ns(matches: int) -> float:
        return _decision_ns(game, lambda: IsolatedHost(game, plain, "python", {}, Limits(), None), matches)

    if compiled is not None:
        yield Measured(
            f"{compiled.name} bots", f"{_best(lambda: compiled_ns(compiled))[0]:,.0f} ns a decision"
        )
    yield from _beside_open_spiel("Python bots", lambda: python_ns(matches))
    for count in (matches, LARGE * matches):
        isolated, python = _best(partial(isolated_ns, count), partial(python_ns, count))
        what = f"isolated, {count:,} a batch"
        yield _pair(what, isolated, "the same in process", python, "ns a decision")
    speed = against_package(seats=4)
    yield _pair(
        "TrueSkill, four seats", speed.kernel_ns, "the trueskill package", speed.package_ns, "ns a match"
    )


def _compiled_bot(game_name: str) -> Entry | None:
    """The compiled example bot that thinks least, if there is any: the random one, or else the first."""
    compiled = [bot for bot in find_bots()[0] if bot.game == game_name and bot.kind == "compiled"]
    return min(compiled, key=lambda bot: (bot.name != "compiled_random", bot.name), default=None)


def _pair(what: str, ours: float, yardstick: str, theirs: float, unit: str) -> Measured:
    return Measured(what, f"{ours:,.0f} {unit}", yardstick, f"{theirs:,.0f} {unit}", theirs / ours)


def _best(*measures: Callable[[], float]) -> list[float]:
    """The best figure of each, measured in turn; a first round that warms up does not count."""
    rounds = [[measure() for measure in measures] for _ in range(ROUNDS + 1)]
    return [min(figures) for figures in zip(*rounds[1:], strict=True)]


def _enough(game: Game, host: Callable[[], Host]) -> int:
    """How many matches of such bots take long enough; all bots play as many, for each batch begins at a cost."""
    matches = game.seats
    _play(game, host, matches)
    while matches < MATCHES and (taken := _play(game, host, matches)[0]) < ENOUGH_NS:
        matches = min(MATCHES, matches * (2 if taken > ENOUGH_NS // 20 else 10))
    return matches


def _decision_ns(game: Game, host: Callable[[], Host], matches: int) -> float:
    """Nanoseconds a decision, all in, of matches between as many bots as there are seats."""
    taken, decisions = _play(game, host, matches)
    return taken / decisions


def _play(game: Game, host: Callable[[], Host], matches: int) -> tuple[int, int]:
    """Nanoseconds and decisions of some matches."""
    deals, seats = np.arange(matches) // game.seats, np.arange(game.seats)
    bots = (seats + np.arange(matches)[:, None]) % game.seats
    table = [host() for _ in range(game.seats)]
    try:
        started = now_ns()
        played = play_batch(game, Batch(0, 0, deals, bots.astype(np.int16)), table, Limits(), league_seed=1)
        return now_ns() - started, int(played.decisions.sum())
    finally:
        for each in table:
            each.close()


def _beside_open_spiel(what: str, ours: Callable[[], float]) -> Iterator[Measured]:
    """A pair with OpenSpiel's Python loop over `pig`, where it is installed."""
    try:
        spiel = pyspiel()
    except ConfigError as error:
        yield Measured(what, f"{_best(ours)[0]:,.0f} ns a decision", str(error))
        return
    mine, pig = _best(ours, lambda: _pig_ns(spiel))
    yield _pair(what, mine, "OpenSpiel's pig", pig, "ns a decision")


def _pig_ns(spiel: Any) -> float:
    """Nanoseconds a decision of OpenSpiel's `pig` from Python, with random choices."""
    game, rng, decisions, started = spiel.load_game("pig"), random.Random(1), 0, now_ns()
    for _ in range(100):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                decisions += 1
    return (now_ns() - started) / decisions

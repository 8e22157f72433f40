"""A person plays at the terminal, against bots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import numpy as np

from league.errors import ConfigError, LeagueError, NotationError
from league.games import Action, Frame, Game
from league.kernels import Row, mix, rows
from league.logged import event_text
from league.play import Ask, Host, Limits, Seating
from league.play.hosts import host_for
from league.play.seated import Seated
from league.play.seeding import deal_seeds
from league.play.table import why_refused
from league.seeds import seed_of

Say = Callable[[str], None]
Prompt = Callable[[], str]

MOST_LISTED = 30
"""Legal actions that are listed; the rest may still be typed."""


def play_person(
    game: Game, opponents: list[Seated], seat: int, seed: int, say: Say, prompt: Prompt
) -> tuple[list[int], list[int]]:
    """Play one match with a person in one seat.

    Args:
        game: What is played, for one seat more than there are opponents.
        opponents: Bots in the other seats, in their order.
        seat: The person's.
        seed: Seed of all chance.
        say: Prints a line.
        prompt: Reads what the person types; raises EOFError when there is no more.

    Returns:
        Scores and ranks by seat.

    Raises:
        ConfigError: There is no such seat.
    """
    if not 0 <= seat < game.seats:
        raise ConfigError(f"--seat {seat}: seats are 0 to {game.seats - 1}")
    with ExitStack() as stack:
        at_table = _Table(game, seat, seed, say, prompt)
        others = iter(opponents)
        for chair in range(game.seats):
            if chair != seat:
                at_table.sit(chair, next(others), stack)
        return at_table.play()


class _Table:
    """One match with a person."""

    def __init__(self, game: Game, seat: int, seed: int, say: Say, prompt: Prompt) -> None:
        self.game, self.seat, self.seed, self.say, self.prompt = game, seat, seed, say, prompt
        self.state = game.start(int(deal_seeds(seed, [0])[0]))[0]
        self.hosts: dict[int, Host] = {}
        self.keys = {chair: np.uint64(seed_of(seed, "person", chair)) for chair in range(game.seats)}
        self.decisions = 0

    def sit(self, chair: int, bot: Seated, stack: ExitStack) -> None:
        """Let a bot sit down."""
        host = host_for(self.game, bot.bundle, bot.kind, bot.options, bot.isolation, Limits())
        stack.callback(host.close)
        place = np.array([chair], np.int32)
        host.begin(Seating(place, np.zeros(1, np.int64), place.astype(np.int8), np.array([self.keys[chair]])))
        self.hosts[chair] = host

    def play(self) -> tuple[list[int], list[int]]:
        """Until the match is over."""
        self._show(self.game.opening_frames(self.state))
        while self.state["to_move"] >= 0:
            action = self._ask_person() if self.state["to_move"] == self.seat else self._ask_bot()
            self._show(self.game.frames(self.state, action))
            self.game.kernels.step(self.state, action)
            self.decisions += 1
        scores, ranks = self.game.result(self.state)
        self.say("")
        self.say(self.game.draw_text(self.state))
        return scores, ranks

    def _show(self, frames: Iterator[Frame]) -> None:
        for frame in frames:
            self.say(event_text(self.game, frame.event, self.seat))

    def _ask_bot(self) -> Row:
        """A bot's action, or the stand-in's where it has none."""
        chair = int(self.state["to_move"])
        view, action = rows(1, self.game.view_dtype), rows(1, self.game.action_dtype)
        self.game.kernels.observe(self.state, view[0])
        seeds = np.array([mix(self.keys[chair], self.decisions)], np.uint64)
        ask = Ask(view, np.array([chair], np.int32), seeds)
        self.hosts[chair].send(ask)
        failures = self.hosts[chair].choose(ask, action)
        if failures or not self.game.kernels.is_legal(self.state, action[0]):
            why = failures[0].message if failures else why_refused(self.game, self.state, action[0])
            self.say(f"  seat {chair} made a fault, a stand-in plays: {why}")
            self.game.kernels.stand_in(self.state, action[0])
        return action[0]

    def _ask_person(self) -> Row:
        view = self.game.view(self.state)
        legal = view.legal
        self.say("")
        self.say(self.game.draw_text(self.state, self.seat))
        self.say("  ".join(f"{place}) {action}" for place, action in enumerate(legal[:MOST_LISTED], 1)))
        if len(legal) > MOST_LISTED:
            self.say(f"and {len(legal) - MOST_LISTED} more")
        while True:
            try:
                return self._checked(self._read(legal))
            except LeagueError as error:
                self.say(str(error))

    def _read(self, legal: tuple[Any, ...]) -> Action:
        """What the person types: the number of a listed action, or an action's text."""
        typed = self.prompt().strip()
        if typed.isdecimal() and 1 <= int(typed) <= len(legal):
            return legal[int(typed) - 1]  # type: ignore[no-any-return]
        if not typed:
            raise NotationError("type a number from the list, or an action as it is written there")
        return self.game.parse_action(typed)

    def _checked(self, action: Action) -> Row:
        row = self.game.action_row(action)
        if not self.game.kernels.is_legal(self.state, row):
            raise NotationError(f"{action}: {self.game.why_illegal(self.state, row)}")
        return row

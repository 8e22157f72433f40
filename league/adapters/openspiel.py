"""OpenSpiel's games (Lanctot et al., 2019, arXiv:1908.09453) through the plain door: `openspiel.kuhn_poker`.

A game's parameters are its options, but for the number of players, which is that of the seats. Games in which seats
move at the same time are played in turns, each seat not knowing what the others have chosen. What a seat sees is one
text.

A score is OpenSpiel's return in hundredths, rounded, and ranks come from the returns as they are. The version of a game
is that of OpenSpiel, for nobody here knows what changed in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import metadata
from random import Random
from typing import Any, ClassVar

from pydantic import Field, create_model

from league.errors import ConfigError, unknown
from league.games import GameOptions
from league.games.matches import Match, printable, ranks_of
from league.games.plain import PlainGame

LONGEST = 1000
"""Decisions after which a match is truncated, where OpenSpiel would go on for longer."""

MAX_LEGAL = 4096
"""The most actions to choose from, where OpenSpiel names more."""

HUNDREDTHS = 100

_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
"""What some games colour a terminal with."""

_SEATS = "players"
"""The parameter that chooses how many seats there are, where a game has it."""


@cache
def pyspiel() -> Any:
    """OpenSpiel's module.

    Raises:
        ConfigError: It is not installed.
    """
    try:
        import pyspiel
    except ImportError:
        raise ConfigError("OpenSpiel is not installed: pip install 'bot-league[openspiel]'") from None
    return pyspiel


@cache
def _kinds() -> Mapping[str, Any]:
    """What OpenSpiel says of its games, by name."""
    return {kind.short_name: kind for kind in pyspiel().registered_games()}


def _why_not(kind: Any) -> str:
    """Why a game cannot be played here; empty if it can."""
    of = pyspiel().GameType
    if kind.dynamics == of.Dynamics.MEAN_FIELD:
        return "a mean-field game has a population and no seats"
    if kind.max_num_players < 2 or kind.parameter_specification.get(_SEATS) == 1:
        return "it is for one player, and a league is for two and more"
    if kind.chance_mode == of.ChanceMode.SAMPLED_STOCHASTIC:
        return "it draws its chance itself, so that no deal could be played again"
    if not kind.default_loadable:
        return "it is made from another game or a file, which no option can hold"
    if not kind.provides_information_state_string and not kind.provides_observation_string:
        return "it does not say what a seat sees"
    return ""


def game_names() -> list[str]:
    """The games that can be played, without `openspiel.`."""
    return sorted(name for name, kind in _kinds().items() if not _why_not(kind))


@cache
def find_game(name: str) -> type[OpenSpielGame]:
    """One of OpenSpiel's games, named as there.

    Raises:
        ConfigError: There is no such game, it cannot be played here, or OpenSpiel is not installed.
    """
    if name not in _kinds():
        raise ConfigError(unknown("game of OpenSpiel", name, game_names()))
    kind = _kinds()[name]
    if reason := _why_not(kind):
        raise ConfigError(f"openspiel.{name}: {reason}")
    of = pyspiel().GameType
    is_open = kind.information == of.Information.PERFECT_INFORMATION
    facts = {
        "__doc__": f"{kind.long_name}, as OpenSpiel has it.",
        "__module__": __name__,
        "name": f"openspiel.{name}",
        "title": kind.long_name,
        "version": _version(),
        "seat_counts": _seat_counts(kind),
        "hidden": not is_open or kind.dynamics == of.Dynamics.SIMULTANEOUS,
        "Options": _options_of(kind),
        "kind": kind,
    }
    return type(kind.short_name, (OpenSpielGame,), facts)


def _version() -> int:
    """OpenSpiel's version as a number, 1.6.11 being 10611."""
    parts = metadata.version("open_spiel").split(".")
    major, minor, patch = (int(part) for part in (*parts, "0", "0")[:3])
    return 10_000 * major + 100 * minor + patch


def _seat_counts(kind: Any) -> range:
    if _SEATS in kind.parameter_specification and kind.min_num_players < kind.max_num_players:
        return range(max(2, kind.min_num_players), kind.max_num_players + 1)
    seats = _load(kind, {}).num_players()
    return range(seats, seats + 1)


def _options_of(kind: Any) -> type[GameOptions]:
    """A game's parameters as options; those whose names no option can have keep their defaults."""
    fields: dict[str, Any] = {
        name: (type(default), Field(default, description="as OpenSpiel has it"))
        for name, default in kind.parameter_specification.items()
        if name != _SEATS and name.isidentifier()
    }
    return create_model(f"{kind.short_name}_options", __base__=GameOptions, **fields)


def _load(kind: Any, parameters: Mapping[str, Any]) -> Any:
    """A game with its parameters, which can be started; seats that move at the same time move in turns.

    Raises:
        ConfigError: OpenSpiel has something against the parameters.
    """
    spiel = pyspiel()
    is_simultaneous = kind.dynamics == spiel.GameType.Dynamics.SIMULTANEOUS
    load = spiel.load_game_as_turn_based if is_simultaneous else spiel.load_game
    try:
        game = load(kind.short_name, dict(parameters))
        match = OpenSpielMatch(game, Random(0))
        match.view(match.to_move or 0)
    except spiel.SpielError as error:
        raise ConfigError(f"openspiel.{kind.short_name}: {' '.join(str(error).split())}") from None
    return game


class OpenSpielGame(PlainGame):
    """What OpenSpiel's games have in common; `find_game` makes a class of each."""

    words: ClassVar[Mapping[str, str]] = {
        "text": "what the seat sees, or all that it has seen, as OpenSpiel writes it"
    }
    action_bytes = 64
    view_bytes = 16384
    kind: ClassVar[Any]

    def lay_out(self) -> None:
        """Load the game, which says how long a match is and how many actions there are."""
        parameters = self.options.model_dump(exclude_defaults=True)
        if _SEATS in self.kind.parameter_specification:
            parameters[_SEATS] = self.seats
        self.loaded = _load(self.kind, parameters)
        if self.loaded.num_players() != self.seats:
            raise ConfigError(
                f"game.seats = {self.seats}: with these options {self.name} is for {self.loaded.num_players()}"
            )
        self.longest = min(LONGEST, self.loaded.max_game_length())
        self.max_legal = min(MAX_LEGAL, self.loaded.num_distinct_actions())
        super().lay_out()

    def begin(self, rng: Random) -> Match:
        """A match at its first decision."""
        return OpenSpielMatch(self.loaded, rng)


class OpenSpielMatch(Match):
    """One match of any game of OpenSpiel."""

    def __init__(self, game: Any, rng: Random) -> None:
        kind = game.get_type()
        is_open = kind.information == pyspiel().GameType.Information.PERFECT_INFORMATION
        self._sees_state = not kind.provides_information_state_string or (
            is_open and kind.provides_observation_string
        )
        self._state = game.new_initial_state()
        self._go_on(rng)

    def __deepcopy__(self, memo: Any) -> OpenSpielMatch:
        copied = object.__new__(OpenSpielMatch)
        vars(copied).update(vars(self), _state=self._state.clone())
        return copied

    def _go_on(self, rng: Random) -> None:
        """Let chance do what it does before the next decision."""
        state, self._news = self._state, list[str]()
        while state.is_chance_node():
            outcomes, shares = zip(*state.chance_outcomes(), strict=True)
            outcome = rng.choices(outcomes, shares)[0]
            self._news.append(printable(state.action_to_string(state.current_player(), outcome)))
            state.apply_action(outcome)
        self.to_move = None if state.is_terminal() else state.current_player()
        self._actions = {} if self.to_move is None else self._named(state.legal_actions())

    def _named(self, actions: Sequence[int]) -> Mapping[str, int]:
        """The actions by their texts; by their numbers, where texts are too long or the same."""
        texts = (printable(self._state.action_to_string(self.to_move, action)).strip() for action in actions)
        named = dict(zip(texts, actions, strict=True))
        longest = max(len(text.encode()) for text in named)
        if len(named) < len(actions) or longest > OpenSpielGame.action_bytes or "" in named:
            return {str(action): action for action in actions}
        return named

    def legal(self) -> Iterable[str]:
        """The texts of the legal actions."""
        return self._actions

    def step(self, action: str, rng: Random) -> None:
        """Take an action, and let chance follow."""
        self._state.apply_action(self._actions[action])
        self._go_on(rng)

    def scores(self) -> Sequence[int]:
        """The returns in hundredths."""
        return [round(HUNDREDTHS * value) for value in self._state.returns()]

    def ranks(self) -> Sequence[int]:
        """By the returns; what differs by less than a millionth is a tie."""
        return ranks_of([round(value, 6) for value in self._state.returns()])

    def view(self, seat: int) -> Sequence[Any]:
        """The state as a seat sees it where nothing is hidden, else all that it has seen, as far as there are texts."""
        look = self._state.observation_string if self._sees_state else self._state.information_state_string
        return [look(seat)]

    def news(self) -> Sequence[str]:
        """The outcomes of chance."""
        return self._news

    def table(self) -> str:
        """The state as OpenSpiel prints it."""
        return _COLOURS.sub("", str(self._state)).rstrip()

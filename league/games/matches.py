"""The rules of a plain game: an object a match, and how it stands behind the row of a match.

A row holds which of the legal actions was taken at each decision, and the seed of what chance did at each: it is
complete in itself, and the object is had from it by playing all that again. The objects of the latest moments are kept
at hand, so to play on costs one step a decision.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from league.errors import ConfigError
from league.seeds import seed_of

if TYPE_CHECKING:
    from league.games.plain import PlainGame
    from league.kernels import Row, Rows

KEPT = 1 << 15
"""Moments that are kept at hand: several times as many as a table has matches, for each leaves some behind."""


class Match(ABC):
    """One match of a plain game. Actions are texts, as `"roll"` or `"take 3"`.

    All chance comes from the generators that are handed in, each for what happens there and then.

    Attributes:
        to_move: The seat that decides now; None when the match is over.
    """

    to_move: int | None

    @abstractmethod
    def __init__(self, seats: int, options: Any, rng: Random) -> None:
        """Start a match, up to its first decision."""

    @abstractmethod
    def legal(self) -> Iterable[str]:
        """What the seat to move may do, in any order."""

    @abstractmethod
    def step(self, action: str, rng: Random) -> None:
        """Take a legal action, and do all that follows up to the next decision or the end."""

    @abstractmethod
    def scores(self) -> Sequence[int]:
        """By seat, final or as things stand; more is better."""

    @abstractmethod
    def view(self, seat: int) -> Sequence[Any]:
        """What a seat may see: a value for each of the game's words, in their order.

        Values are numbers, texts, truth values, None, and lists of such; bots get tuples for lists.
        """

    def ranks(self) -> Sequence[int]:
        """By seat, from 0, better than how many it is not; by the scores unless said otherwise."""
        return ranks_of(self.scores())

    def news(self) -> Sequence[str]:
        """What chance brought since the decision before, all of it open, for replays."""
        return ()

    def table(self) -> str:
        """All of the table in lines of text, for replays; what each seat sees, where nothing is told here."""
        return ""


def ranks_of(scores: Sequence[float]) -> list[int]:
    """Competition ranks from 0, more being better.

    >>> ranks_of([5, 9, 5])
    [1, 0, 1]
    """
    return [sum(other > score for other in scores) for score in scores]


def shown(value: Any) -> str:
    """A value of a view in words."""
    return " ".join(map(shown, value)) if isinstance(value, list | tuple) else str(value)


def printable(text: str) -> str:
    """A text as one line that can be printed anywhere."""
    return text if text.isprintable() else "".join(each if each.isprintable() else " " for each in text)


Key: TypeAlias = tuple[bytes, bytes]
"""What was chosen so far, and what chance did."""


@dataclass
class Moment:
    """A match at a decision, or at its end.

    Attributes:
        match: The object, until it is played on from here.
        legal: The legal actions, in the order of their letters.
        places: Their places in that list, by the bytes of their rows.
    """

    match: Match | None
    legal: Sequence[str]
    places: dict[bytes, int]


class MatchRules:
    """The kernels of a plain game: functions of rows, which find the object behind a row.

    Args:
        game: The game.
    """

    def __init__(self, game: PlainGame) -> None:
        self._game = game
        self._moments: dict[Key, Moment] = {}

    def start(self, state: Row) -> None:
        """From `deal` to the first decision."""
        state["turn"] = state["chosen"] = state["chance"] = 0
        state["chance"][0] = seed_of(int(state["deal"]), "chance", 0)
        self._settle(state, self._match_from(state))

    def step(self, state: Row, action: Row) -> None:
        """A legal action, and all chance up to the next decision or the end."""
        turn = int(state["turn"])
        moment = self.moment(state)
        state["chosen"][turn] = moment.places[action.tobytes()]
        state["chance"][turn + 1] = seed_of(int(state["deal"]), "chance", turn + 1)
        state["turn"] = turn + 1
        after = self._moments.get(_key(state))
        if after is not None and after.match is not None:
            self._tell(state, after.match)
            return
        match, moment.match = moment.match or self._match_from(state, turn), None
        self._play(match, moment.legal, state, turn)
        self._settle(state, match)

    def step_beside(self, state: Row, action: Row) -> None:
        """The same, and keep the object for the moment before as well."""
        moment, match = self.moment(state), deepcopy(self.match(state))
        self.step(state, action)
        moment.match = match

    def moment(self, state: Row) -> Moment:
        """What a match has come to."""
        found = self._moments.get(_key(state))
        return found or self._keep(state, self._match_from(state, int(state["turn"])))

    def match(self, state: Row) -> Match:
        """The object behind a row; it is to be looked at, not played on."""
        moment = self.moment(state)
        if moment.match is None:
            moment.match = self._match_from(state, int(state["turn"]))
        return moment.match

    def _match_from(self, state: Row, turns: int = 0) -> Match:
        """Play a match again from its start, up to some decision."""
        match = self._game.begin(Random(int(state["chance"][0])))
        for turn in range(turns):
            self._play(match, self._legal(match), state, turn)
        return match

    def _play(self, match: Match, legal: Sequence[str], state: Row, turn: int) -> None:
        match.step(legal[int(state["chosen"][turn])], Random(int(state["chance"][turn + 1])))

    def _settle(self, state: Row, match: Match) -> None:
        """A match has come to a new moment."""
        self._keep(state, match)
        self._tell(state, match)

    def _keep(self, state: Row, match: Match) -> Moment:
        legal = self._legal(match)
        moment = Moment(match, legal, {self._game.packed(text): place for place, text in enumerate(legal)})
        while len(self._moments) >= KEPT:
            del self._moments[next(iter(self._moments))]
        self._moments[_key(state)] = moment
        return moment

    def _legal(self, match: Match) -> Sequence[str]:
        """The legal actions in order.

        Raises:
            ConfigError: There are none, or too many.
        """
        if match.to_move is None:
            return ()
        legal, game = sorted(set(match.legal())), self._game
        if not legal:
            raise ConfigError(f"{game.name}: seat {match.to_move} is to move and has no legal action")
        if len(legal) > game.max_legal:
            raise ConfigError(
                f"{game.name}: {len(legal)} legal actions, max_legal is {game.max_legal}; raise it"
            )
        return legal

    def _tell(self, state: Row, match: Match) -> None:
        """Write who is to move; a match that is too long ends here."""
        is_over = match.to_move is None
        state["truncated"] = not is_over and state["turn"] == self._game.longest
        state["to_move"] = -1 if is_over or state["truncated"] else match.to_move

    def observe(self, state: Row, view: Row) -> None:
        """Fill the view of the seat to move.

        Raises:
            ConfigError: It sees more than the game said it would.
        """
        game, seat = self._game, int(state["to_move"])
        sight = [list(self.match(state).view(seat)), self.moment(state).legal]
        text = json.dumps(sight, ensure_ascii=False, separators=(",", ":")).encode()
        if len(text) > game.view_bytes:
            raise ConfigError(
                f"{game.name}: a view of {len(text)} bytes, view_bytes is {game.view_bytes}; raise it"
            )
        if len(sight[0]) != len(game.words):
            raise ConfigError(f"{game.name}: a view of {len(sight[0])} values for {len(game.words)} words")
        view["seat"], view["seats"], view["length"] = seat, game.seats, len(text)
        view["text"][: len(text)] = np.frombuffer(text, np.uint8)
        view["text"][len(text) :] = 0
        if not game.hidden:
            _copy_past(state, view)

    def legal(self, view: Row, actions: Rows) -> int:
        """Write the legal actions."""
        legal = self._game.read(view.tobytes())[1]
        self._game.encode(legal, actions[: len(legal)])
        return len(legal)

    def is_legal(self, state: Row, action: Row) -> bool:
        """Whether an action is legal, whatever its bytes are."""
        return action.tobytes() in self.moment(state).places

    def stand_in(self, state: Row, action: Row) -> None:
        """Write the first legal action."""
        action["text"] = np.frombuffer(next(iter(self.moment(state).places)), np.uint8)

    def result(self, state: Row, scores: Any, ranks: Any) -> None:
        """Scores and ranks, final or as things stand."""
        match = self.match(state)
        for seat, (score, rank) in enumerate(zip(match.scores(), match.ranks(), strict=True)):
            scores[seat], ranks[seat] = score, rank

    def imagine(self, view: Row, seed: Any, state: Row) -> None:
        """The match that a view shows, with other chance to come.

        Raises:
            ConfigError: The game hides things, and nobody said how to imagine them.
        """
        game = self._game
        if game.hidden:
            raise ConfigError(f"{game.name} is a plain game that hides things: they cannot be imagined")
        _copy_past(view, state)
        state["deal"], state["seats"] = seed, game.seats
        state["to_move"], state["truncated"] = view["seat"], 0


def _key(state: Row) -> Key:
    turn = int(state["turn"])
    return state["chosen"][:turn].tobytes(), state["chance"][: turn + 1].tobytes()


def _copy_past(source: Row, target: Row) -> None:
    for name in ("turn", "chosen", "chance"):
        target[name] = source[name]

"""Tables for tests: sampled options, matches played by chance, rows compared field by field."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st
from pydantic.fields import FieldInfo

from league.errors import ConfigError
from league.games import Game
from league.games.find import find_game
from league.kernels import Row, Rows, own, rows

SEEDS = st.integers(0, 2**64 - 1)
CAPS = {"rounds": 1, "max_hands": 3, "max_turns": 40}
"""Options that bound the length of a match, and what bounds it to a short one."""


def _integers(default: Any, limits: FieldInfo) -> st.SearchStrategy[Any]:
    """The default, and small numbers from the lower limit on: a cap on a match should bite at times."""
    lowest = next((limit.ge for limit in limits.metadata if hasattr(limit, "ge")), 0)
    highest = next((limit.le for limit in limits.metadata if hasattr(limit, "le")), lowest + 40)
    values = st.integers(lowest, min(highest, lowest + 40))
    return values if default is None else st.just(default) | values


def _values(kind: Any, option: FieldInfo) -> st.SearchStrategy[Any]:
    if kind is bool:
        return st.booleans()
    if kind is NoneType:
        return st.none()
    if kind is int:
        return _integers(option.default, option)
    if get_origin(kind) is Literal:
        return st.sampled_from(get_args(kind))
    if get_origin(kind) in (Union, UnionType):
        return st.one_of([_values(part, option) for part in get_args(kind)])
    raise TypeError(f"no strategy for options of type {kind}: add one here")


def option_sets(game: type[Game]) -> st.SearchStrategy[dict[str, Any]]:
    """Some of a game's options with allowed values, from its pydantic model."""
    fields = game.Options.model_fields
    return st.fixed_dictionaries(
        {}, optional={name: _values(field.annotation, field) for name, field in fields.items()}
    )


@st.composite
def variants(draw: st.DrawFn, name: str, short: bool = False) -> Game:
    """A game with sampled seats and options; combinations that the game refuses are left out.

    Short ones have a low cap on the length of a match. OpenSpiel's games keep their options, for OpenSpiel does not
    refuse all that it cannot play.
    """
    game = find_game(name)
    seats = draw(st.sampled_from(game.seat_counts))
    options = draw(st.just({}) if "." in name else st.just({}) | option_sets(game))
    if short:
        caps = {key: most for key, most in CAPS.items() if key in game.Options.model_fields}
        options = options | {key: min(most, options.get(key, most)) for key, most in caps.items()}
    try:
        return game(seats, options)
    except ConfigError:
        assume(False)
        raise


def default_games(name: str) -> list[Game]:
    """The game for every seat count that its default options allow."""
    found = []
    for seats in find_game(name).seat_counts:
        with suppress(ConfigError):
            found.append(find_game(name)(seats))
    return found


def view_row(game: Game, state: Row) -> Row:
    """What the seat to move sees, as a row."""
    view = rows(1, game.view_dtype)
    game.kernels.observe(state, view[0])
    return view[0]


def legal_rows(game: Game, view: Row) -> Rows:
    """The legal actions of a view row."""
    actions = rows(game.max_legal, game.action_dtype)
    return actions[: game.kernels.legal(view, actions)]


def fields_of(row: Row) -> dict[str, Any]:
    """The fields of a row as plain numbers and lists; padding does not count."""
    return {name: np.asarray(row[name]).tolist() for name in row.dtype.names}


def key_of(row: Row) -> tuple[Any, ...]:
    """An action row as something to compare and sort by: its numbers, field after field."""
    return tuple(np.concatenate([np.ravel(row[name]).astype(np.int64) for name in row.dtype.names]).tolist())


@dataclass(frozen=True)
class Decision:
    """A decision of a match that is being played by chance, before its action is taken."""

    state: Row
    view: Row
    legal: Rows
    action: Row


def play_by_chance(game: Game, deal_seed: int, choice_seed: int, at_most: int = 150) -> Iterator[Decision]:
    """Play a match with random legal actions; all decisions share one `state`, which is stepped between."""
    rng = random.Random(choice_seed)
    state = game.start(deal_seed)[0]
    for _ in range(at_most):
        if state["to_move"] < 0:
            return
        view = view_row(game, state)
        legal = legal_rows(game, view)
        action = own(legal[rng.randrange(len(legal))])
        yield Decision(state, view, legal, action)
        game.kernels.step(state, action)


def transcript(game: Game, deal_seed: int, choice_seed: int, at_most: int = 150) -> list[str]:
    """The events of a match played by chance, each as its `repr`."""
    state = game.start(deal_seed)[0]
    lines = [repr(frame.event) for frame in game.opening_frames(state)]
    for decision in play_by_chance(game, deal_seed, choice_seed, at_most):
        lines += [repr(frame.event) for frame in game.frames(decision.state, decision.action)]
    return lines

"""Hands of dominoes set up by name, for tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from league.games import Game
from league.games.dominoes import GAME, Dominoes, View, layout
from league.games.dominoes import kernels as rules
from league.games.dominoes.hands import insert
from league.games.dominoes.tiles import SPINNER, TILES, parse_place, parse_tile


def numbers(tiles: str) -> list[int]:
    """Tile numbers from `5-5 6-4`."""
    return [parse_tile(tile).number for tile in tiles.split()]


def number(tile: str) -> int:
    """The number of one tile."""
    return numbers(tile)[0]


def deal(hands: Sequence[str], boneyard: str = "", **options: Any) -> tuple[Dominoes, Any]:
    """A match whose first hand is dealt as told; what is not named lies at the end of the boneyard, ascending."""
    game = GAME(len(hands), {"hand_size": len(hands[0].split()), **options})
    state = game.blank()[0]
    named = [tile for hand in hands for tile in numbers(hand)] + numbers(boneyard)
    set_deck(
        state, named + [tile.number for tile in TILES[: rules.set_size(state)] if tile.number not in named]
    )
    return game, state


def set_deck(state: Any, deck: Sequence[int]) -> None:
    """Deal the first hand from this deck."""
    rules.begin(state)
    state["hand_number"] = 0
    state["deck"][: len(deck)] = deck
    rules.deal_hands(state)


def holding(hands: Sequence[str], **options: Any) -> Any:
    """A state in which the seats hold these tiles and nothing else is known."""
    state = GAME(len(hands), options).blank()[0]
    for seat, hand in enumerate(hands):
        for tile in numbers(hand):
            insert(state, seat, tile)
    return state


def lay_out(spinner: str, *places: str) -> Iterator[tuple[int, int]]:
    """The count and the points that each tile of a layout makes."""
    state = GAME(2).blank()[0]
    layout.lay(state, number(spinner), SPINNER)
    yield layout.count(state), layout.points(layout.count(state))
    for text in places:
        tile, arm = parse_place(text)
        assert layout.fits(state, tile.number, arm)
        expected = layout.count_after(state, tile.number, arm)
        layout.lay(state, tile.number, arm)
        assert layout.count(state) == expected
        yield layout.count(state), layout.points(layout.count(state))


def happenings(state: Any) -> list[int]:
    """Let things happen up to the next decision, the next deal or the end, and tell which did."""
    happened = []
    while (what := rules.proceed(state)) not in (rules.NOTHING, rules.DEALT):
        happened.append(what)
    return happened


def look(game: Game, state: Any) -> View:
    """What the seat to move sees."""
    return cast(View, game.view(state))


def legal(game: Dominoes, state: Any) -> str:
    """The legal placements in their text form."""
    return " ".join(map(str, game.view(state).legal))

"""Any match under any options: tiles are kept, scores add up, and it ends."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest
from hypothesis import given, settings

from league.errors import ConfigError, NotationError
from league.games.dominoes import GAME, Dominoes, Place, Tile, layout
from league.games.dominoes import kernels as rules
from league.games.dominoes.hands import insert
from league.games.dominoes.tiles import TILES, parse_tile, tile_count, tiles_of
from league.kernels import rows
from tests.games.dominoes.hands import deal, legal, look
from tests.games.tables import SEEDS, play_by_chance, variants


def on_table(state: Any) -> list[int]:
    """The tiles played in this hand."""
    moves = range(state["move_count"])
    return [int(state["move_tile"][move]) for move in moves if state["move_arm"][move] >= -1]


@given(variants("dominoes"), SEEDS, SEEDS)
@settings(max_examples=30)
def test_every_tile_is_somewhere_once(game: Dominoes, deal_seed: int, choice: int) -> None:
    for decision in play_by_chance(game, deal_seed, choice):
        state = decision.state
        held = [tiles_of(hand) for hand in state["hands"]]
        tiles = rules.set_size(state)
        boneyard = state["deck"][state["drawn"] : tiles].tolist()
        assert sorted([*chain(*held), *boneyard, *on_table(state)]) == list(range(tiles))
        assert [len(hand) for hand in held] == state["hand_sizes"].tolist()
        assert list(look(game, state).hand) == [TILES[tile] for tile in held[state["to_move"]]]
        assert len(boneyard) >= min(
            game.options.boneyard_reserve, tile_count(game.pips) - game.seats * game.hand_size
        )
        assert len(decision.legal) >= 2


@given(variants("dominoes"), SEEDS, SEEDS)
@settings(max_examples=30)
def test_events_add_up(game: Dominoes, deal_seed: int, choice: int) -> None:
    """Points and bonuses are the scores; a placement ends a turn, and so does a pass."""
    state = game.start(deal_seed)[0]
    scores, turns, hands = [0] * game.seats, 0, 0
    events = [frame.event for frame in game.opening_frames(state)]
    for decision in play_by_chance(game, deal_seed, choice, 400):
        state = decision.state
        events += [frame.event for frame in game.frames(state, decision.action)]
    for event in events:
        turns += event["event"] in ("play", "pass")
        if event["event"] == "play":
            assert event["points"] == (event["ends"] if event["ends"] % 5 == 0 else 0)
            scores[event["seat"]] += event["points"]
        elif event["event"] == "hand_over":
            hands += 1
            if event["winner"] is not None:
                scores[event["winner"]] += event["bonus"]
            assert event["scores"] == scores
    assert hands <= game.options.max_hands
    if state["to_move"] < 0:
        assert scores == game.result(state)[0]
        assert turns == state["turn"]
        assert state["truncated"] == (max(scores) < game.options.target)


def test_seats_and_hands_that_the_set_cannot_serve_are_refused() -> None:
    with pytest.raises(
        ConfigError, match=r"game.set = 'double6': its 28 tiles are for 2 to 4 seats, not 5; choose"
    ):
        GAME(5)
    with pytest.raises(ConfigError, match=r"game.hand_size = 8: 4 seats can have at most 7 each"):
        GAME(4, {"hand_size": 8})
    with pytest.raises(ConfigError, match=r"game.boneyard_reserve: unknown value '1'. Known: 0, 2"):
        GAME(2, {"boneyard_reserve": 1})
    with pytest.raises(ConfigError, match=r"game.target = 0: give at least 1"):
        GAME(2, {"target": 0})


@pytest.mark.parametrize(
    ("seats", "options", "hand", "boneyard"),
    [
        (2, {}, 7, 14),
        (3, {}, 6, 10),
        (4, {}, 5, 8),
        (2, {"set": "double12"}, 7, 77),
        (5, {"set": "double12"}, 5, 66),
        (10, {"set": "double12", "hand_size": 9}, 9, 1),
    ],
)
def test_deals(seats: int, options: dict[str, Any], hand: int, boneyard: int) -> None:
    game = GAME(seats, options)
    event = next(game.opening_frames(game.start(1)[0])).event
    assert [len(tiles) for tiles in event["hands"]] == [hand] * seats
    assert len(event["boneyard"]) == boneyard


def test_views_and_kernels_count_alike() -> None:
    game = GAME(2)
    for decision in play_by_chance(game, 1, 2, 400):
        view = look(game, decision.state)
        assert view.ends == layout.count(decision.state)
        for place in view.legal:
            assert view.count_after(place) == layout.count_after(decision.state, place.tile.number, place.arm)


def test_replies() -> None:
    game, state = deal(["5-5 5-1 5-2 3-0 6-0", "5-0 6-1 6-2 6-3 6-4"])
    rules.advance(state)
    view = look(game, state)
    assert legal(game, state) == "3-0@0 5-1@1 5-2@1 6-0@0"
    place = game.parse_action("5-1@1")
    assert view.open_after(place) == {0, 1, 5}
    assert view.points(place) == 0
    assert view.reply(place, Tile(4, 1)) == 0
    assert view.reply(place, Tile(4, 0)) == 5
    assert view.reply(place, Tile(4, 3)) is None


@pytest.mark.parametrize("text", ["", "6-4", "6-4@4", "13-1@0", "a-b@0", "6-4@-1", "6@1"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(NotationError, match="such as 6-4"):
        GAME(2).parse_action(text)


def test_tiles_and_places_in_words() -> None:
    assert [tile.number for tile in TILES] == list(range(91))
    assert parse_tile("4-6") == Tile(6, 4)
    assert str(GAME(2).parse_action(" 4-6@1 ")) == "6-4@1"
    assert Place(Tile(6, 4), 1) == GAME(2).parse_action("6-4@1")


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("4-4@0", "4-4 is not in the hand"),
        ("3-0@2", "the arms are 0 to 0, and 1 opens the next"),
        ("3-0@1", "arm 1 asks for 5"),
        ("5-1@0", "arm 0 asks for 0"),
    ],
)
def test_why_an_action_is_illegal(place: str, reason: str) -> None:
    game, state = deal(["5-5 5-1 5-2 3-0 6-0", "5-0 6-1 6-2 6-3 6-4"])
    rules.advance(state)
    assert game.why_illegal(state, game.action_row(game.parse_action(place))) == reason


def test_the_largest_legal_list_fits() -> None:
    """A hand of all tiles with four arms of different pips: no list is longer than `max_legal`."""
    for set_name in ("double6", "double12"):
        game = GAME(2, {"set": set_name})
        state = game.blank()[0]
        layout.lay(state, tile_count(game.pips) - 1, -1)
        for arm in range(3):
            layout.lay(state, tile_count(game.pips) - 2 - arm, arm)
        table = {tile_count(game.pips) - 1 - lower for lower in range(4)}
        for tile in range(tile_count(game.pips)):
            if tile not in table:
                insert(state, 0, tile)
        view = rows(1, game.view_dtype)
        game.kernels.observe(state, view[0])
        assert 2 * game.pips < view["legal_count"][0] <= game.max_legal

"""What a seat knows and may imagine: sound, complete, and a match that could have been dealt."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from league.games.dominoes import GAME, Dominoes, layout
from league.games.dominoes import kernels as rules
from league.games.dominoes.sight import imagine, observe
from league.games.dominoes.tiles import DRAWN, SPINNER, TILES, tiles_of
from league.kernels import own, rows
from tests.games.dominoes.hands import look, set_deck
from tests.games.tables import SEEDS, fields_of, play_by_chance, variants


def replayed(game: Dominoes, state: Any) -> Any:
    """The same hand dealt from the state's deck and played by its moves; every draw and pass must be the rules' own."""
    again = game.blank()[0]
    set_deck(again, state["deck"][: rules.set_size(state)].tolist())
    again["hand_number"] = state["hand_number"]
    again["target"] = 2**31 - 1
    for move in range(state["move_count"]):
        tile, arm = int(state["move_tile"][move]), int(state["move_arm"][move])
        while again["to_move"] != state["move_seat"][move] and arm not in (SPINNER, DRAWN):
            assert rules.proceed(again) in (rules.PASSED, rules.DREW)
        if arm < 0:
            done = rules.proceed(again)
            while done == rules.PASSED:
                done = rules.proceed(again)
            assert done == (rules.DREW if arm == DRAWN else rules.PLAYED)
            assert again["move_tile"][move] == tile
        else:
            assert tile in tiles_of(again["hands"][again["to_move"]])
            assert layout.fits(again, tile, arm)
            rules.place(again, tile, arm)
    while again["to_move"] != state["to_move"]:
        assert rules.proceed(again) == rules.PASSED
    return again


def hand_fields(state: Any) -> dict[str, Any]:
    """What a hand has come to, without what earlier hands left."""
    words = (
        "spinner",
        "arms",
        "arm_end",
        "arm_double",
        "fitting",
        "hands",
        "hand_sizes",
        "move_count",
        "drawn",
        "to_move",
        "phase",
    )
    found = {word: np.asarray(state[word]).tolist() for word in words}
    count = int(state["move_count"])
    return found | {word: state[word][:count].tolist() for word in ("move_seat", "move_tile", "move_arm")}


@given(variants("dominoes"), SEEDS, SEEDS)
def test_an_imagined_state_could_have_been_dealt_and_played(game: Dominoes, deal: int, choice: int) -> None:
    imagined = rows(1, game.state_dtype)[0]
    for number, decision in enumerate(play_by_chance(game, deal, choice, 60)):
        imagine(decision.view, np.uint64(number), imagined)
        assert hand_fields(replayed(game, imagined)) == hand_fields(imagined)
        tiles = rules.set_size(imagined)
        assert sorted(imagined["deck"][:tiles].tolist()) == list(range(tiles))


@given(variants("dominoes"), SEEDS, SEEDS)
def test_what_a_hand_is_known_to_lack_it_lacks(game: Dominoes, deal: int, choice: int) -> None:
    for decision in play_by_chance(game, deal, choice, 100):
        state = decision.state
        for seat, lacks in enumerate(look(game, state).lacks):
            hand = [TILES[tile] for tile in tiles_of(state["hands"][seat])]
            assert not any(pip in tile for pip in lacks for tile in hand)


def tiny(deck: tuple[int, ...]) -> Any:
    """The double-two set for two, hands of two, at the first decision of a deck; None where there is none."""
    state = GAME(2, {"hand_size": 2}).blank()[0]
    state["set"] = 2
    set_deck(state, deck)
    while state["to_move"] >= 0:
        happened = rules.proceed(state)
        if happened == rules.NOTHING:
            return state
        if happened in (rules.SETTLED, rules.DEALT):
            return None
    return None


def seen(state: Any) -> str:
    """The view as something to look up."""
    view = rows(1, GAME(2).view_dtype)
    observe(state, view[0])
    return repr(fields_of(view[0]))


def test_all_deals_that_fit_are_imagined_and_no_other() -> None:
    """Every deck of the double-two set: the decks behind equal views, found by hand, are the decks imagined."""
    behind: dict[str, set[tuple[Any, ...]]] = {}
    examples: dict[str, Any] = {}
    for deck in permutations(range(6)):
        state = tiny(deck)
        if state is not None:
            examples.setdefault(seen(state), own(state))
            behind.setdefault(seen(state), set()).add(hidden_part(state))
    imagined = rows(1, GAME(2).state_dtype)[0]
    view = rows(1, GAME(2).view_dtype)[0]
    assert len(behind) == 20
    for words, example in examples.items():
        found = set()
        observe(example, view)
        for seed in range(200):
            imagine(view, np.uint64(seed), imagined)
            found.add(hidden_part(imagined))
        assert found == behind[words]


def hidden_part(state: Any) -> tuple[Any, ...]:
    """The other hand and the boneyard in order."""
    other = 1 - int(state["to_move"])
    return (
        tuple(tiles_of(state["hands"][other])),
        tuple(state["deck"][state["drawn"] : 6].tolist()),
    )


def test_imagined_deals_are_nearly_even() -> None:
    """Without draws and passes all unseen tiles are equally likely in the other hand: within five standard errors."""
    game = GAME(2)
    state = next(play_by_chance(game, 4, 4)).state
    view, imagined = rows(1, game.view_dtype)[0], rows(1, game.state_dtype)[0]
    observe(state, view)
    counts = np.zeros(28)
    worlds = 4000
    for seed in range(worlds):
        imagine(view, np.uint64(seed), imagined)
        other = 1 - int(state["to_move"])
        counts[tiles_of(imagined["hands"][other])] += 1
    spinner = int(state["spinner"])
    free = [
        tile
        for tile in range(28)
        if counts[tile] and not (TILES[tile].is_double and TILES[tile].high > spinner)
    ]
    chance = int(state["hand_sizes"][1 - state["to_move"]]) / len(free)
    assert abs(counts[free] / worlds - chance).max() < 5 * np.sqrt(chance * (1 - chance) / worlds)


@given(SEEDS, st.integers(0, 40))
def test_moves_tell_what_happened_and_hide_what_others_drew(deal: int, at: int) -> None:
    game, rng = GAME(3), random.Random(deal)
    state = game.start(deal)[0]
    events = [frame.event for frame in game.opening_frames(state)]
    for _ in range(at):
        if state["to_move"] < 0:
            return
        place = rng.choice(look(game, state).legal)
        events += [frame.event for frame in game.frames(state, game.action_row(place))]
        game.play(state, place)
    if state["to_move"] < 0:
        return
    last_deal = max(index for index, event in enumerate(events) if event["event"] == "deal")
    view = look(game, state)
    expected = events[last_deal + 1 :]
    assert len(view.moves) == len(expected)
    for move, event in zip(view.moves, expected, strict=True):
        assert (move.seat, move.kind, move.arm) == (event["seat"], event["event"], event.get("arm"))
        is_shown = move.kind == "play" or (move.kind == "draw" and move.seat == view.seat)
        assert move.tile == (tuple(event["tile"]) if is_shown else None)

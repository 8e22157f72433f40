"""Numbers that are known without this engine: exact ones exactly, simulated ones within four standard errors."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import permutations
from math import comb
from typing import Any

import numpy as np
import pytest

from league.games.dominoes import GAME
from league.games.dominoes import kernels as rules
from league.games.dominoes.hands import list_places
from league.kernels import below, kernel, mix, own
from tests.games.dominoes.hands import numbers, set_deck

FIRST_TILES = 14
HANDS = 40_000


def test_the_tiny_game_exactly() -> None:
    """Double-two, two hands of two tiles, one hand, uniform bots: all 720 decks, every line of play."""
    ended: dict[str, Fraction] = {"points": Fraction(0), "out": Fraction(0), "blocked": Fraction(0)}
    state = GAME(2, {"hand_size": 2, "target": 1000}).blank()[0]
    state["set"] = 2
    for deck in permutations(range(6)):
        set_deck(state, deck)
        state["scores"] = 0
        follow(own(state), Fraction(1, 720), ended)
    assert ended["points"] == 2 * Fraction(77, 72)
    assert ended["out"] == 2 * Fraction(89, 180)
    assert ended["blocked"] == Fraction(1, 90)


def follow(state: Any, weight: Fraction, ended: dict[str, Fraction]) -> None:
    """Add up where all lines of play from here end, without the bonus."""
    while state["phase"] != rules.SETTLING and rules.proceed(state) != rules.NOTHING:
        pass
    if state["phase"] == rules.SETTLING:
        ended["points"] += weight * int(state["scores"].sum())
        ended["out" if (state["hand_sizes"][:2] == 0).any() else "blocked"] += weight
        return
    places = np.zeros((24, 2), np.int8)
    count = list_places(state, state["to_move"], places)
    for tile, arm in places[:count].tolist():
        after = own(state)
        rules.place(after, tile, arm)
        follow(after, weight / count, ended)


@cache
def opened(hands: int) -> tuple[int, int]:
    """Of so many deals for two: hands without a double, and spinners 6-6."""
    game = GAME(2)
    state = game.blank()[0]
    state["deal"] = np.uint64(3)
    rules.begin(state)
    bare, sixes = count_openings(state, hands)
    return int(bare), int(sixes)


@kernel
def count_openings(state: Any, hands: Any) -> Any:
    """Deal and open so many hands."""
    bare, sixes = 0, 0
    for _ in range(hands):
        state.phase = rules.DEALING
        state.to_move = 0
        rules.proceed(state)
        if rules.highest_double(state)[0] < 0:
            bare += 1
        while state.phase == rules.OPENING:
            rules.proceed(state)
        if state.spinner == 6:
            sixes += 1
    return bare, sixes


def test_openings_for_two() -> None:
    """Nobody is dealt a double in 1 of 345 hands; the spinner is 6-6 in 2074339 of 4144140."""
    assert Fraction(comb(21, FIRST_TILES), comb(28, FIRST_TILES)) == Fraction(1, 345)
    hands = 10 * HANDS
    for found, chance in zip(opened(hands), (1 / 345, 2074339 / 4144140), strict=True):
        assert abs(found / hands - chance) < 4 * np.sqrt(chance * (1 - chance) / hands)


@kernel
def play_hands(state: Any, hands: Any, places: Any, points: Any) -> Any:
    """Play so many hands with uniform bots; write the points of each from play, and count the blocked."""
    blocked = 0
    for hand in range(hands):
        state.phase = rules.DEALING
        state.to_move = 0
        state.scores[:] = 0
        choice = 0
        while state.phase != rules.SETTLING:
            if rules.proceed(state) == rules.NOTHING:
                count = list_places(state, state.to_move, places)
                chosen = below(mix(mix(state.deal, 1_000_000 + hand), choice), count)
                choice += 1
                rules.place(state, places[chosen, 0], places[chosen, 1])
        points[hand] = state.scores[:].sum()
        if state.hand_sizes[0] > 0 and state.hand_sizes[1] > 0:
            blocked += 1
    return blocked


def test_points_and_blocks_of_uniform_bots_for_two() -> None:
    """30.519 points a hand (standard error 0.019), 3.05 % blocked."""
    state = GAME(2, {"target": 1_000_000}).blank()[0]
    rules.begin(state)
    state["deal"] = np.uint64(11)
    points = np.zeros(HANDS, np.int64)
    blocked = play_hands(state, HANDS, np.zeros((24, 2), np.int8), points) / HANDS
    error = np.hypot(points.std() / np.sqrt(HANDS), 0.019)
    assert abs(points.mean() - 30.519) < 4 * error
    assert abs(blocked - 0.0305) < 4 * np.sqrt(0.0305 * 0.9695 / HANDS) + 0.00005


def test_every_hand_has_its_own_order_and_every_mirror_the_same() -> None:
    """A tile lies at a place of the deck as often as at any other: chi-squared over 28 x 28 cells."""
    state = GAME(2).blank()[0]
    counts = np.zeros((28, 28))
    rules.begin(state)
    state["deal"] = np.uint64(5)
    for _ in range(5000):
        rules.shuffle(state)
        counts[np.arange(28), state["deck"]] += 1
    expected = 5000 / 28
    chi_squared = ((counts - expected) ** 2 / expected).sum()
    freedom = 27 * 27
    assert abs(chi_squared - freedom) < 4 * np.sqrt(2 * freedom)
    assert sorted(state["deck"].tolist()) == list(range(28))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_deals_depend_on_deal_and_hand_alone(seats: int) -> None:
    orders = []
    for pick in (0, -1):
        game = GAME(seats, {"target": 10_000, "max_hands": 3})
        state = game.start(77)[0]
        decks: list[list[int]] = []
        while state["to_move"] >= 0:
            hand = int(state["hand_number"])
            decks[hand:] = [state["deck"].tolist()]
            game.play(state, game.view(state).legal[pick])
        orders.append(decks)
    assert orders[0] == orders[1]
    assert len(orders[0]) == 3
    assert numbers("0-0") == [0]

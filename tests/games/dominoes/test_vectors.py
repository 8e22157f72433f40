"""The rule page's examples, D1 to D13, and its corners."""

from __future__ import annotations

import pytest

from league.games.dominoes import GAME, layout
from league.games.dominoes import kernels as rules
from league.games.dominoes.kernels import DREW, PASSED, PLAYED, SETTLED
from tests.games.dominoes.hands import deal, happenings, holding, lay_out, legal, look, number, numbers


@pytest.mark.parametrize(
    ("layout", "counts_and_points"),
    [
        (
            ("5-5", "5-0@0", "5-3@1", "2-0@0", "3-3@1", "4-2@0"),
            [(10, 10), (10, 10), (3, 0), (5, 5), (8, 0), (10, 10)],
        ),
        (("6-6", "6-3@0", "6-2@1"), [(12, 0), (15, 15), (5, 5)]),
        (("4-4", "4-2@0", "2-2@0", "4-1@1"), [(8, 0), (10, 10), (12, 0), (5, 5)]),
        (("0-0",), [(0, 0)]),
    ],
    ids=["D1-D5", "D6", "D7", "D8"],
)
def test_counts(layout: tuple[str, ...], counts_and_points: list[tuple[int, int]]) -> None:
    assert list(lay_out(*layout)) == counts_and_points


def test_d2_three_sides_of_the_spinner_are_left_beside_the_end() -> None:
    game, state = deal(["5-5 5-1 5-2 3-0 6-0", "5-0 6-1 6-2 6-3 6-4"])
    assert happenings(state) == [PLAYED, PLAYED]
    assert state["scores"][:2].tolist() == [10, 10]
    assert legal(game, state) == "3-0@0 5-1@1 5-2@1 6-0@0"
    for arm, tile in enumerate(numbers("5-1 5-2"), start=1):
        assert layout.fits(state, tile, arm)
        layout.lay(state, tile, arm)
    layout.lay(state, number("5-4"), 3)
    assert layout.open_arms(state) == 4


def test_d4_what_is_open_after_two_arms() -> None:
    game, state = deal(["5-5 5-3 5-2 6-3", "5-0 2-0 6-6 6-4"])
    layout.lay(state, number("5-5"), -1)
    for text, arm in (("5-0", 0), ("5-3", 1), ("2-0", 0)):
        layout.lay(state, number(text), arm)
    state["phase"] = rules.PLAYING
    assert layout.open_pips(state["arm_end"], state["arms"]) == 1 << 5 | 1 << 3 | 1 << 2
    assert legal(game, state) == "5-2@0 5-2@2 5-3@1 5-3@2 5-5@2 6-3@1"


def test_d9_d12_a_blocked_hand_goes_to_the_lightest_unless_two_are() -> None:
    state = holding(["5-0", "2-1", "6-5", "6-6 1-0"])
    assert rules.hand_winner(state) == 1
    assert rules.bonus(state, 1) == 5
    state = holding(["2-2", "4-0", "5-4"])
    assert rules.hand_winner(state) == -1
    rules.settle(state)
    assert not state["scores"].any()


@pytest.mark.parametrize(
    ("held", "nearest", "down"),
    [
        ("1-1", 0, 0),
        ("2-1", 1, 0),
        ("6-1", 1, 1),
        ("6-2", 2, 1),
        ("6-6", 2, 2),
        ("6-6 1-0", 3, 2),
        ("6-6 6-5 4-0", 5, 5),
        ("6-6 6-5 5-0", 6, 5),
    ],
)
def test_d10_rounding_of_the_bonus(held: str, nearest: int, down: int) -> None:
    for rounding, fives in (("nearest", nearest), ("down", down)):
        for unit, factor in (("divided", 1), ("full", 5)):
            assert (
                rules.bonus(holding(["", held], bonus_rounding=rounding, bonus_unit=unit), 0)
                == fives * factor
            )


def test_d11_going_out_adds_the_bonus_to_the_last_points() -> None:
    state = holding(["", "6-4", "6-6 5-0"])
    state["scores"][0] = 10
    rules.settle(state)
    assert state["scores"][:3].tolist() == [15, 0, 0]
    # 6-6 counts 12, 6-4 makes 16, 6-5 makes 9 and 6-2 makes 11; the others hold 5 and 4.
    _, state = deal(["6-6 6-2", "6-4 3-2", "6-5 3-1"])
    assert happenings(state) == [PLAYED, PLAYED, PLAYED, PLAYED, SETTLED]
    assert state["scores"][:3].tolist() == [2, 0, 0]


@pytest.mark.parametrize(("check", "to_move"), [("immediate", -1), ("hand_end", 1)])
def test_d13_the_target_ends_the_match_at_once_or_with_the_hand(check: str, to_move: int) -> None:
    _, state = deal(["5-5 1-0 2-0", "5-1 5-2 5-3"], win_check=check)
    state["scores"][0] = 90
    assert rules.proceed(state) == PLAYED
    assert (state["scores"][0], state["to_move"]) == (100, to_move)


def test_without_a_double_everybody_draws_until_there_is_one() -> None:
    _, state = deal(["1-0 2-0 3-0", "4-0 5-0 6-0"], "2-1 3-1 4-4 6-6 5-5")
    assert [rules.proceed(state) for _ in range(5)] == [DREW, DREW, DREW, DREW, PLAYED]
    assert state["spinner"] == 6
    assert state["move_seat"][:5].tolist() == [0, 1, 0, 1, 1]
    assert state["hand_sizes"][:2].tolist() == [5, 4]


def test_who_cannot_place_draws_until_a_tile_fits_and_must_place_that() -> None:
    game, state = deal(["6-6 6-5 6-4", "1-0 2-0 3-0"], "1-1 2-1 6-0 6-1")
    assert happenings(state) == [PLAYED, DREW, DREW, DREW, PLAYED]
    assert legal(game, state) == "6-4@1 6-5@1"
    assert look(game, state).boneyard_size == 28 - 6 - 3


def test_reserved_tiles_are_not_drawn() -> None:
    game, state = deal(["6-6 6-5 6-4", "1-0 2-0 3-0"], "1-1 2-1 6-0 6-1", boneyard_reserve=2)
    state["drawn"] = 26
    assert happenings(state) == [PLAYED, PASSED]
    assert [move.kind for move in look(game, state).moves] == ["play", "pass"]


def test_a_hand_is_over_when_its_last_draw_leaves_everybody_stuck() -> None:
    _, state = deal(["6-6 1-0", "2-0 3-0"], "4-0")
    state["set"], state["drawn"] = 6, 27
    state["deck"][27] = number("4-0")
    assert happenings(state) == [PLAYED, DREW, PASSED, SETTLED]
    assert state["turn"] == 2
    assert state["scores"][:2].tolist() == [2, 0]


def test_a_hand_is_over_at_once_when_a_placement_leaves_everybody_stuck() -> None:
    _, state = deal(["6-6 1-0", "2-0 3-0"])
    state["drawn"] = 28
    assert happenings(state) == [PLAYED, SETTLED]


def test_a_match_without_winner_is_truncated() -> None:
    game, _ = deal(["6-6 1-0", "2-0 3-0"])
    game = type(game)(2, {"max_hands": 3, "target": 1000})
    state = game.start(5)[0]
    while state["to_move"] >= 0:
        game.play(state, look(game, state).legal[0])
    assert state["truncated"] == 1
    assert state["hand_number"] == 2


def test_equal_scores_share_the_rank() -> None:
    state = holding(["", "1-0", "1-1"])
    state["scores"][:3] = [7, 9, 7]
    assert GAME(3).result(state) == ([7, 9, 7], [1, 0, 1])

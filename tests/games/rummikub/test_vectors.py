"""The examples of the rules page, one by one, and what is said about impossible plays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from league.games.rummikub import DRAW, GAME, PASS, Play, Rummikub, solve
from league.games.rummikub.actions import PENALTY, TIME_LIMIT
from league.games.rummikub.notation import set_code
from league.kernels import Row
from tests.games.rummikub.tables import is_allowed, place, why


def events(game: Rummikub, state: Row, action: Any) -> list[dict[str, Any]]:
    return [frame.event for frame in game.frames(state, game.action_row(action))]


@pytest.mark.parametrize(
    ("play", "rack", "opens"),
    [
        ("k12 r12 b12", "k12 r12 b12 k1", True),
        ("r1 r2 r3", "r1 r2 r3 k1", False),
        ("r7 j:r8 r9", "r7 j r9 k1", False),
        ("r7 j:r8 r9 / k2 r2 b2", "r7 j r9 k2 r2 b2 k1", True),
        ("r9 r10 r11", "r9 r10 r11 k1", True),
    ],
    ids=["K1", "K2", "K3 alone", "K3 with six more", "K4"],
)
def test_k1_to_k4_melds(play: str, rack: str, opens: bool) -> None:
    assert is_allowed(play, rack, opened=False) == opens
    assert (solve(rack, minimum=30) is not None) == opens


@pytest.mark.parametrize(
    ("tiles", "is_set"),
    [
        ("r12 y12 k12", True),
        ("r12 r12 k12", False),
        ("k2 k3 k4 k5", True),
        ("k12 k13 k1", False),
        ("k1 r1 b1 y1 j:k1", False),
        ("k1 k2", False),
        (" ".join(f"b{number}" for number in range(1, 14)), True),
    ],
)
def test_k5_sets(tiles: str, is_set: bool) -> None:
    assert (set_code(tuple(tiles.split())) > 0) == is_set


@pytest.mark.parametrize(
    ("table", "rack", "new"),
    [
        ("b2 b3 b4 b5 b6 b7", "b8 b9", "b2 b3 b4 b5 b6 b7 b8 b9"),
        ("k10 y10 b10", "r10", "k10 r10 b10 y10"),
        ("r2 r3 r4", "b2 k2 r5", "r3 r4 r5 / k2 r2 b2"),
        ("y1 y2 y3 y4 y5 y6", "y4", "y1 y2 y3 y4 / y4 y5 y6"),
        (
            "r2 r3 r4 / y2 y3 y4 / b2 b3 b4 b5 b6",
            "b7 k2",
            "k2 r2 b2 y2 / r3 b3 y3 / r4 b4 y4 / b5 b6 b7",
        ),
    ],
    ids=["K6", "K7", "K8", "K9", "K10"],
)
def test_k6_to_k10_rearranging(table: str, rack: str, new: str) -> None:
    assert is_allowed(new, f"{rack} k13", table)
    play = solve(rack, table)
    assert play is not None
    assert sorted(play.played) == sorted(rack.split())
    assert is_allowed(str(play), f"{rack} k13", table)


def test_k8_nothing_may_be_left_over() -> None:
    assert not is_allowed("r3 r4 / k2 r2 b2", "b2 k2 k13", "r2 r3 r4")
    assert "fewer than three" in why("r3 r4 / k2 r2 b2", "b2 k2 k13", "r2 r3 r4")
    assert solve("b2 k2", "r2 r3 r4") is None


def test_k11_a_freed_joker_goes_to_the_table() -> None:
    table = "b1 b2 j:b3"
    assert is_allowed("b1 b2 b3 / r9 r10 j:r11", "b3 r9 r10 k1", table)
    assert not is_allowed("b1 b2 b3", "b3 k1", table)
    assert why("b1 b2 b3", "b3 k1", table) == "j lay on the table and is missing"


def test_k12_either_missing_colour_frees_a_joker_of_a_group() -> None:
    for declared in ("k7", "y7"):
        table = f"r7 b7 j:{declared}"
        for tile in ("k7", "y7"):
            assert is_allowed(f"r7 b7 {tile} / k1 k2 j:k3", f"{tile} k1 k2 k13", table)
        for tile in ("r7", "b7"):
            new = f"{'r7 b7'} / k1 k2 j:k3"
            assert not is_allowed(new, f"{tile} k1 k2 k13", table)


def test_k13_joker_policies() -> None:
    table, rack, new = "r2 r3 r4 j:r5", "b8 b9 k13", "r2 r3 r4 / b8 b9 j:b10"
    assert is_allowed(new, rack, table, joker_policy="free")
    assert not is_allowed(new, rack, table)
    assert (
        why(new, rack, table) == "the joker that stands for r5 may only move when that tile lies in its place"
    )
    wider, widened = f"{table} / k5 r5 b5", f"{new} / k5 r5 b5"
    assert is_allowed(widened, rack, wider)
    assert not is_allowed(widened, rack, wider, joker_policy="rack_only")
    assert is_allowed(f"{new} / k5 b5 r5", f"{rack} k5 b5 r5", table, joker_policy="rack_only")


def test_two_jokers_need_two_tiles() -> None:
    table, new = "r4 j:r5 r6 / j:r5 k5 b5", "r4 r5 r6 / k5 b5 j:r5 / k1 k2 j:k3"
    assert is_allowed(new, "r5 k1 k2 k13", table)
    both = "r4 r5 r6 / k5 b5 y5 / k1 k2 j:k3 / b1 b2 j:b3"
    assert is_allowed(both, "r5 y5 k1 k2 b1 b2 k13", table)
    one = "r4 r5 r6 / j:k1 j:k2 k3"
    assert not is_allowed(one, "r5 k3 k13", "r4 j:r5 r6 j:r7")


def test_k14_attaching_in_an_opening() -> None:
    rack, table, new = "k11 k12 k13 r8 k1", "r5 r6 r7", "r5 r6 r7 r8 / k11 k12 k13"
    assert is_allowed(new, rack, table, opened=False)
    assert not is_allowed(new, rack, table, opened=False, after_opening="none")
    assert is_allowed("r5 r6 r7 / k11 k12 k13", rack, table, opened=False, after_opening="none")
    assert not is_allowed("r5 r6 r7 r8 / k1 k2 k3", "k1 k2 k3 r8 k1", table, opened=False)
    apart = "k5 r5 b5 / r6 r7 r8 / k11 k12 k13"
    assert not is_allowed(apart, f"{rack} k5 b5", table, opened=False)
    assert is_allowed(apart, f"{rack} k5 b5", table, opened=False, after_opening="full")
    assert why(apart, f"{rack} k5 b5", table, opened=False) == (
        "the set r5 r6 r7 must stay as it is until you have opened"
    )
    worth = "the sets of your own tiles are worth 6, and opening takes 30"
    assert why("r5 r6 r7 / k1 k2 k3", "k1 k2 k3 k13", table, opened=False) == worth


def test_k14_twins_count_for_whoever_opens() -> None:
    """Of two equal runs one longer, the old set may be either; the shorter counts as the old one."""
    assert is_allowed("r9 r10 r11 / r9 r10 r11 r12", "r9 r10 r11 r12 k1", "r9 r10 r11", opened=False)
    assert not is_allowed("r6 r7 r8 / r6 r7 r8 r9", "r6 r7 r8 k1", "r6 r7 r8 r9", opened=False)
    assert is_allowed("r6 r7 r8 / r6 r7 r8 r9", "r6 r7 r8 r9 k1", "r6 r7 r8", opened=False)


def test_k15_going_out() -> None:
    game, state = place("r9", "r6 r7 r8", others=["k13 b13 j", "k1 k2"])
    found = events(game, state, Play((("r6", "r7", "r8", "r9"),)))
    assert [event["event"] for event in found] == ["play", "round_over"]
    assert found[0]["played"] == ["r9"]
    assert found[1] == {
        "event": "round_over",
        "round": 0,
        "reason": "out",
        "winner": 0,
        "scores": [54, -51, -3],
        "totals": [54, -51, -3],
    }


@pytest.mark.parametrize(
    ("option", "racks", "scores", "winner"),
    [
        ("difference", ["k10", "k13 k1", "b13 b8"], [15, -4, -11], 0),
        ("full", ["k10", "k13 k1", "b13 b8"], [35, -14, -21], 0),
        ("difference", ["k10", "b10", "b13 b8"], [5, 5, -11], None),
        ("full", ["k10", "b10", "b13 b8"], [10, 10, -21], None),
    ],
)
def test_k16_blocked(option: str, racks: list[str], scores: list[int], winner: int | None) -> None:
    game, state = place(racks[0], others=racks[1:], blocked_score=option)
    for _ in range(2):
        assert [event["event"] for event in events(game, state, PASS)] == ["draw"]
        game.play(state, PASS)
    over = events(game, state, PASS)[-1]
    assert (over["reason"], over["scores"], over["winner"]) == ("stuck", scores, winner)


@pytest.mark.parametrize(("seats", "turns"), [(2, 80), (3, 67), (4, 54)])
def test_k17_drawing_only(seats: int, turns: int) -> None:
    game = GAME(seats)
    state = game.start(seats)[0]
    while state["to_move"] >= 0:
        game.play(state, DRAW if state["pool_size"] else PASS)
    assert state["turn"] == turns


def test_k18_time_out() -> None:
    game, state = place("r9", "r6 r7 r8", others=["k1"], pool="y1 y2", time_limit_s=60)
    assert events(game, state, TIME_LIMIT) == [
        {"event": "penalty", "seat": 0, "reason": "time_limit", "tiles": ["y1", "y2"]}
    ]
    untimed, _ = place("r9", "r6 r7 r8", others=["k1"], pool="y1 y2")
    for rules, is_due in ((game, True), (untimed, False)):
        _, state = place("r9", "r6 r7 r8", others=["k1"], pool="y1 y2", **rules.options.model_dump())
        assert rules.kernels.may_happen(state, rules.action_row(TIME_LIMIT)) == is_due
        assert not rules.kernels.is_legal(state, rules.action_row(TIME_LIMIT))


def test_the_first_stand_in_is_the_penalty() -> None:
    game, state = place("r9", others=["k1"], pool="y1 y2 y3 y4 y5 y6")
    action = game.action_row(DRAW)
    game.kernels.stand_in(state, action)
    assert game.decode(action) == PENALTY
    assert events(game, state, PENALTY)[0]["tiles"] == ["y1", "y2", "y3"]
    game.kernels.step(state, game.action_row(PENALTY))
    game.play(state, DRAW)
    game.kernels.stand_in(state, action)
    assert game.decode(action) == DRAW
    mild, state = place("r9", others=["k1"], pool="y1 y2", illegal_play="draw")
    mild.kernels.stand_in(state, action)
    assert mild.decode(action) == DRAW


def test_several_rounds() -> None:
    """Rounds follow each other, `next_start` says who begins, and the match ends after the last."""
    for option, first in (("rotate", 1), ("winner", 0)):
        game, state = place("r9", "r6 r7 r8", others=["k1", "k2"], rounds=2, next_start=option)
        found = events(game, state, Play((("r6", "r7", "r8", "r9"),)))
        assert [event["event"] for event in found] == ["play", "round_over", "start"]
        assert found[-1]["first"] == first
        assert [len(hand) for hand in found[-1]["hands"]] == [14, 14, 14]
        game.play(state, Play((("r6", "r7", "r8", "r9"),)))
        assert (state["rounds_over"], state["to_move"], state["set_count"]) == (1, first, 0)
        assert state["totals"].tolist() == [3, -1, -2, 0]


def test_rounds_won_rank_before_points() -> None:
    game, state = place("r9", "r6 r7 r8", others=["k1", "k2"], match_winner="rounds_won")
    state["totals"], state["won"] = [10, 90, -100, 0], [1, 0, 0, 0]
    assert game.result(state) == ([1, 0, 0], [0, 1, 2])


@pytest.mark.parametrize(
    ("play", "message"),
    [
        ("r1 r2 r3", "r1 is on the new table more often than rack and table have it"),
        ("r6 r7 r8", "lay at least one tile from the rack"),
        ("k5 r5 b5", "r6 lay on the table and is missing"),
        ("r6 r7 r8 / k5 r5 j", "set 2 has a joker that does not say what it stands for, as in j:r7"),
        ("r6 r7 r8 / k5 r5 k5", "set 2 is a group with one colour twice"),
        ("r6 r7 r8 / k5 b6 y7", "set 2 is neither a group nor of one colour"),
        ("r6 r7 r9", "set 1 is of one colour, but its numbers do not follow each other"),
        ("r1 r3 r5", "set 1 is a sequence, which only counts in the maths variant"),
        ("k5 r5 b5 y5 j:k5", "set 1 is a group of more than four tiles"),
        ("pass", "the pool has tiles: draw instead"),
        ("time_limit", "only the rules impose that"),
        (" / ".join(["k5 r5 b5"] * 40), "a table has at most 35 sets"),
    ],
)
def test_what_is_said(play: str, message: str) -> None:
    assert why(play, "k5 r5 b5 r9 j", "r6 r7 r8") == message


def test_maths_sets_count_only_with_the_option() -> None:
    rows_of_numbers = (
        "r2 r5 r8 r11",
        "r3 r6 r12",
        "r3 r4 r7 r11",
        "r1 r4 r9",
        "r7 r11 r13",
        "r3 r1 r4 r1 r5",
    )
    for tiles in (*rows_of_numbers, "r1 r6 r1 r8"):
        assert is_allowed(tiles, f"{tiles} k1", maths=True)
        assert not is_allowed(tiles, f"{tiles} k1")
    assert not is_allowed("r1 r4 r9 r13", "r1 r4 r9 r13", maths=True)
    assert is_allowed("r2 r5 j:r8", "r2 r5 j k1", maths=True)


def test_scores_are_whole_and_zero_sum_but_for_remainders() -> None:
    scores, ranks = np.zeros(3, np.int32), np.zeros(3, np.int8)
    game, state = place("k10", others=["b10", "b13 b8"])
    for _ in range(3):
        game.play(state, PASS)
    game.kernels.result(state, scores, ranks)
    assert (scores.tolist(), ranks.tolist()) == ([5, 5, -11], [0, 0, 2])

"""The worked examples of the rules, a test each, and the options that change them."""

from __future__ import annotations

from typing import Any

import pytest

from league.errors import IllegalActionError
from league.games.regenwormen import Regenwormen
from league.games.regenwormen.rolls import look_at_roll
from league.kernels import Row
from tests.games.regenwormen.positions import (
    ALL,
    closed,
    legal,
    play,
    position,
    put_tiles,
    row_of,
    set_dice,
    stacks_of,
)

BUSTING = ("5555", "4444")
"""Rolled and kept: all eight dice used and no worm among them."""


def fail(row: list[int], own: list[int], **options: Any) -> Row:
    """The state after seat 0, which owns some tiles, failed."""
    game, state = position(*BUSTING, row=row, stacks={0: own}, **options)
    return play(game, state, "5 roll")[0]


def test_r1_a_turn_step_by_step() -> None:
    game, state = position("WW123345")
    kept, rolled = play(game, state, "W roll")[1][:2]
    assert (kept["count"], kept["total"], kept["dice_left"], len(rolled["dice"])) == (2, 10, 6, 6)
    game, state = position("441235", "WW")
    kept = play(game, state, "4 roll")[1][0]
    assert (kept["total"], kept["dice_left"]) == (18, 4)
    game, state = position("5123", "WW44")
    after, events = play(game, state, "5 take")
    assert (events[0]["total"], events[0]["dice_left"]) == (23, 3)
    assert events[1] == {"event": "take", "seat": 0, "tile": 23}
    assert stacks_of(after) == [(23,), ()]
    assert game.result(after) == ([1, 0], [0, 1])
    assert after["to_move"] == 1


def test_r2_a_face_is_kept_once() -> None:
    game, state = position("WWW124", "WW")
    assert legal(game, state) == ["1 roll", "2 roll", "4 roll"]
    with pytest.raises(IllegalActionError, match="that face is kept already"):
        game.play(state, game.parse_action("W roll"))


@pytest.mark.parametrize(("gone", "taken"), [([28], 27), ([28, 27, 26], 25)])
def test_r3_the_highest_below(gone: list[int], taken: int) -> None:
    game, state = position("331", "WW444", row=set(ALL) - set(gone))
    assert play(game, state, "3 take")[1][1]["tile"] == taken


def test_r4_never_above() -> None:
    game, state = position("31", "WWWW44", row=[22, 28, 33])
    after, events = play(game, state, "3 take")
    assert events[0]["total"] == 31
    assert events[1]["tile"] == 28
    assert row_of(after) == [22, 33]


def test_r5_above_the_highest_tile() -> None:
    game, state = position("WWWWWW", "44", row=[21, 34], stacks={1: [36]})
    assert legal(game, state) == ["W take"]
    after, events = play(game, state, "W take")
    assert events[0]["total"] == 38
    assert stacks_of(after) == [(34,), (36,)]


def test_r6_steal_or_take() -> None:
    game, state = position("221", "WW444", row=[25, 30], stacks={1: [24, 26]})
    assert [text for text in legal(game, state) if text.startswith("2")] == ["2 roll", "2 take", "2 steal"]
    after, events = play(game, state, "2 steal")
    assert events[1] == {"event": "steal", "seat": 0, "tile": 26, "from": 1}
    assert stacks_of(after) == [(26,), (24,)]
    assert stacks_of(play(game, state, "2 take")[0]) == [(25,), (24, 26)]


def test_r6_a_steal_alone_makes_stopping_legal() -> None:
    game, state = position("221", "WW444", row=[30], stacks={1: [26]})
    assert legal(game, state) == ["1 roll", "2 roll", "2 steal"]


def test_r7_covered_tiles_are_safe() -> None:
    game, state = position("221", "WW444", row=[24, 27], stacks={1: [26, 30]})
    assert "2 steal" not in legal(game, state)
    assert play(game, state, "2 take")[1][1]["tile"] == 24


def test_r8_own_top_is_no_target() -> None:
    game, state = position("5123", "WW44", row=[21, 24], stacks={0: [23]})
    assert "5 steal" not in legal(game, state)
    assert stacks_of(play(game, state, "5 take")[0])[0] == (23, 21)


def test_r9_own_top_and_nothing_else_fails() -> None:
    game, state = position("11", "W44442", row=[26, 30], stacks={0: [25]})
    assert legal(game, state) == ["1 roll"]
    after, events = play(game, state, "1 roll")
    assert events[1] == {"event": "bust", "seat": 0, "reason": "no_tile", "returned": 25, "turned": 30}
    assert row_of(after) == [25, 26]


def test_r10_no_worm() -> None:
    game, state = position(*BUSTING)
    assert play(game, state, "5 roll")[1][:2] == [
        {"event": "keep", "seat": 0, "face": 5, "count": 4, "total": 36, "dice_left": 0},
        {"event": "bust", "seat": 0, "reason": "no_worm", "returned": None, "turned": 36},
    ]
    game, state = position("22", "555444")
    assert legal(game, state) == ["2 roll"]
    for text in ("2 take", "2 stop"):
        with pytest.raises(IllegalActionError, match="may only roll"):
            game.play(state, game.parse_action(text))
    assert play(game, state, "2 roll")[1][1]["reason"] == "no_worm"


def test_all_faces_end_the_turn() -> None:
    """With dice to spare: five faces are kept, the sixth is the last."""
    game, state = position("112", "2345W", row=[36])
    assert legal(game, state) == ["1 roll"]
    assert play(game, state, "1 roll")[1][1]["reason"] == "no_tile"
    game, state = position("112", "2345W")
    assert legal(game, state) == ["1 take"]


def test_r11_total_below_every_tile() -> None:
    game, state = position("222222", "W3")
    after, events = play(game, state, "2 roll")
    assert events[0]["total"] == 20
    assert events[1]["reason"] == "no_tile"
    assert closed(after) == [36]


def test_r12_the_highest_is_turned_down() -> None:
    after = fail([22, 25, 34], [31])
    assert row_of(after) == [22, 25, 31]
    assert 34 in closed(after)


def test_r13_not_the_tile_just_returned() -> None:
    after = fail([22, 25], [30])
    assert row_of(after) == [22, 25, 30]
    assert row_of(fail([22, 25], [30], fast_variant="on")) == [22, 25]
    assert row_of(fail([22, 25], [30], fast_variant="auto", seats=4)) == [22, 25, 30]
    assert row_of(fail([22, 25], [30], fast_variant="auto", seats=5)) == [22, 25]
    assert row_of(fail([22, 34], [30], fast_variant="on")) == [22, 30]


def test_r14_failing_without_a_tile() -> None:
    after = fail([22, 25], [])
    assert (row_of(after), 25 in closed(after)) == ([22], True)
    assert row_of(fail([22, 25], [], flip_without_tile=False)) == [22, 25]
    assert row_of(fail([22, 34], [31], flip_without_tile=False)) == [22, 31]


def test_r15_the_row_runs_empty() -> None:
    after = fail([21], [])
    assert row_of(after) == []
    assert after["to_move"] == -1
    assert after["truncated"] == 0


def test_r16_soft_landing() -> None:
    after = fail([22, 34], [31], soft_landing=True)
    assert row_of(after) == [22, 31, 34]
    assert row_of(fail([22, 34], [], soft_landing=True)) == [22, 34]


@pytest.mark.parametrize("seats", Regenwormen.seat_counts)
def test_r17_nothing_but_failures(seats: int) -> None:
    game = Regenwormen(seats)
    state = game.start(0)[0]
    turned = []
    while state["to_move"] >= 0:
        set_dice(state, *BUSTING)
        look_at_roll(state)
        state, events = play(game, state, "5 roll")
        turned.append(events[1]["turned"])
    assert turned == list(range(36, 20, -1))
    assert state["turn"] == 16
    assert game.result(state) == ([0] * seats, [0] * seats)


def test_r18_the_last_tile() -> None:
    game, state = position("5123", "WW44", row=[23], stacks={1: [30]})
    after, events = play(game, state, "5 take")
    assert [event["event"] for event in events] == ["keep", "take"]
    assert after["to_move"] == -1
    with pytest.raises(IllegalActionError, match="the match is over"):
        game.play(after, game.parse_action("5 take"))


def test_r19_the_highest_tile_breaks_ties() -> None:
    game = Regenwormen(4)
    state = game.start(0)[0]
    put_tiles(state, [], {0: [21, 22, 23, 24], 2: [36]})
    assert game.result(state) == ([4, 0, 4, 0], [1, 2, 0, 2])


def test_any_below() -> None:
    game, state = position("331", "WW444", row=[21, 26, 28, 30], lower_choice="any_below")
    assert [text for text in legal(game, state) if text[0] == "3"] == [
        "3 roll",
        "3 take 21",
        "3 take 26",
        "3 take 28",
    ]
    assert stacks_of(play(game, state, "3 take 26")[0])[0] == (26,)
    for text in ("3 take 30", "3 take 22", "3 take"):
        with pytest.raises(IllegalActionError, match="tile"):
            game.play(state, game.parse_action(text))


def test_forced_steal() -> None:
    game, state = position("221", "WW444", row=[25, 30], stacks={1: [26]}, steal="forced")
    assert [text for text in legal(game, state) if text[0] == "2"] == ["2 roll", "2 steal"]
    game, state = position("221", "WW444", row=[25, 30], stacks={1: [31]}, steal="forced")
    assert [text for text in legal(game, state) if text[0] == "2"] == ["2 roll", "2 take"]


@pytest.mark.parametrize(
    ("rolled", "kept", "text", "reason"),
    [("55123", "444", "5 stop", "no_worm"), ("11234", "W5", "1 stop", "no_tile")],
)
def test_stopping_without_a_tile(rolled: str, kept: str, text: str, reason: str) -> None:
    rolled += "1" * (8 - len(rolled) - len(kept))
    game, state = position(rolled, kept, stop_without_tile="fail")
    assert text in legal(game, state)
    after, events = play(game, state, text)
    assert events[1]["reason"] == reason
    assert closed(after) == [36]


def test_stopping_needs_a_reason() -> None:
    """Where something may be taken, or the turn is over anyway, there is no other stop."""
    game, state = position("5123", "WW44", stop_without_tile="fail")
    assert [text for text in legal(game, state) if text[0] == "5"] == ["5 roll", "5 take"]
    game, state = position(*BUSTING, stop_without_tile="fail")
    assert legal(game, state) == ["5 roll"]


def test_the_cap_ends_the_match() -> None:
    game, state = position(*BUSTING, stacks={1: [30]}, max_turns=1)
    after, _ = play(game, state, "5 roll")
    assert (after["to_move"], after["truncated"], after["turn"]) == (-1, 1, 1)
    assert game.result(after) == ([0, 3], [1, 0])
    game, state = position(*BUSTING, row=[30], max_turns=1)
    assert play(game, state, "5 roll")[0]["truncated"] == 0

"""Whole matches: no tile appears or vanishes, plays of all kinds are accepted, and a short one stands in full."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.games.rummikub import DRAW, GAME, PASS, Play, View, solve
from league.games.rummikub.notation import TILE_NAMES
from league.games.rummikub.solving import AFTER_OPENING, POLICIES, AfterOpening, JokerPolicy
from league.kernels import Row, rows
from tests.games.tables import SEEDS, play_by_chance, transcript, variants

GOLDEN = Path(__file__).with_name("transcript.jsonl")
BOX = Counter(dict.fromkeys(TILE_NAMES, 2))


def tiles_of(state: Row) -> Counter[str]:
    """All tiles, wherever they are."""
    found: Counter[str] = Counter()
    for seat in range(state["seats"]):
        for name, count in zip(TILE_NAMES, state["racks"][seat].tolist(), strict=True):
            found[name] += count
    found.update(TILE_NAMES[kind] for kind in state["pool"][: state["pool_size"]].tolist())
    for tiles in table_of(state):
        found.update("j" if tile.startswith("j") else tile for tile in tiles)
    return found


def table_of(state: Row) -> list[Any]:
    from league.games.rummikub.notation import set_tiles

    return [set_tiles(code) for code in state["sets"][: state["set_count"]].tolist()]


@given(st.data())
@settings(max_examples=8)
def test_tiles_stay_in_the_box(data: st.DataObject) -> None:
    game = data.draw(variants("rummikub"))
    for decision in play_by_chance(game, data.draw(SEEDS), data.draw(SEEDS), 80):
        assert tiles_of(decision.state) == BOX
        assert decision.state["rack_sizes"].tolist() == decision.state["racks"].sum(axis=1).tolist()


@given(SEEDS)
@settings(max_examples=8)
def test_best_plays_go_out(seed: int) -> None:
    """Greedy matches end with a rack laid, or blocked, and every play is accepted by the door with every check."""
    game = GAME(3)
    state = game.start(seed)[0]
    while state["to_move"] >= 0:
        view = cast(View, game.view(state))
        play = view.best_play()
        if play:
            assert play.played
            assert len(play.played) == max(
                len(other.played) for other in view.legal if isinstance(other, Play)
            )
        game.play(state, play or (DRAW if view.pool_size else PASS))
        assert tiles_of(state) == BOX
    assert -2 <= int(state["totals"].sum()) <= 0


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("opening", AFTER_OPENING)
@pytest.mark.parametrize("objective", ["tiles", "value"])
def test_best_plays_of_the_maths_variant_are_legal(
    policy: JokerPolicy, opening: AfterOpening, objective: Literal["tiles", "value"]
) -> None:
    options = {
        "maths": True,
        "joker_policy": policy,
        "after_opening": opening,
        "draw_count": 3,
        "max_turns": 60,
    }
    game, plays = GAME(2, options), 0
    state = game.start(0)[0]
    while state["to_move"] >= 0:
        view = cast(View, game.view(state))
        play = view.best_play(objective)
        plays += play is not None
        game.play(state, play or (DRAW if view.pool_size else PASS))
    assert plays > 2
    assert state["opened"].any() or state["rounds_over"] > 0


def test_no_joker_of_the_table_helps_to_open() -> None:
    """The 30 of an opening come from the rack alone, whatever the rest of the turn may do with the table."""
    rack, table = "k2 k4 k10 r5 r13 b1 b6 b6 b7 b7 b9 b10 y2 y9", "k11 j:k12 k13 / b3 b10 b13 / y2 y4 y8"
    assert solve(rack, table, "value", "free", 30, after_opening="full", maths=True) is None
    play = solve(rack, table, "value", "free", after_opening="full", maths=True)
    assert play is not None


def golden_transcript() -> list[str]:
    """Two seats that lay the most points."""
    game = GAME(2, {"rounds": 2, "next_start": "winner"})
    state = game.start(2026)[0]
    events = [frame.event for frame in game.opening_frames(state)]
    while state["to_move"] >= 0 and len(events) < 80:
        view = cast(View, game.view(state))
        action = view.best_play("value") or (DRAW if view.pool_size else PASS)
        events += [frame.event for frame in game.frames(state, game.action_row(action))]
        game.play(state, action)
    return [json.dumps(event) for event in events]


def test_transcript() -> None:
    """The same deal and choices must give it for as long as the game's version stands."""
    assert golden_transcript() == GOLDEN.read_text().splitlines()


def digest() -> str:
    """A hash over some matches and over what seats imagine in them."""
    found = hashlib.sha256()
    for seats, options in ((2, {"joker_policy": "free"}), (3, {"after_opening": "full", "rounds": 2})):
        game = GAME(seats, options)
        found.update("".join(transcript(game, seats, 5, 12)).encode())
        imagined = rows(1, game.state_dtype)
        for decision in play_by_chance(game, seats, 5, 3):
            game.kernels.imagine(decision.view, np.uint64(seats), imagined[0])
            found.update(np.asarray(imagined[0]["racks"]).tobytes())
    return found.hexdigest()


@pytest.mark.parametrize(
    "setting", ["NUMBA_DISABLE_JIT", pytest.param("NUMBA_BOUNDSCHECK", marks=pytest.mark.slow)]
)
def test_uncompiled_and_checked(setting: str) -> None:
    """The kernels as plain Python, and compiled with bounds checks, play the same matches as compiled ones."""
    code = "from tests.games.rummikub.test_matches import digest; print(digest())"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        env={**os.environ, setting: "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == digest(), done.stderr

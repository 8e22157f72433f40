"""Whole matches of Regenwormen: nothing gets lost, they end, and they are what they were."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.games import Event, Game
from league.games.regenwormen import Regenwormen
from league.kernels import Row
from tests.games.regenwormen.positions import ALL, closed, row_of, stacks_of
from tests.games.tables import SEEDS, legal_rows, play_by_chance, variants, view_row

GOLDEN = Path(__file__).parent / "golden.jsonl"
DIGESTS = {2: "43af654ea60d5bd7", 4: "8ca818d08bf5a0db", 7: "14c2580a01538b40"}


def where_tiles_are(state: Row) -> list[int]:
    """All tiles, wherever they lie."""
    owned = [tile for stack in stacks_of(state) for tile in stack]
    return sorted([*row_of(state), *closed(state), *owned])


def potential(state: Row) -> int:
    """What falls by at least one in every failed turn that turns a tile down."""
    return 2 * sum(map(len, stacks_of(state))) + len(row_of(state))


@given(st.data())
def test_no_tile_is_lost(data: st.DataObject) -> None:
    game = data.draw(variants("regenwormen"))
    for decision in play_by_chance(game, data.draw(SEEDS), data.draw(SEEDS)):
        assert where_tiles_are(decision.state) == list(ALL)
        for frame in game.frames(decision.state, decision.action):
            assert where_tiles_are(frame.state) == list(ALL)


def allowed(game: Game, state: Row) -> list[str]:
    """The legal actions as text, one rule after the other as the rules page has them (RW-4 to RW-7)."""
    options, seat = game.options.model_dump(), int(state["to_move"])
    tops = [stack[-1] for other, stack in enumerate(stacks_of(state)) if stack and other != seat]
    found = []
    for face in range(1, 7):
        count, name = int(state["dice"][face - 1]), "12345W"[face - 1]
        if count == 0 or state["kept"][face - 1]:
            continue
        total = int(state["total"]) + count * min(face, 5)
        has_worm = face == 6 or state["kept"][5] > 0
        steals = has_worm and total in tops
        below = [tile for tile in row_of(state) if has_worm and tile <= total]
        takes = [] if steals and options["steal"] == "forced" else below
        goes_on = count < state["dice_left"] and state["faces_kept"] < 5
        if goes_on or not (takes or steals):
            found.append(f"{name} roll")
        if options["lower_choice"] == "any_below":
            found += [f"{name} take {tile}" for tile in takes]
        elif takes:
            found.append(f"{name} take")
        if steals:
            found.append(f"{name} steal")
        if options["stop_without_tile"] == "fail" and goes_on and not (takes or steals):
            found.append(f"{name} stop")
    return found


@given(st.data())
def test_legal_actions_are_those_of_the_rules(data: st.DataObject) -> None:
    game = data.draw(variants("regenwormen"))
    for decision in play_by_chance(game, data.draw(SEEDS), data.draw(SEEDS)):
        view = game.view(decision.state)
        assert [str(action) for action in view.legal] == allowed(game, decision.state)


@given(SEEDS, SEEDS, st.sampled_from(Regenwormen.seat_counts))
def test_failures_bring_the_end_nearer(deal_seed: int, choice_seed: int, seats: int) -> None:
    game = Regenwormen(seats)
    state = game.start(deal_seed)[0]
    for decision in play_by_chance(game, deal_seed, choice_seed, at_most=100_000):
        state = decision.state
        before = potential(state)
        assert before <= 31
        for frame in game.frames(state, decision.action):
            assert frame.event["event"] != "bust" or potential(frame.state) < before
    assert state["to_move"] < 0
    assert state["truncated"] == 0
    assert row_of(state) == []


@given(SEEDS)
def test_dice_depend_on_the_deal_and_the_place_alone(deal_seed: int) -> None:
    """Two matches of a deal that go different ways roll the same dice in the first roll of every turn."""
    game = Regenwormen(2)
    first = [_opening_rolls(game, deal_seed, choice_seed) for choice_seed in (1, 2)]
    shared = first[0].keys() & first[1].keys()
    assert len(shared) > 10
    assert all(first[0][turn] == first[1][turn] for turn in shared)


def _opening_rolls(game: Game, deal_seed: int, choice_seed: int) -> dict[int, tuple[int, ...]]:
    """The first roll by turn."""
    found: dict[int, tuple[int, ...]] = {}
    for decision in play_by_chance(game, deal_seed, choice_seed):
        view = game.view(decision.state)
        found.setdefault(view.turn, view.dice)  # type: ignore[attr-defined]
    return found


def match_events(game: Game, deal_seed: int) -> list[Event]:
    """A match in which decision `n` takes the legal action number `7 n`, counted in a circle."""
    state = game.start(deal_seed)[0]
    events = [frame.event for frame in game.opening_frames(state)]
    number = 0
    while state["to_move"] >= 0:
        legal = legal_rows(game, view_row(game, state))
        action = legal[7 * number % len(legal)]
        events += [frame.event for frame in game.frames(state, action)]
        game.kernels.step(state, action)
        number += 1
    scores, ranks = game.result(state)
    return [*events, {"event": "result", "scores": scores, "ranks": ranks}]


def lines(events: list[Event]) -> list[str]:
    """Events as JSON lines."""
    return [json.dumps(event) for event in events]


def test_golden_transcript() -> None:
    """How a match begins. A change here is a change of the rules: raise the version of the game with it."""
    events = lines(match_events(Regenwormen(2), 2**63 + 11))
    assert Regenwormen.version == 1
    assert events[:60] == GOLDEN.read_text().splitlines()


@pytest.mark.parametrize(("seats", "digest"), DIGESTS.items())
def test_golden_digests(seats: int, digest: str) -> None:
    """Fifty matches at a time, told by a hash of their events."""
    options: dict[str, Any] = {"fast_variant": "auto", "stop_without_tile": "fail"}
    events = [line for deal in range(50) for line in lines(match_events(Regenwormen(seats, options), deal))]
    assert hashlib.sha256("\n".join(events).encode()).hexdigest()[:16] == digest

"""The solver against published samples, against trying everything, and against integer programs."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.errors import IllegalActionError, NotationError
from league.games.rummikub import Play, solve
from tests.games.rummikub.brute import JOKER, all_plays
from tests.games.rummikub.milp import KINDS, most_weight
from tests.games.rummikub.tables import accepts, random_position

SAMPLES = json.loads(Path(__file__).with_name("samples.json").read_text())
POLICIES = ("rack_only", "substitute", "free")
SEEDS = st.integers(0, 2**32)
ONE_EACH = dict.fromkeys(KINDS, 1)


def bare(table: Any) -> Counter[str]:
    return Counter(JOKER if tile.startswith("j") else tile for part in table for tile in part)


def test_samples_of_positions() -> None:
    """Racks and tables given as lists of tiles, the most tiles known."""
    for sample in SAMPLES["positions"]:
        play = solve(sample["rack"], sample["table"], joker_policy="free")
        assert (len(play.played) if play else 0) == sample["max_tiles"], sample
        if play:
            assert bare(play.table) == Counter(sample["table"]) + Counter(play.played)


def test_samples_of_melds() -> None:
    for sample in SAMPLES["melds"]:
        play = solve(sample["rack"], objective="value", minimum=1)
        assert (play.value if play else 0) == sample["max_meld_value"], sample


def weight_of(played: Counter[str], weights: dict[str, int]) -> int:
    return sum(weights[tile] * count for tile, count in played.items())


@given(SEEDS)
@settings(max_examples=20)
def test_later_turns_by_brute_force(seed: int) -> None:
    """No better play exists, for any objective and joker policy; what is answered is accepted."""
    rng = random.Random(seed)
    rack, table = random_position(rng, rng.choice([1, 2, 2, 3]), rng.randint(2, 5), rng.choice([5, 7]))
    weights = {kind: rng.randint(-2, 5) for kind in KINDS}
    for policy in POLICIES:
        plays = list(all_plays(rack, table, policy))
        tiles = max((played.total() for played, _ in plays), default=0)
        value = max((value for _, value in plays), default=0)
        found = solve(rack, table, joker_policy=policy)  # type: ignore[arg-type]
        assert (len(found.played) if found else 0) == tiles
        by_value = solve(rack, table, "value", policy)  # type: ignore[arg-type]
        assert (by_value.value if by_value else 0) == value
        weighted = solve(rack, table, weights, policy)  # type: ignore[arg-type]
        assert (weighted is None) == (not plays)
        for play in (found, by_value, weighted):
            assert play is None or accepts(play, rack, table, True, joker_policy=policy)
        if weighted:
            best = max(weight_of(played, weights) for played, _ in plays)
            assert weight_of(Counter(weighted.played), weights) == best


@given(SEEDS)
@settings(max_examples=40)
def test_openings_by_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    rack, table = random_position(rng, rng.choice([0, 1, 2]), rng.randint(4, 7), rng.choice([5, 7]))
    rack = (*rack, *rng.choice([(), ("j",)])) if bare(table)[JOKER] + Counter(rack)[JOKER] < 2 else rack
    minimum = rng.choice([1, 6, 12])
    for after in ("none", "attach", "full"):
        plays = list(all_plays(rack, table, "substitute", minimum, after))
        found = solve(rack, table, "tiles", minimum=minimum, after_opening=after)
        assert (len(found.played) if found else 0) == max((p.total() for p, _ in plays), default=0)
        by_value = solve(rack, table, "value", minimum=minimum, after_opening=after)
        assert (by_value.value if by_value else 0) == max((value for _, value in plays), default=0)
        thirty = solve(rack, table, minimum=30, after_opening=after)
        assert thirty is None or accepts(thirty, rack, table, False, after_opening=after)


@given(SEEDS)
@settings(max_examples=8)
def test_maths_by_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    rack, table = random_position(rng, rng.choice([1, 2]), rng.randint(3, 5), 9)
    plays = list(all_plays(rack, table, maths=True))
    found = solve(rack, table, maths=True)
    assert (len(found.played) if found else 0) == max((played.total() for played, _ in plays), default=0)
    assert found is None or accepts(found, rack, table, True, maths=True)
    if found and any(len({tile.removeprefix("j:")[0] for tile in part}) == 1 for part in found.table):
        again = (
            list(all_plays(rack[:3], found.table, minimum=5, maths=True)) if not bare(table)[JOKER] else []
        )
        left = tuple((Counter(rack[:3]) - Counter(found.played)).elements())
        opened = solve(left, found.table, minimum=5, maths=True) if left else None
        most = max((p.total() for p, _ in again if p <= Counter(left)), default=0)
        assert not again or (len(opened.played) if opened else 0) == most


def check_with_milp(seed: int) -> None:
    """A position of any size, with all tiles, for each policy; policies allow more and more."""
    rng = random.Random(seed)
    rack, table = random_position(rng, rng.randint(2, 16), rng.randint(1, 14))
    weights = {kind: rng.randint(1, 30) for kind in KINDS}
    counts = []
    for policy in POLICIES:
        found = solve(rack, table, joker_policy=policy)  # type: ignore[arg-type]
        counts.append(len(found.played) if found else 0)
        assert counts[-1] == most_weight(rack, table, ONE_EACH, policy)
        weighted = solve(rack, table, weights, policy)  # type: ignore[arg-type]
        worth = weight_of(Counter(weighted.played), weights) if weighted else 0
        assert worth == most_weight(rack, table, weights, policy)
        assert found is None or accepts(found, rack, table, True, joker_policy=policy)
    assert counts == sorted(counts)


@pytest.mark.parametrize("seed", range(12))
def test_integer_programs(seed: int) -> None:
    check_with_milp(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 4000))
def test_thousands_of_integer_programs(seed: int) -> None:
    check_with_milp(seed)


@pytest.mark.parametrize("seed", range(4))
def test_integer_programs_with_maths(seed: int) -> None:
    rng = random.Random(seed)
    rack, table = random_position(rng, rng.randint(2, 8), rng.randint(2, 8))
    found = solve(rack, table, maths=True)
    assert (len(found.played) if found else 0) == most_weight(rack, table, ONE_EACH, "substitute", maths=True)


@given(SEEDS)
@settings(max_examples=20)
def test_same_input_same_answer_and_little_is_moved(seed: int) -> None:
    """Asked twice it answers alike, and a set that nothing forces apart stays."""
    rng = random.Random(seed)
    rack, table = random_position(rng, rng.randint(1, 10), rng.randint(1, 8))
    play = solve(rack, table)
    again = solve(rack, table)
    assert play == again
    if play and again:
        assert play.played == again.played
        kept = Counter(table) & Counter(play.table)
        changed = Counter(table) - kept
        assert not changed or solve(play.played, changed.elements()) is not None
        if not any(solve(play.played, list((kept + changed - Counter([one])).elements())) for one in changed):
            assert changed or len(play.table) > len(table)


def test_old_sets_stay() -> None:
    assert str(solve("r9 r10 r11", "r6 r7 r8")) == "r6 r7 r8 / r9 r10 r11"
    assert str(solve("r9", "r6 r7 r8 / r3 r4 r5")) == "r3 r4 r5 / r6 r7 r8 r9"
    play = solve("k5", "k1 k2 k3 k4 / r5 b5 y5")
    assert play
    assert play.table in (
        (("k1", "k2", "k3", "k4"), ("k5", "r5", "b5", "y5")),
        (("r5", "b5", "y5"), ("k1", "k2", "k3", "k4", "k5")),
    )


def test_takes_the_views_own_values() -> None:
    assert solve(("r8",), (("r5", "r6", "r7"),)) == Play((("r5", "r6", "r7", "r8"),))
    assert solve("r8", "r5 r6 r7") == solve(["r8"], [["r5", "r6", "r7"]])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("z9", ""), "'z9' is no tile"),
        (("r9", "r1 r2"), "fewer than three"),
        (("r9", "r1 r3 r6"), "do not follow"),
        (("r9", "r1 r3 r5"), "only in the maths variant"),
        (("r9 r9 r9", ""), "more than twice"),
        (("r9", ["r7", "r8", "j"]), "known only by its tiles"),
        (("r9", "", "most"), "is no objective"),
        (("r9", "", {"r9": 0.5}), "whole numbers"),
        (("r9", "", "tiles", "liberal"), "'liberal' is none of"),
        (("r9", "", "tiles", "free", 200), "minimum = 200"),
    ],
)
def test_says_what_is_wrong(arguments: Any, message: str) -> None:
    with pytest.raises((NotationError, IllegalActionError), match=message):
        solve(*arguments)

"""The solver for people: text tiles in, a complete play out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from league.errors import IllegalActionError, NotationError
from league.games.rummikub.actions import Play
from league.games.rummikub.notation import (
    FAULTS,
    TILE_NAMES,
    TileSet,
    count_tiles,
    set_code,
    set_tiles,
    split_sets,
    tiles_of,
)
from league.games.rummikub.rows import ACTION, ATTACH, JOKER, LATER, MOST_SETS, SEQUENCE, TILE_KINDS

JokerPolicy = Literal["substitute", "free", "rack_only"]
AfterOpening = Literal["attach", "none", "full"]
Objective = Literal["tiles", "value"] | Mapping[str, int]

POLICIES: tuple[JokerPolicy, ...] = ("substitute", "free", "rack_only")
AFTER_OPENING: tuple[AfterOpening, ...] = ("attach", "none", "full")
MOST_WEIGHT = 1 << 32
MOST_MINIMUM = 127
ENDLESS = 1 << 62


def solve(
    rack: str | Iterable[str],
    table: str | Iterable[str | Sequence[str]] = (),
    objective: Objective = "tiles",
    joker_policy: JokerPolicy = "substitute",
    minimum: int = 0,
    *,
    after_opening: AfterOpening = "attach",
    maths: bool = False,
) -> Play | None:
    """Find the best play: exactly, for every objective and every rule.

    Args:
        rack: The tiles on the rack: `"r7 r8 j"` or `("r7", "r8", "j")`.
        table: The sets on the table: `"r7 r8 j:r9 / k1 b1 y1"` or the view's own tuple of tuples. A flat tuple of
            tiles stands for a table known only by its tiles; jokers among them are bare, which needs the policy
            `"free"`.
        objective: `"tiles"` lays the most rack tiles, `"value"` the largest sum, a rack joker counting as what it
            stands for (of several jokers the highest count as the rack's); a mapping gives whole numbers by tile, 0
            for others.
        joker_policy: When a joker on the table may change what it stands for.
        minimum: 0 for a seat that has opened; else what its pure rack sets must be worth together, usually 30.
        after_opening: What else an opening turn may do.
        maths: Whether the sequences of the maths variant are sets.

    Returns:
        The play, with `played`, `table` and `value`; of equal ones that which leaves the table most as it was. None
        when no tile can be laid.

    Raises:
        NotationError: A text is no tile, or there is no such objective or rule.
        IllegalActionError: A set on the table is none.

    >>> str(solve("k11 k12 k13 r8", "r5 r6 r7", minimum=30))
    'r5 r6 r7 r8 / k11 k12 k13'
    """
    from league.games.rummikub.solver import write_best
    from league.kernels import rows

    loose, codes = _read_table(table, joker_policy, minimum, maths)
    counts = _read_rack(rack)
    _refuse_third_copies(counts, loose, codes)
    problems = _pose(counts, loose, codes, objective, (joker_policy, minimum, after_opening, maths))
    action = rows(1, ACTION)[0]
    if not write_best(problems, action):
        return None
    new = action["sets"][: action["count"]].tolist()
    return describe_play(new, codes, loose, opening=minimum > 0 and after_opening != "full")


def _pose(
    counts: list[int],
    loose: list[int],
    codes: list[int],
    objective: Objective,
    rules: tuple[JokerPolicy, int, AfterOpening, bool],
) -> Any:
    from league.games.rummikub.problem import make_problems, pose

    policy, minimum, after_opening, maths = rules
    weights, by_number = read_objective(objective)
    problems = make_problems(1)
    problem = problems[0]
    problem["by_number"], problem["policy"], problem["maths"] = by_number, _place(POLICIES, policy), maths
    problem["patience"] = ENDLESS
    problem["turn"] = ATTACH + _place(AFTER_OPENING, after_opening) if minimum else LATER
    some_worthless = min(weights[: JOKER if by_number else TILE_KINDS]) <= 0
    problem["quota"] = minimum or int(some_worthless)
    sets = np.array(codes, np.int32)
    pose(problem, np.array(counts, np.int64), np.array(loose, np.int64), sets, np.array(weights, np.int64))
    return problems


def _place(known: Sequence[str], word: str) -> int:
    if word not in known:
        raise NotationError(f"'{word}' is none of {', '.join(known)}")
    return known.index(word)


def read_objective(objective: Objective) -> tuple[list[int], bool]:
    """The worth of each tile, and whether a joker is worth its number."""
    if isinstance(objective, Mapping):
        weights = [0] * TILE_KINDS
        for tile, weight in objective.items():
            if not isinstance(weight, int) or abs(weight) > MOST_WEIGHT:
                raise NotationError(
                    f"{tile} = {weight!r}: weights are whole numbers up to {MOST_WEIGHT} either way"
                )
            weights[count_tiles([tile]).index(1)] = weight
        return weights, False
    if objective == "tiles":
        return [1] * TILE_KINDS, False
    if objective == "value":
        return [*(kind % 13 + 1 for kind in range(JOKER)), 0], True
    raise NotationError(
        f"'{objective}' is no objective: 'tiles', 'value' or a mapping from tiles to whole numbers"
    )


def _read_rack(rack: str | Iterable[str]) -> list[int]:
    return count_tiles(rack.split() if isinstance(rack, str) else rack)


def _refuse_third_copies(rack: list[int], loose: list[int], codes: list[int]) -> None:
    """The search relies on the box: two tiles of a kind, no more."""
    for kind, (on_rack, on_table) in enumerate(zip(rack, _count(codes, loose), strict=True)):
        if on_rack + on_table > 2:
            raise NotationError(f"{TILE_NAMES[kind]}: rack and table hold no tile more than twice")


def _read_table(
    table: str | Iterable[str | Sequence[str]], policy: JokerPolicy, minimum: int, maths: bool
) -> tuple[list[int], list[int]]:
    """Loose tiles and set codes."""
    if not 0 <= minimum <= MOST_MINIMUM:
        raise NotationError(f"minimum = {minimum}: from 0 to {MOST_MINIMUM}")
    parts = list(split_sets(table)) if isinstance(table, str) and table.strip() else list(table)
    if parts and isinstance(parts[0], str) and not isinstance(table, str):
        loose = count_tiles(part for part in parts if isinstance(part, str))
        if minimum or (loose[JOKER] and policy != "free"):
            raise NotationError(
                "a table known only by its tiles has no sets to attach to and no jokers with a meaning"
            )
        return loose, []
    codes = [set_code(tuple(part)) for part in parts]
    for part, code in zip(parts, codes, strict=True):
        if code <= 0 or (code & 3 == SEQUENCE and not maths):
            raise IllegalActionError(
                f"{' '.join(part)} {FAULTS[-code] if code < 0 else 'is a set only in the maths variant'}"
            )
    if len(codes) > MOST_SETS:
        raise NotationError(f"{len(codes)} sets: 106 tiles hold no more than {MOST_SETS}")
    return [0] * TILE_KINDS, codes


def describe_play(new: list[int], old: list[int], loose: list[int], *, opening: bool) -> Play:
    """The play that makes the old sets (and loose tiles) into the new ones."""
    before = _count(old, loose)
    played = [after - b for after, b in zip(_count(new, [0] * TILE_KINDS), before, strict=True)]
    table = tuple(set_tiles(code) for code in new)
    value = sum(_value(tiles) for tiles in table) - sum(_value(set_tiles(code)) for code in old)
    if not opening:
        stood_for = sorted(int(tile[3:]) for tiles in table for tile in tiles if tile.startswith("j:"))
        value = sum(count * (kind % 13 + 1) for kind, count in enumerate(played[:JOKER]))
        value += sum(stood_for[len(stood_for) - played[JOKER] :])
    return Play(table, tiles_of(played), value)


def _count(codes: list[int], loose: list[int]) -> list[int]:
    counts = list(loose)
    for code in codes:
        for kind, count in enumerate(count_tiles(set_tiles(code))):
            counts[kind] += count
    return counts


def _value(tiles: TileSet) -> int:
    return sum(int(tile.removeprefix("j:")[1:]) for tile in tiles)

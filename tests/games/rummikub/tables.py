"""States and positions for the tests of Rummikub."""

from __future__ import annotations

import random
from collections.abc import Iterable
from typing import Any

from league.games.rummikub import GAME, Play, Rummikub
from league.games.rummikub.actions import parse_action
from league.games.rummikub.notation import (
    TILE_NAMES,
    TileSet,
    count_tiles,
    kind_of_tile,
    set_code,
    split_sets,
)
from league.games.rummikub.rows import TILES
from league.kernels import Row


def place(
    rack: str,
    table: str = "",
    opened: bool = True,
    others: Iterable[str] = (),
    pool: str = "",
    **options: Any,
) -> tuple[Rummikub, Row]:
    """A game and a state in which seat 0 is to move with this rack; the other racks hold what `others` say."""
    racks = [rack, *others]
    game = GAME(max(2, len(racks)), options)
    state = game.start(0)[0]
    state["to_move"], state["first"], state["racks"], state["rack_sizes"], state["sets"] = 0, 0, 0, 0, 0
    for seat, tiles in enumerate(racks):
        state["racks"][seat] = count_tiles(tiles.split())
        state["rack_sizes"][seat] = len(tiles.split())
    codes = [set_code(tiles) for tiles in split_sets(table)] if table else []
    state["sets"][: len(codes)], state["set_count"] = codes, len(codes)
    kinds = [kind_of_tile(tile) for tile in reversed(pool.split())]
    state["pool"], state["pool_size"] = 0, len(kinds)
    state["pool"][: len(kinds)] = kinds
    state["opened"][0] = opened
    return game, state


def is_allowed(play: str, rack: str, table: str = "", opened: bool = True, **options: Any) -> bool:
    """Whether a new table may be played."""
    game, state = place(rack, table, opened, pool="k1", **options)
    return bool(game.kernels.is_legal(state, game.action_row(parse_action(play))))


def why(play: str, rack: str, table: str = "", opened: bool = True, **options: Any) -> str:
    """What is said against a new table."""
    game, state = place(rack, table, opened, pool="k1", **options)
    return game.why_illegal(state, game.action_row(parse_action(play)))


def accepts(play: Play, rack: Iterable[str], table: Iterable[TileSet], opened: bool, **options: Any) -> bool:
    """Whether the rules accept a solver's play."""
    text = " / ".join(" ".join(tiles) for tiles in table)
    return is_allowed(str(play), " ".join(rack), text, opened, **options)


def random_set(rng: random.Random, numbers: int, jokers: int) -> TileSet:
    """A group or run of numbers up to `numbers` with at most so many jokers."""
    if rng.randrange(2):
        number, colours = rng.randint(1, numbers), sorted(rng.sample("krby", rng.choice([3, 3, 4])))
        tiles = [f"{colour}{number}" for colour in colours]
    else:
        length = rng.choice([3, 3, 3, 4, 5])
        first, colour = rng.randint(1, max(1, numbers - length + 1)), rng.choice("krby")
        tiles = [f"{colour}{number}" for number in range(first, first + length)]
    for at in rng.sample(range(len(tiles)), min(jokers, rng.choice([0, 0, 1, 1, 2]))):
        tiles[at] = f"j:{tiles[at]}"
    return tuple(tiles)


def random_position(
    rng: random.Random, sets: int, rack_size: int, numbers: int = 13
) -> tuple[tuple[str, ...], tuple[TileSet, ...]]:
    """A rack, and a table of sets as the game writes them, out of one box of tiles."""
    from league.games.rummikub.notation import set_tiles

    left = [2] * len(TILE_NAMES)
    table: list[TileSet] = []
    for _ in range(sets):
        tiles = set_tiles(set_code(random_set(rng, numbers, left[-1])))
        counts = count_tiles(tiles)
        if all(have >= count for have, count in zip(left, counts, strict=True)):
            left = [have - count for have, count in zip(left, counts, strict=True)]
            table.append(tiles)
    box = [name for name, count in zip(TILE_NAMES, left, strict=True) for _ in range(count)]
    box = [name for name in box if name == "j" or int(name[1:]) <= numbers]
    rack = tuple(rng.sample(box, min(rack_size, len(box))))
    assert sum(map(len, table)) + len(rack) <= TILES
    return rack, tuple(table)

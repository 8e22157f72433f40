"""Tiny leagues for tests: three small bots of Regenwormen, two seats, written as people would write them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from league.read import tables
from league.store.schema import VOLATILE

BOTS = """
import os
import time

from league import Bot

class Tiny(Bot):
    game = "regenwormen"

    def __init__(self):
        if os.path.exists("GATE"):  # a test wants time to strike
            time.sleep(0.02)

class First(Tiny):
    "The first legal action."
    def choose(self, view):
        return view.legal[0]

class Last(Tiny):
    "The last legal action."
    def choose(self, view):
        return view.legal[-1]

class Chance(Tiny):
    "Any legal action, by its own generator or, against advice, by the global one."
    options = {"global_share": 0.5}
    def choose(self, view):
        import random
        rng = random if self.rng.random() < self.options["global_share"] else self.rng
        return rng.choice(view.legal)
"""
NAMES = ("First", "Last", "Chance")


def write_bots(folder: Path) -> Path:
    """The bots' file; they are slow while `folder/gate` exists."""
    file = folder / "tiny.py"
    file.write_text(BOTS.replace("GATE", str(folder / "gate")))
    return file


def write_league(
    folder: Path, matches: int = 120, batch: int = 20, bots: tuple[str, ...] = NAMES, **sections: Any
) -> Path:
    """A league file with its bots beside it; `sections` holds more keys by section."""
    if not (folder / "tiny.py").exists():
        write_bots(folder)
    document: dict[str, dict[str, Any]] = {
        "league": {"name": "tiny", "seed": 7},
        "game": {"name": "regenwormen", "seats": 2},
        "schedule": {"matches": matches, "batch": batch},
    }
    for name, keys in sections.items():
        document[name] = {**document.get(name, {}), **keys}
    text = "".join(f"[{name}]\n{_lines(keys)}\n" for name, keys in document.items())
    text += "".join(f"[[bots]]\n{_lines({'use': f'tiny.py:{bot}', 'isolation': 'none'})}\n" for bot in bots)
    file = folder / "tiny.toml"
    file.write_text(text)
    return file


def _lines(keys: Mapping[str, Any]) -> str:
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())


def steady(results: Path | str) -> pa.Table:
    """All logged matches of a league without the columns that differ from run to run."""
    return (
        pa.concat_tables(tables(str(results)))
        .drop_columns(list(VOLATILE))
        .combine_chunks()
        .unify_dictionaries()
    )


def outcome(results: Path) -> tuple[bytes, bytes]:
    """What a league came to, byte for byte: standings and ratings."""
    return (results / "standings.json").read_bytes(), (results / "ratings.parquet").read_bytes()


def flip_bit(part: Path, column: str) -> None:
    """Damage a Parquet file inside the data of a column."""
    group = pq.read_metadata(part).row_group(0)
    (found,) = [
        group.column(place)
        for place in range(group.num_columns)
        if group.column(place).path_in_schema.split(".")[0] == column
    ]
    content = bytearray(part.read_bytes())
    begin = found.dictionary_page_offset or found.data_page_offset
    content[begin + found.total_compressed_size - 2] ^= 4
    part.write_bytes(content)

"""Matches in brief, read block after block, and short lists of those worth watching."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from league.report.facts import Facts
from league.store.parts import blocks, read_part

COLUMNS = (
    "match",
    "deal",
    "bots",
    "scores",
    "ranks",
    "termination",
    "turns",
    "decisions",
    "faults",
    "think_us",
    "worker",
)
"""Everything but the decisions."""


@dataclass(frozen=True)
class Fault:
    """A fault of a bot, in the match where it happened."""

    match: int
    bot: int
    seat: int
    decision: int
    kind: str
    message: str


@dataclass(frozen=True)
class Brief:
    """One match without its decisions; `bots` are places in `Facts.bots`."""

    match: int
    deal: int
    bots: tuple[int, ...]
    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    turns: int
    truncated: bool
    faults: tuple[tuple[int, str], ...]
    """Seat and kind of each."""


@dataclass(frozen=True)
class PartSpan:
    """The matches that a part holds.

    Attributes:
        block: Number of its block.
        first, last: Its first and last match.
        name: The file.
    """

    block: int
    first: int
    last: int
    name: str


@dataclass(frozen=True)
class Block:
    """The matches of parts as arrays, the matches of a mirror set one after another.

    Attributes:
        match, deal: `int64[N]`.
        bots: `int32[N, S]`, places in `Facts.bots`.
        scores, ranks, think_us: `int64[N, S]`.
        turns: `int64[N]`.
        truncated: `bool[N]`.
        faults: All faults, row after row.
        fault_rows: `int64[F]`, the row of each fault.
        workers: Matches by worker.
        spans: The parts.
    """

    spans: Sequence[PartSpan]
    match: Any
    deal: Any
    bots: Any
    scores: Any
    ranks: Any
    think_us: Any
    turns: Any
    truncated: Any
    faults: pa.StructArray
    fault_rows: Any
    workers: dict[str, int]

    def __len__(self) -> int:
        return len(self.match)

    def mirror_set(self, first: int) -> range:
        """The rows of the mirror set that begins at a row."""
        return range(first, int(np.searchsorted(self.deal, self.deal[first], "right")))

    def brief(self, row: int) -> Brief:
        """One of its matches."""
        first, last = np.searchsorted(self.fault_rows, [row, row + 1])
        found = self.faults.slice(first, last - first).to_pylist()
        return Brief(
            match=int(self.match[row]),
            deal=int(self.deal[row]),
            bots=tuple(self.bots[row].tolist()),
            scores=tuple(self.scores[row].tolist()),
            ranks=tuple(self.ranks[row].tolist()),
            turns=int(self.turns[row]),
            truncated=bool(self.truncated[row]),
            faults=tuple((fault["seat"], fault["kind"]) for fault in found),
        )


def blocks_of(facts: Facts) -> Iterator[Block]:
    """The league's matches, block after block (see `league.schedule.Schedule`)."""
    for number, names in blocks(facts.folder, facts.seats):
        tables = [(name, read_part(facts.folder, name, facts.identity, COLUMNS)) for name in names]
        there = [(name, table) for name, table in tables if len(table)]
        if there:
            yield block_of(facts, number, there)


def block_of(facts: Facts, number: int, tables: Sequence[tuple[str, pa.Table]]) -> Block:
    """The parts of a block as arrays.

    Args:
        facts: The league.
        number: Which block it is.
        tables: Each part's file, and its table with `COLUMNS`.
    """
    places, seats = {bot.label: place for place, bot in enumerate(facts.bots)}, facts.seats
    spans = [PartSpan(number, *_ends(table), name) for name, table in tables]
    table = pa.concat_tables([table for _, table in tables]).unify_dictionaries().combine_chunks()
    table = table.take(np.argsort(table.column("deal").to_numpy(), kind="stable"))
    column = {key: table.column(key).combine_chunks() for key in COLUMNS}
    words = column["bots"].values
    place = np.array([places[label] for label in words.dictionary.to_pylist()], np.int32)
    termination = column["termination"]
    return Block(
        spans=spans,
        match=column["match"].to_numpy(),
        deal=column["deal"].to_numpy(),
        bots=place[words.indices.to_numpy()].reshape(-1, seats),
        scores=_by_seat(column["scores"], seats),
        ranks=_by_seat(column["ranks"], seats),
        think_us=_by_seat(column["think_us"], seats),
        turns=column["turns"].to_numpy().astype(np.int64),
        truncated=np.array(termination.dictionary.to_pylist())[termination.indices.to_numpy()] == "truncated",
        faults=pc.list_flatten(column["faults"]),
        fault_rows=pc.list_parent_indices(column["faults"]).to_numpy(),
        workers={item["values"]: item["counts"] for item in pc.value_counts(column["worker"]).to_pylist()},
    )


def _ends(table: pa.Table) -> tuple[int, int]:
    match = table.column("match")
    return match[0].as_py(), match[-1].as_py()


def _by_seat(column: pa.ListArray, seats: int) -> Any:
    return column.values.to_numpy().astype(np.int64).reshape(-1, seats)


def leads(scores: Any) -> Any:
    """By how much each seat is ahead of the best other one, `[N, seats]` of scores `[N, seats]`."""
    ordered = np.sort(scores, axis=1)
    best, second = ordered[:, -1:], ordered[:, -2:-1]
    return scores - np.where(scores == best, second, best)


class Shortlist:
    """The matches with the smallest keys, at most so many; of equal ones the earlier.

    Args:
        length: How many to keep.
    """

    def __init__(self, length: int) -> None:
        self.length = length
        self.kept: list[tuple[tuple[float, int], Brief]] = []

    def offer(self, block: Block, keys: Any, rows: Any = None) -> None:
        """Look through more matches.

        Args:
            block: Where they are.
            keys: `float64[K]`; what is not finite is out.
            rows: `int64[K]`, the row of each key; by default all.
        """
        bar = self.kept[-1][0][0] if len(self.kept) == self.length else np.inf
        good = np.flatnonzero(keys < bar)
        matches = block.match if rows is None else block.match[rows]
        best = good[np.lexsort((matches[good], keys[good]))[: self.length]]
        found = best if rows is None else rows[best]
        self.kept += [
            ((float(keys[key]), int(block.match[row])), block.brief(row))
            for key, row in zip(best.tolist(), found.tolist(), strict=True)
        ]
        self.kept = sorted(self.kept, key=lambda pair: pair[0])[: self.length]

    def briefs(self) -> Sequence[Brief]:
        """What is kept, best first."""
        return [brief for _, brief in self.kept]

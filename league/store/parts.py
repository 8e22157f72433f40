"""Write parts, check them, and read them back without holding more than one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import PurePath

import pyarrow as pa
import pyarrow.parquet as pq

from league.errors import ResultsError
from league.store import FORMAT_VERSION, ResultFolder

_PART = re.compile(r"part-\d{6}\.parquet")


class BrokenPartError(ResultsError):
    """A part cannot stand for its batch.

    Args:
        place: Where it is.
        reason: What is wrong with it.
    """

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(place, reason)
        self.place, self.reason = place, reason

    def __str__(self) -> str:
        return f"{self.place}: {self.reason}; delete it and run the league again, which plays its batch over"


def write_table(folder: ResultFolder, name: str, table: pa.Table) -> None:
    """Write a table as one Parquet file, aside first."""
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd", row_group_size=1 << 20, write_page_checksum=True)
    folder.write(name, memoryview(sink.getvalue()))


def matches_of_part(folder: ResultFolder, batch: int, schema: pa.Schema) -> int:
    """How many matches a batch's part has, from its footer.

    Args:
        folder: The results.
        batch: Number of the batch.
        schema: What the part must have.

    Raises:
        BrokenPartError: It is no whole Parquet file, another league's, or has other columns.
    """
    name = folder.part(batch)
    try:
        with folder.open(name) as file:
            found = pq.ParquetFile(file)
    except (pa.ArrowException, OSError) as error:
        raise BrokenPartError(folder.place(name), _broken(error)) from None
    _require_its_own(folder.place(name), found, schema.metadata[b"league_identity"].decode())
    if not found.schema_arrow.equals(schema):
        raise BrokenPartError(folder.place(name), "has other columns")
    return int(found.metadata.num_rows)


def _require_its_own(place: str, found: pq.ParquetFile, identity: str) -> None:
    """Refuse a part of another league, or of another batch than its name says.

    Raises:
        BrokenPartError: It is one.
    """
    if (found.schema_arrow.metadata or {}).get(b"league_identity") != identity.encode():
        raise BrokenPartError(place, "from another league")
    number = batch_number(place)
    if found.metadata.num_rows and found.metadata.row_group(0).column(1).statistics.min != number:
        raise BrokenPartError(place, "holds the matches of another batch")


def _broken(error: Exception) -> str:
    return f"not a whole Parquet file ({str(error).strip().splitlines()[0]})"


def read_part(
    folder: ResultFolder, name: str, identity: str, columns: Sequence[str] | None = None
) -> pa.Table:
    """Some columns of a part.

    Args:
        folder: The results.
        name: The part's file.
        identity: Of the league, from `identity_of`.
        columns: Which; all unless given.

    Raises:
        BrokenPartError: It is no whole Parquet file, another league's, or of another batch.
        ResultsError: It is of another format version.
    """
    place = folder.place(f"matches/{name}")
    try:
        with folder.open(f"matches/{name}") as file:
            found = pq.ParquetFile(file, page_checksum_verification=True)
            table = found.read(columns=None if columns is None else list(columns))
    except (pa.ArrowException, OSError) as error:
        raise BrokenPartError(place, _broken(error)) from None
    version = (table.schema.metadata or {}).get(b"league_format", b"?").decode()
    if version != str(FORMAT_VERSION):
        raise ResultsError(
            f"{place}: format version {version}, this package reads {FORMAT_VERSION}; "
            "install the package that wrote it, or play the league anew"
        )
    _require_its_own(place, found, identity)
    return table


def first_match(folder: ResultFolder, name: str) -> int:
    """The first match of a part, from its footer.

    Raises:
        BrokenPartError: It is no whole Parquet file.
    """
    try:
        with folder.open(f"matches/{name}") as file:
            return int(pq.ParquetFile(file).metadata.row_group(0).column(0).statistics.min)
    except (pa.ArrowException, OSError) as error:
        raise BrokenPartError(folder.place(f"matches/{name}"), _broken(error)) from None


def batch_number(name: str) -> int:
    """The batch whose part has that name."""
    return int(PurePath(name).stem.removeprefix("part-"))


def blocks(folder: ResultFolder, seats: int) -> Iterator[tuple[int, list[str]]]:
    """The parts of each block, in which mirror matches have the same place; see `league.schedule.Schedule`."""
    for block, names in groupby(part_names(folder), lambda name: batch_number(name) // seats):
        yield block, list(names)


def part_names(folder: ResultFolder) -> list[str]:
    """The names of the parts, in batch order; what has another name is nobody's part."""
    return [name for name in folder.list("matches") if _PART.fullmatch(name)]

"""Data out: matches, events and ratings as Parquet, CSV or JSON lines, streamed part by part."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, Literal

import pyarrow as pa
import pyarrow.parquet as pq

from league.errors import ConfigError
from league.logged import event_line, no_such_match, open_league, replays
from league.read import Results, open_results, rating_table, tables
from league.store.schema import identity_of, matches_schema

What = Literal["matches", "events", "ratings"]
FileFormat = Literal["parquet", "csv", "jsonl"]


def export(
    results: Results,
    what: What,
    file_format: FileFormat,
    to: str | PathLike[str] | None = None,
    first: int = 0,
    end: int | None = None,
) -> None:
    """Write a league's data to a file, or to standard output.

    Args:
        results: A result folder or its URI.
        what: Which data.
        file_format: How; events are JSON lines only.
        to: The file; standard output unless given.
        first: From this match on.
        end: Before this match.

    Raises:
        LeagueError: There are no such results, or what is asked for does not go together.
    """
    if what == "ratings" and (first, end) != (0, None):
        raise ConfigError("--matches: ratings are those of the whole league; leave it out")
    if what != "ratings":
        _require_range(results, first, end)
    if what == "events" and file_format != "jsonl":
        raise ConfigError(f"--format {file_format}: events are JSON lines; use --format jsonl")
    with _sink(None if to is None else Path(to)) as sink:
        if what == "events":
            _write_lines(_events(results, first, end), sink)
        else:
            found = iter([rating_table(results)]) if what == "ratings" else _matches(results, first, end)
            {"parquet": _write_parquet, "csv": _write_csv, "jsonl": _write_jsonl}[file_format](found, sink)


def _require_range(results: Results, first: int, end: int | None) -> None:
    if end is not None and end < first:
        raise ConfigError(f"--matches {first}:{end}: ends before it begins")
    folder = open_results(results)
    total = folder.read_league()["matches"]
    if first >= total:
        raise no_such_match(first, folder, total)


@contextmanager
def _sink(to: Path | None) -> Iterator[BinaryIO]:
    """The file, written aside and renamed once it is whole; or standard output, or a pipe or device that is there."""
    if to is None:
        yield sys.stdout.buffer
        return
    to = to.resolve()
    aside = to.with_name(f".{to.name}.tmp")
    try:
        if to.exists() and not to.is_file():
            with to.open("wb") as stream:
                yield stream
            return
        with aside.open("wb") as stream:
            yield stream
        aside.replace(to)
    except OSError as error:
        raise ConfigError(
            f"--to {to}: {(error.strerror or str(error)).lower()}; choose another file"
        ) from None
    finally:
        aside.unlink(missing_ok=True)


def _matches(results: Results, first: int, end: int | None) -> Iterator[pa.Table]:
    """The tables of the matches; where none has been played yet an empty one, which has the columns all the same."""
    found = tables(results, None, first, end)
    kept = open_results(results).read_league()["config"]
    empty = matches_schema(kept["log"]["level"] == "actions", identity_of(kept)).empty_table()
    return chain([next(found, empty)], found)


def _events(results: Results, first: int, end: int | None) -> Iterator[Mapping[str, Any]]:
    """The events of the matches, each with its match."""
    for found in replays(open_league(results), first, end):
        for event in found.events():
            yield {"event": event["event"], "match": found.match} | event


def _write_lines(values: Iterable[Mapping[str, Any]], sink: BinaryIO) -> None:
    for value in values:
        sink.write(event_line(value).encode() + b"\n")


def _write_parquet(found: Iterator[pa.Table], sink: BinaryIO) -> None:
    first = next(found)
    with pq.ParquetWriter(sink, first.schema, compression="zstd") as writer:
        for table in chain([first], found):
            writer.write_table(table)


def _write_csv(found: Iterator[pa.Table], sink: BinaryIO) -> None:
    """Lists and structs become JSON, bytes hexadecimal digits."""
    first = next(found)
    sink.write((",".join(first.schema.names) + "\n").encode())
    for table in chain([first], found):
        for row in table.to_pylist():
            line = csv.writer(_Line(sink), lineterminator="\n")
            line.writerow([_cell(value) for value in row.values()])


class _Line:
    """What a csv writer writes to."""

    def __init__(self, sink: BinaryIO) -> None:
        self._sink = sink

    def write(self, text: str) -> int:
        return self._sink.write(text.encode())


def _cell(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.hex()
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict)) else value


def _write_jsonl(found: Iterator[pa.Table], sink: BinaryIO) -> None:
    for table in found:
        _write_lines(
            (
                {name: v.hex() if isinstance(v, bytes) else v for name, v in row.items()}
                for row in table.to_pylist()
            ),
            sink,
        )

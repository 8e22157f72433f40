"""Results as pandas frames, for notebooks: filtered and by column, never more in memory than was asked for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias

from league.errors import ConfigError, ResultsError, unknown
from league.store import LEAGUE, RATINGS, STANDINGS, ResultFolder
from league.store.parts import first_match, part_names, read_part

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

MOST_MATCHES = 2**63 - 1
"""Matches are numbered with 64 bits."""

Results: TypeAlias = str | PathLike[str]
"""A result folder: its path, or its URI."""


def open_results(results: Results) -> ResultFolder:
    """A result folder that a league was played in.

    Raises:
        ResultsError: There is none.
    """
    folder = ResultFolder.at(results)
    if not folder.exists(LEAGUE):
        raise ResultsError(
            f"{results}: no league was played here (no {LEAGUE}); give a folder such as results/NAME"
        )
    return folder


def tables(
    results: Results, columns: Sequence[str] | None = None, first: int = 0, end: int | None = None
) -> Iterator[pa.Table]:
    """Logged matches `first` to `end` as Arrow tables, part after part; parts outside are not opened.

    Raises:
        ResultsError: There are no such results.
        ConfigError: There is no such column.
    """
    from pyarrow import compute

    from league.store.schema import identity_of, matches_schema

    folder = open_results(results)
    kept = folder.read_league()["config"]
    identity = identity_of(kept)
    known = matches_schema(kept["log"]["level"] == "actions", identity).names
    for column in columns or ():
        if column not in known:
            raise ConfigError(unknown("column", column, known))
    names = part_names(folder)
    begin = bisect_right(names, first, key=lambda name: first_match(folder, name)) - 1
    for name in names[max(begin, 0) :]:
        if end is not None and first_match(folder, name) >= end:
            return
        wanted = None if columns is None else [*dict.fromkeys(["match", *columns])]
        table = read_part(folder, name, identity, wanted)
        match = table.column("match")
        chosen = compute.greater_equal(match, min(first, MOST_MATCHES))
        if end is not None:
            chosen = compute.and_(chosen, compute.less(match, min(end, MOST_MATCHES)))
        yield table.filter(chosen) if columns is None else table.filter(chosen).select(list(columns))


def matches(
    results: Results, columns: Sequence[str] | None = None, first: int = 0, end: int | None = None
) -> pd.DataFrame:
    """Logged matches as a frame.

    Args:
        results: A result folder or its URI.
        columns: Only these.
        first: From this match on.
        end: Before this match.

    Raises:
        ResultsError: There are no such results.
        ConfigError: There is no such column.
    """
    import pandas as pd

    frames = [table.to_pandas() for table in tables(results, columns, first, end)]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=list(columns or []))


def standings(results: Results) -> pd.DataFrame:
    """The ranking as a frame, best first.

    Raises:
        ResultsError: There are no such results, or they are not rated yet.
    """
    import pandas as pd

    return pd.DataFrame(standing_rows(results))


def standing_rows(results: Results) -> list[dict[str, Any]]:
    """The ranking as JSON values, best first."""
    folder = open_results(results)
    if not folder.exists(STANDINGS):
        raise ResultsError(f"{results}: no standings yet; run the league again, it resumes")
    return read_standings(folder)["standings"]  # type: ignore[no-any-return]


def rated_and_planned(results: Results) -> tuple[int, int]:
    """How many matches the ranking counts, and how many the league will have.

    Raises:
        ResultsError: There are no such results, or they are not rated yet.
    """
    folder = open_results(results)
    return int(read_standings(folder)["matches"]), int(folder.read_league()["matches"])


def read_standings(folder: ResultFolder) -> dict[str, Any]:
    """What `standings.json` says: the league, how many matches are rated, and the ranking.

    Raises:
        ResultsError: It is no ranking.
    """
    kept = folder.read_json(STANDINGS)
    if not isinstance(kept, dict) or not {"matches", "standings"} <= set(kept):
        raise ResultsError(
            f"{folder.place(STANDINGS)}: no ranking; run the league again, which rates it anew"
        )
    return kept


def ratings(results: Results) -> pd.DataFrame:
    """Ratings by bot and checkpoint as a frame.

    Raises:
        ResultsError: There are no such results, or they are not rated yet.
    """
    return rating_table(results).to_pandas()  # type: ignore[no-any-return]


def rating_table(results: Results) -> pa.Table:
    """Ratings by bot and checkpoint as an Arrow table.

    Raises:
        ResultsError: There are no such results, or they are not rated yet.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder = open_results(results)
    if not folder.exists(RATINGS):
        raise ResultsError(f"{results}: no ratings yet; run the league again, it resumes")
    try:
        with folder.open(RATINGS) as file:
            return pq.read_table(file)
    except (pa.ArrowException, OSError):
        raise ResultsError(
            f"{folder.place(RATINGS)}: not a whole Parquet file; run the league again, which rates it anew"
        ) from None

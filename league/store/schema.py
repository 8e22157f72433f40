"""The explicit, versioned schema of the tables, and how a played batch becomes one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from league.play import Played
from league.store import FORMAT_VERSION

_WORDS = pa.dictionary(pa.int32(), pa.string())

_COLUMNS = [
    pa.field("match", pa.int64(), nullable=False),
    pa.field("batch", pa.int32(), nullable=False),
    pa.field("deal", pa.int64(), nullable=False),
    pa.field("bots", pa.list_(_WORDS), nullable=False),
    pa.field("scores", pa.list_(pa.int32()), nullable=False),
    pa.field("ranks", pa.list_(pa.int8()), nullable=False),
    pa.field("termination", _WORDS, nullable=False),
    pa.field("turns", pa.int32(), nullable=False),
    pa.field("decisions", pa.int32(), nullable=False),
    pa.field(
        "faults",
        pa.list_(
            pa.struct(
                [("seat", pa.int8()), ("decision", pa.int32()), ("kind", _WORDS), ("message", pa.string())]
            )
        ),
        nullable=False,
    ),
    pa.field("think_us", pa.list_(pa.int64()), nullable=False),
    pa.field("worker", _WORDS, nullable=False),
]
TERMINATIONS = ("completed", "truncated")
"""How a match may end."""

_ACTIONS = pa.field("actions", pa.binary(), nullable=False)

VOLATILE = ("think_us", "worker")
"""The columns that differ from run to run."""

RATINGS_SCHEMA = pa.schema(
    [
        pa.field("bot", pa.string(), nullable=False),
        pa.field("checkpoint", pa.int32(), nullable=False),
        pa.field("matches", pa.int64(), nullable=False),
        pa.field("mu", pa.float64(), nullable=False),
        pa.field("sigma", pa.float64(), nullable=False),
    ],
    metadata={"league_format": str(FORMAT_VERSION)},
)
"""One row a bot and checkpoint; `matches` counts the league's matches up to the checkpoint."""


def identity_of(frozen: Mapping[str, Any]) -> str:
    """A hash of all that decides a league's results: what `league.json` holds as its config."""
    text = json.dumps(frozen, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def matches_schema(actions: bool, identity: str) -> pa.Schema:
    """The schema of `matches`.

    Args:
        actions: Whether decisions are logged.
        identity: From `identity_of`; kept in every part.
    """
    fields = [*_COLUMNS, _ACTIONS] if actions else _COLUMNS
    return pa.schema(fields, metadata={"league_format": str(FORMAT_VERSION), "league_identity": identity})


def table_of(played: Played, labels: Sequence[str], worker: str, schema: pa.Schema) -> pa.Table:
    """A played batch as a table of `schema`.

    Args:
        played: The batch.
        labels: `name@version` by bot index.
        worker: The host that played it.
        schema: From `matches_schema`.
    """
    batch = played.batch
    count, seats = batch.bots.shape
    columns = {
        "match": pa.array(np.arange(batch.first, batch.first + count, dtype=np.int64)),
        "batch": pa.array(np.full(count, batch.number, np.int32)),
        "deal": pa.array(batch.deals),
        "bots": _rows(_words(batch.bots.ravel(), labels), seats),
        "scores": _rows(pa.array(played.scores.ravel()), seats),
        "ranks": _rows(pa.array(played.ranks.ravel()), seats),
        "termination": _words(played.truncated, TERMINATIONS),
        "turns": pa.array(played.turns),
        "decisions": pa.array(played.decisions),
        "faults": _faults(played, schema.field("faults").type),
        "think_us": _rows(pa.array(played.think_ns.ravel() // 1000), seats),
        "worker": _words(np.zeros(count, np.int32), [worker]),
    }
    if "actions" in schema.names:
        columns["actions"] = _binaries(played)
    return pa.table([columns[name] for name in schema.names], schema=schema)


def _words(indices: Any, words: Sequence[str]) -> pa.Array:
    return pa.DictionaryArray.from_arrays(pa.array(indices.astype(np.int32)), pa.array(words, pa.string()))


def _rows(values: pa.Array, seats: int) -> pa.Array:
    """Values in lists of one length."""
    return pa.ListArray.from_arrays(pa.array(np.arange(0, len(values) + 1, seats, dtype=np.int32)), values)


def _faults(played: Played, kind: pa.DataType) -> pa.Array:
    """The faults of each match; most have none."""
    counts = np.zeros(len(played.turns), np.int32)
    for match, found in played.faults.items():
        counts[match] = len(found)
    every = [fault for match in sorted(played.faults) for fault in played.faults[match]]
    values = pa.array(
        [
            {"seat": fault.seat, "decision": fault.decision, "kind": fault.kind, "message": fault.message}
            for fault in every
        ],
        kind.value_type,
    )
    ends = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(ends), values)


def _binaries(played: Played) -> pa.Array:
    """The action rows of each match as bytes."""
    size = played.actions.dtype.itemsize
    ends = np.concatenate([[0], np.cumsum(played.decisions, dtype=np.int64)]) * size
    if ends[-1] > np.iinfo(np.int32).max:
        raise OverflowError("a batch of this game logs more than 2 GiB of actions; lower schedule.batch")
    buffers = [None, pa.py_buffer(ends.astype(np.int32)), pa.py_buffer(played.actions.tobytes())]
    return pa.Array.from_buffers(pa.binary(), len(played.turns), buffers)

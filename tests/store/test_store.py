"""Results are never half there: written aside, checked, told in one line when they cannot be."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from uuid import uuid4

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from league.errors import ResultsError
from league.play import Batch, Fault, Played
from league.store import FORMAT_VERSION, ResultFolder, open_storage
from league.store.parts import BrokenPartError, matches_of_part, part_names, read_part, write_table
from league.store.schema import VOLATILE, matches_schema, table_of
from tests.tiny import flip_bit

SCHEMA = matches_schema(True, "me")
COLUMNS = [
    "match", "batch", "deal", "bots", "scores", "ranks", "termination",
    "turns", "decisions", "faults", "think_us", "worker", "actions",
]  # fmt: skip


def played(count: int = 4) -> Played:
    """Matches of two bots with a fault in one of them, told by hand."""
    batch = Batch(3, 30, np.arange(count) // 2, np.array([[0, 1], [1, 0]] * (count // 2), np.int16))
    decisions = np.arange(1, count + 1, dtype=np.int32)
    return Played(
        batch,
        scores=np.arange(2 * count, dtype=np.int32).reshape(count, 2),
        ranks=np.array([[1, 0]] * count, np.int8),
        truncated=np.arange(count) == 1,
        turns=np.full(count, 9, np.int32),
        decisions=decisions,
        think_ns=np.full((count, 2), 5000),
        actions=np.arange(decisions.sum(), dtype="<i2").view([("a", "<i2")]),
        faults={2: [Fault(1, 0, "illegal", "no"), Fault(0, 2, "exception", "Ärger")]},
    )


def table() -> pa.Table:
    return table_of(played(), ["a@1", "b@2"], "here", SCHEMA)


@pytest.fixture(params=["path", "memory"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> ResultFolder:
    return ResultFolder(str(tmp_path / "results") if request.param == "path" else f"memory://{uuid4().hex}/x")


def test_a_part_keeps_everything(folder: ResultFolder) -> None:
    write_table(folder, folder.part(3), table())
    assert part_names(folder) == ["part-000003.parquet"]
    assert matches_of_part(folder, 3, SCHEMA) == 4
    found = read_part(folder, "part-000003.parquet", "me")
    assert found.schema.equals(SCHEMA, check_metadata=False)
    rows = found.to_pylist()
    assert rows[0] == {
        "match": 30, "batch": 3, "deal": 0, "bots": ["a@1", "b@2"], "scores": [0, 1], "ranks": [1, 0],
        "termination": "completed", "turns": 9, "decisions": 1, "faults": [], "think_us": [5, 5], "worker": "here",
        "actions": b"\0\0",
    }  # fmt: skip
    assert rows[1]["termination"] == "truncated"
    assert rows[2]["faults"] == [
        {"seat": 1, "decision": 0, "kind": "illegal", "message": "no"},
        {"seat": 0, "decision": 2, "kind": "exception", "message": "Ärger"},
    ]
    assert [len(row["actions"]) for row in rows] == [2, 4, 6, 8]


def test_the_schema_is_explicit_and_versioned() -> None:
    assert SCHEMA.names == COLUMNS
    assert matches_schema(False, "me").names == COLUMNS[:-1]
    assert SCHEMA.metadata == {b"league_format": str(FORMAT_VERSION).encode(), b"league_identity": b"me"}
    assert set(VOLATILE) < set(COLUMNS)
    assert str(SCHEMA.field("bots").type) == "list<item: dictionary<values=string, indices=int32, ordered=0>>"
    assert SCHEMA.field("match").type == pa.int64()


def test_parts_that_cannot_stand(folder: ResultFolder) -> None:
    whole = pa.BufferOutputStream()
    pq.write_table(table(), whole)
    content = whole.getvalue().to_pybytes()
    for name, spoiled, told in [
        ("half", content[: len(content) // 2], "not a whole Parquet file"),
        ("empty", b"", "not a whole Parquet file"),
        ("text", b"hello" * 99, "not a whole Parquet file"),
        ("footer", content[:-60] + b"x" * 52 + content[-8:], "not a whole Parquet file"),
    ]:
        folder.write(folder.part(3), spoiled)
        with pytest.raises(BrokenPartError, match=told):
            matches_of_part(folder, 3, SCHEMA)
        with pytest.raises(ResultsError, match=r"part-000003\.parquet.*delete it and run the league again"):
            read_part(folder, "part-000003.parquet", "me")
        assert name
    write_table(folder, folder.part(3), table())
    with pytest.raises(BrokenPartError, match="another league"):
        matches_of_part(folder, 3, matches_schema(True, "other"))
    with pytest.raises(BrokenPartError, match="other columns"):
        matches_of_part(folder, 3, matches_schema(False, "me"))
    with pytest.raises(BrokenPartError, match="another league"):
        read_part(folder, "part-000003.parquet", "other")
    folder.write(folder.part(4), folder.read(folder.part(3)))
    with pytest.raises(BrokenPartError, match="another batch"):
        matches_of_part(folder, 4, SCHEMA)
    with pytest.raises(BrokenPartError, match="another batch"):
        read_part(folder, "part-000004.parquet", "me")


def test_a_flipped_bit_inside_a_part_is_noticed(tmp_path: Path) -> None:
    folder = ResultFolder(str(tmp_path))
    write_table(folder, folder.part(3), table())
    file = tmp_path / folder.part(3)
    flip_bit(file, "match")
    assert matches_of_part(folder, 3, SCHEMA) == 4
    with pytest.raises(BrokenPartError):
        read_part(folder, "part-000003.parquet", "me")


def test_a_part_of_another_format_is_refused(folder: ResultFolder) -> None:
    write_table(folder, folder.part(3), table().replace_schema_metadata({"league_format": "99"}))
    with pytest.raises(ResultsError, match=f"format version 99, this package reads {FORMAT_VERSION}"):
        read_part(folder, "part-000003.parquet", "me")


def test_what_killed_writers_left_is_swept(folder: ResultFolder) -> None:
    """Also in object storage, where a dot in a path is a name like any other."""
    kept = ["matches/part-000000.parquet", "matches/.x", "standings.json"]
    left = ["matches/.part-000001.parquet.1a2b3c4d.tmp", ".standings.json.1a2b3c4d.tmp"]
    for name in kept + left:
        folder.write(name, b"half")
    folder.sweep()
    assert [name for name in kept + left if folder.exists(name)] == kept
    assert (folder.list(""), folder.folders()) == (["standings.json"], ("matches",))


def test_what_a_killed_clearing_left_can_be_cleared(
    folder: ResultFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.write("league.json", b"{}")
    folder.write("matches/part-000000.parquet", b"whole")
    with monkeypatch.context() as killed:
        killed.setattr("league.store.open_storage", _killed_at_the_first_file)
        with pytest.raises(KeyboardInterrupt):
            folder.clear()
    folder.clear()
    assert not folder.exists("league.json")
    assert not folder.list("matches")


def _killed_at_the_first_file(uri: str) -> tuple[Any, str]:
    system, root = open_storage(uri)
    files = Mock(wraps=system)
    files.delete_file.side_effect = KeyboardInterrupt
    return files, root


def test_clearing_spares_what_no_league_wrote(folder: ResultFolder) -> None:
    folder.write("bots/mine.py", b"years of work")
    with pytest.raises(ResultsError, match="bots holds files; nothing was deleted"):
        folder.clear()
    folder.write("league.json", b"{}")
    folder.write("notes.txt", b"mine")
    folder.clear()
    assert folder.exists("notes.txt")
    assert not folder.exists("league.json")
    assert not folder.list("bots")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("[1]", "not a league's"),
        ('{"format": 2, "bots": []}', "not a league's"),
        ("{", "not JSON"),
        ('{"format": 99}', "format version 99, this package reads"),
    ],
)
def test_a_strange_league_file_is_told(content: str, told: str, folder: ResultFolder) -> None:
    folder.write("league.json", content.encode())
    with pytest.raises(ResultsError, match=rf"league\.json: {told}"):
        folder.read_league()


def test_unknown_storage_is_told() -> None:
    with pytest.raises(ResultsError, match="nix://x: cannot open this storage"):
        ResultFolder("nix://x").exists("league.json")


def test_what_has_another_name_is_no_part(tmp_path: Path) -> None:
    folder = ResultFolder(str(tmp_path))
    for name in ("part-000001.parquet", "part-000001 (copy).parquet", "part-abc.parquet"):
        folder.write(f"matches/{name}", b"")
    assert part_names(folder) == ["part-000001.parquet"]


def test_a_file_in_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(ResultsError, match="a file stands where a folder must be; choose another folder"):
        ResultFolder(str(tmp_path / "taken" / "tiny")).write("x", b"y")


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 KiB, where the machine allows to mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True)
    if mount.returncode:
        pytest.skip("this machine does not let us mount a small disk")
    yield disk
    subprocess.run(["umount", disk], check=True)


def test_a_full_disk_is_told_and_keeps_what_was_whole(small_disk: Path) -> None:
    folder = ResultFolder(str(small_disk))
    folder.write("matches/part-000000.parquet", b"first")
    with pytest.raises(
        ResultsError, match="the disk is full; free some space and run the same command again"
    ):
        folder.write("matches/part-000000.parquet", bytes(200_000))
    assert folder.read("matches/part-000000.parquet") == b"first"
    assert [file.name for file in (small_disk / "matches").iterdir()] == ["part-000000.parquet"]


def test_a_disk_that_may_not_be_written(small_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    with pytest.raises(ResultsError, match="not writable; choose another folder"):
        ResultFolder(str(small_disk)).write("league.json", b"{}")

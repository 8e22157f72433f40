"""How much memory a process really holds, whatever way it came by it.

The kernel's own limit counts what is mapped to be written; what is mapped so, filled and then mapped otherwise, and the
tables of the mappings themselves, escape it. Shared memory is the filter's to forbid, but for what is handed over.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

_OWN = re.compile(rb"(?:RssAnon|VmPTE|VmSwap):\s+(\d+) kB")


_UNCOUNTED = 64 << 20
"""Bytes that honest processes hold beside what their limit counts: a stack, code, constants, tables."""


def most_bytes(memory_mb: int) -> int:
    """What a process with a limit of so many MiB may gain."""
    return (memory_mb << 20) + _UNCOUNTED


def held_bytes(pid: int) -> int:
    """Bytes that a process holds for itself alone; 0 where the system does not tell.

    Once its first thread has ended, only the others tell.
    """
    told = _OWN.findall(_read(f"/proc/{pid}/status"))
    for status in () if told else Path(f"/proc/{pid}/task").glob("*/status"):
        told = told or _OWN.findall(_read(status))
    return 1024 * sum(map(int, told))


def _read(path: str | Path) -> bytes:
    with suppress(OSError), open(path, "rb", 0) as file:  # noqa: PTH123 - a tenth of the time
        return file.read()
    return b""

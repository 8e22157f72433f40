"""Files without a name, which processes share by their handles."""

from __future__ import annotations

import os
import sys
import tempfile


def unnamed_file(content: bytes = b"") -> int:
    """Open a new file in memory, or where there is none such in the folder for temporary files; close it after use."""
    if sys.platform == "linux":
        handle = os.memfd_create("league", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    else:
        with tempfile.TemporaryFile() as file:
            handle = os.dup(file.fileno())
    while content:
        content = content[os.write(handle, content) :]
    return handle


def content_of(handle: int) -> bytes:
    """All that was written to a file."""
    with open(os.dup(handle), "rb") as file:  # noqa: PTH123 - it has no path
        file.seek(0)
        return file.read()

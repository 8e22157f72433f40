"""What a bot prints: kept up to a bound while it plays, then appended to a file its author can read."""

from __future__ import annotations

import os
from pathlib import Path

from league.sandbox.lockdown import PRINTED
from league.sandbox.unnamed import unnamed_file

LOG_BYTES = 16 * PRINTED
"""A log grows no larger than this."""


class Printing:
    """An unnamed file that a bot's processes print to.

    Args:
        log: Where its content goes in the end; nowhere unless given.
    """

    def __init__(self, log: Path | None) -> None:
        self._log = log
        self.handle = os.open(os.devnull, os.O_WRONLY) if log is None else unnamed_file()

    def close(self) -> None:
        """Append what was printed to the log."""
        if self.handle < 0:
            return
        if self._log is not None and os.fstat(self.handle).st_size:
            os.lseek(self.handle, 0, os.SEEK_SET)
            self._log.parent.mkdir(parents=True, exist_ok=True)
            with self._log.open("ab") as file:
                file.write(os.read(self.handle, min(PRINTED, max(0, LOG_BYTES - file.tell()))))
        os.close(self.handle)
        self.handle = -1

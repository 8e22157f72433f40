"""Lines to and from a program, without ever waiting on one side while the other is stuck."""

from __future__ import annotations

import os
import select
from collections.abc import Iterator
from contextlib import suppress

LONGEST_LINE = 1 << 20
_PART = 1 << 16


class Wire:
    """The two pipes of a program.

    Args:
        reading: Its standard output; whoever owns the process closes it.
        writing: Its standard input.
    """

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing
        os.set_blocking(reading, False)
        os.set_blocking(writing, False)
        self._outbox = bytearray()
        self._inbox = bytearray()
        self._poll = select.poll()
        self._poll.register(reading, select.POLLIN)

    @property
    def has_half_a_line(self) -> bool:
        """Whether the program began a line and did not end it."""
        return bool(self._inbox)

    @property
    def is_flooded(self) -> bool:
        """Whether it wrote a line longer than any can be."""
        return len(self._inbox) > LONGEST_LINE and b"\n" not in self._inbox

    def say(self, line: bytes) -> None:
        """Put a line into the outbox."""
        self._outbox += line + b"\n"

    def write(self) -> None:
        """Send as much as the program takes at once."""
        with suppress(
            BlockingIOError, BrokenPipeError
        ):  # a program that has ended is found when it is read from
            while self._outbox:
                sent = os.write(self._writing, self._outbox[:_PART])
                del self._outbox[:sent]

    def exchange(self, timeout_ms: int) -> bool:
        """Send and receive what goes without waiting, or wait until something goes; answer whether it still talks."""
        if b"\n" in self._inbox:
            return True
        if self._outbox:
            self._poll.register(self._writing, select.POLLOUT)
        events = dict(self._poll.poll(timeout_ms))
        if self._outbox:
            self._poll.unregister(self._writing)
        if self._writing in events:
            self.write()
        return self._reading not in events or self._read()

    def _read(self) -> bool:
        part = os.read(self._reading, _PART)
        self._inbox += part
        return bool(part)

    def lines(self, most: int) -> Iterator[bytes]:
        """Take whole lines out of the inbox."""
        for _ in range(most):
            end = self._inbox.find(b"\n")
            if end < 0:
                return
            yield bytes(self._inbox[:end])
            del self._inbox[: end + 1]

    def close(self) -> None:
        """Close the program's standard input."""
        os.close(self._writing)

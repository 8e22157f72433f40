"""What asks for the time, for spans and for people; no result of play depends on it."""

from __future__ import annotations

import time
from datetime import UTC, datetime


def now_ns() -> int:
    """Nanoseconds of a steady clock, for measuring spans."""
    return time.perf_counter_ns()


def today() -> str:
    """The present moment in UTC, to the second, as ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")

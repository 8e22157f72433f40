"""Time limits kept from outside: how long has a process had its decision in hand?

Time is the CPU time of the process, so that a busy machine makes no timeouts, and beside it the time that it sleeps of
its own will.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from league.clock import now_ns
from league.sandbox.spawn import Child

LONGEST_TICK_MS = 20

_INSPECT_NS = 20_000_000
"""How often is looked at that, at the most."""


def tick_ms(limit_ms: int) -> int:
    """How often to look at a process, in milliseconds."""
    return max(1, min(LONGEST_TICK_MS, limit_ms // 10))


class Watch:
    """The time that one process takes over each round of decisions.

    Args:
        child: The process.
    """

    def __init__(self, child: Child) -> None:
        self._child = child
        self._inspected = now_ns()
        self._answered: int | None = None

    def is_due(self) -> bool:
        """Whether it is time again to look at what takes longer to see than a short round."""
        clock = now_ns()
        if clock - self._inspected < _INSPECT_NS:
            return False
        self._inspected = clock
        return True

    def begin(self, count: int) -> None:
        """A round of so many decisions begins; what the process did of its own will since the last one counts."""
        self._cpu = self._started = self._child.cpu_ns() if self._answered is None else self._answered
        self._clock = now_ns()
        self._mark: object = None
        self._place = 0
        self._count = count
        self._in_hand_ns = 0
        self._shares: Any = None

    def look(self, mark: object, place: int) -> int:
        """Look at the process.

        Args:
            mark: What it has in hand.
            place: The same as an index into the round; it never goes back.

        Returns:
            Nanoseconds, of CPU or asleep, since `mark` was first seen.
        """
        spent = self._spend(place)
        if mark != self._mark:
            self._mark, self._in_hand_ns = mark, 0
        else:
            self._in_hand_ns += spent
        return self._in_hand_ns

    def _spend(self, place: int) -> int:
        """Charge the time since the last look to the decisions made meanwhile."""
        cpu, clock = self._child.cpu_ns(), now_ns()
        spent, waited = cpu - self._cpu, clock - self._clock
        if self._child.is_asleep():
            spent = max(spent, waited)
        self._cpu, self._clock = cpu, clock
        if self._count:
            place = min(max(place, self._place), self._count - 1)
            if self._shares is None:
                self._shares = np.zeros(self._count, np.int64)
            self._shares[self._place : place + 1] += spent // (place + 1 - self._place)
            self._place = place
        return spent

    def finish(self) -> tuple[int, Any]:
        """The round is over.

        Returns:
            Its CPU time in nanoseconds, and how much of it each decision took, `int64[count]` or one number for all.
        """
        self._answered = cpu = self._child.cpu_ns()
        total, rest = cpu - self._started, (cpu - self._cpu) // max(1, self._count)
        if self._shares is None:
            return total, rest
        self._shares[self._place :] += (cpu - self._cpu) // (self._count - self._place)
        return total, self._shares

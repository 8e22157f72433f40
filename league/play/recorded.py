"""The host of seats that do again what they did before."""

from __future__ import annotations

from collections.abc import Sequence

from league.kernels import Rows
from league.play import Ask, Failure, Host


class RecordedHost(Host):
    """Answers the actions of one match, in their order, whatever it is asked.

    Args:
        actions: Action rows of the seats it stands for; once they are used up it has no answer.
    """

    def __init__(self, actions: Rows) -> None:
        self._actions = actions
        self._next = 0

    def choose(self, ask: Ask, actions: Rows) -> Sequence[Failure]:
        """Answer the next action."""
        if self._next == len(self._actions):
            return [Failure(0, "forfeit", "the match went another way")]
        actions[0] = self._actions[self._next]
        self._next += 1
        return []

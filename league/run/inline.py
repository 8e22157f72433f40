"""Play batches in this process, one after another: for tiny leagues and for the debugger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from league.run import Job, Outcome, Runner, Span
from league.run.batches import play_span
from league.schedule import Schedule


class InlineRunner(Runner):
    """The simplest runner; the others must come to the same."""

    def __init__(self, job: Job) -> None:
        self._job = job

    def play(self, schedule: Schedule, spans: Iterable[Span]) -> Iterator[Outcome]:
        """Play the spans in their order."""
        return (play_span(self._job, schedule, span) for span in spans)

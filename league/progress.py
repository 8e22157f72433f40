"""Tell how what takes long goes: one bar on a terminal, plain lines elsewhere, nothing when quiet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from league.clock import now_ns

LINE_EVERY_S = 10


class Reporter(Protocol):
    """Hears how it goes."""

    def note(self, text: str) -> None:
        """Something worth a line."""

    def start(self, total: int, things: str = "matches") -> None:
        """It begins: so many things are to be done."""

    def advance(self, done: int, now: int, leaders: Sequence[str] = ()) -> None:
        """So many things are done, so many of them now, and these bots lead."""

    def finish(self) -> None:
        """It is over."""


class Quiet:
    """Says nothing."""

    def note(self, text: str) -> None:
        """Say nothing."""

    def start(self, total: int, things: str = "matches") -> None:
        """Say nothing."""

    def advance(self, done: int, now: int, leaders: Sequence[str] = ()) -> None:
        """Say nothing."""

    def finish(self) -> None:
        """Say nothing."""


class Bar(Quiet):
    """One bar with things a second, time left and the leaders."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._task = TaskID(0)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[speed]}"),
            TimeRemainingColumn(compact=True),
            TextColumn("[dim]{task.fields[leaders]}", markup=True),
            console=console,
            transient=True,
        )

    def note(self, text: str) -> None:
        """Print above the bar."""
        self._console.print(text, markup=False, highlight=False)

    def start(self, total: int, things: str = "matches") -> None:
        """Show the bar."""
        self._began = now_ns()
        self._task = self._progress.add_task(things, total=total, speed="", leaders="")
        self._progress.start()

    def advance(self, done: int, now: int, leaders: Sequence[str] = ()) -> None:
        """Move it on."""
        shown = ", ".join(name.replace("[", r"\[") for name in leaders)
        self._progress.update(self._task, completed=done, speed=_speed(now, self._began), leaders=shown)

    def finish(self) -> None:
        """Take it away."""
        self._progress.stop()


class Lines(Quiet):
    """A plain line now and then, for logs and pipes."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def note(self, text: str) -> None:
        """Print it."""
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)

    def start(self, total: int, things: str = "matches") -> None:
        """Remember what is to be done."""
        self._began = self._last = now_ns()
        self._total = f"{total:,} {things}"

    def advance(self, done: int, now: int, leaders: Sequence[str] = ()) -> None:
        """Print a line if the last is old."""
        if now_ns() - self._last > LINE_EVERY_S * 10**9:
            self._last = now_ns()
            leading = f", leading: {', '.join(leaders)}" if leaders else ""
            self.note(f"{done:,} of {self._total}, {_speed(now, self._began)}{leading}")


def _speed(things: int, began: int) -> str:
    seconds = max(now_ns() - began, 1) / 10**9
    return f"{things / seconds:,.0f}/s"


def reporter_for(quiet: bool) -> Reporter:
    """The reporter that suits the standard error stream."""
    console = Console(stderr=True)
    if quiet:
        return Quiet()
    return Bar(console) if console.is_terminal else Lines(console)

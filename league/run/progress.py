"""Tell how a run goes: one bar on a terminal, plain lines elsewhere, nothing when quiet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from league.clock import now_ns

LINE_EVERY_S = 10


class Reporter(Protocol):
    """Hears how a run goes."""

    def note(self, text: str) -> None:
        """Something worth a line."""

    def start(self, there: int, total: int) -> None:
        """Play begins, with so many matches there already."""

    def advance(self, folded: int, played: int, leaders: Sequence[str]) -> None:
        """So many matches are rated now, so many of them were played by this run."""

    def finish(self) -> None:
        """Play is over."""


class Quiet:
    """Says nothing."""

    def note(self, text: str) -> None:
        """Say nothing."""

    def start(self, there: int, total: int) -> None:
        """Say nothing."""

    def advance(self, folded: int, played: int, leaders: Sequence[str]) -> None:
        """Say nothing."""

    def finish(self) -> None:
        """Say nothing."""


class Bar(Quiet):
    """One bar with matches a second, time left and the leaders."""

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

    def start(self, there: int, total: int) -> None:
        """Show the bar."""
        self._began = now_ns()
        self._task = self._progress.add_task("matches", total=total, speed="", leaders="")
        self._progress.start()

    def advance(self, folded: int, played: int, leaders: Sequence[str]) -> None:
        """Move it on."""
        shown = ", ".join(name.replace("[", r"\[") for name in leaders)
        speed = _speed(played, self._began)
        self._progress.update(self._task, completed=folded, speed=speed, leaders=shown)

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

    def start(self, there: int, total: int) -> None:
        """Say what is to be done."""
        self._began = self._last = now_ns()
        self._total = total
        self.note(f"{total:,} matches" + (f", {there:,} there already" if there else ""))

    def advance(self, folded: int, played: int, leaders: Sequence[str]) -> None:
        """Print a line if the last is old."""
        if now_ns() - self._last > LINE_EVERY_S * 10**9:
            self._last = now_ns()
            speed = _speed(played, self._began)
            self.note(f"{folded:,} of {self._total:,} matches, {speed}, leading: {', '.join(leaders)}")


def _speed(matches: int, began: int) -> str:
    seconds = max(now_ns() - began, 1) / 10**9
    return f"{matches / seconds:,.0f}/s"


def reporter_for(quiet: bool) -> Reporter:
    """The reporter that suits the standard error stream."""
    console = Console(stderr=True)
    if quiet:
        return Quiet()
    return Bar(console) if console.is_terminal else Lines(console)

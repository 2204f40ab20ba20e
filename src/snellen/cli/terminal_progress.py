"""Where progress is shown: a live bar on a terminal, a plain line every few seconds elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)

SECONDS_BETWEEN_LINES = 5.0


class ProgressDisplay(Protocol):
    """Shows one thing after another, and how far each is."""

    def begun(self, what: str) -> None:
        """Something new begins."""

    def show(self, words: str, done: int, total: int) -> None:
        """How far it is: in words, and as a part of a total."""


class Bar:
    """A live bar with words beside it."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress, self._task = progress, task

    def begun(self, what: str) -> None:
        """Start anew."""
        self._progress.reset(self._task, total=None, description=what, words="")

    def show(self, words: str, done: int, total: int) -> None:
        """Redraw."""
        self._progress.update(self._task, completed=done, total=total, words=words)


class Lines:
    """A line when something begins, and one every few seconds. clock: seconds, ever more."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._indent = clock, ""
        self._next = clock() + SECONDS_BETWEEN_LINES

    def begun(self, what: str) -> None:
        """Say so."""
        self._indent = "  "
        print(what, file=sys.stderr, flush=True)

    def show(self, words: str, done: int, total: int) -> None:
        """Print a line if it is time for one."""
        now = self._clock()
        if now >= self._next:
            self._next = now + SECONDS_BETWEEN_LINES
            print(f"{self._indent}{words}", file=sys.stderr, flush=True)


@contextmanager
def progress_display(what: str) -> Iterator[ProgressDisplay]:
    """What suits where standard error goes. what: the bar's first words."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield Lines()
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=16),
        TextColumn("{task.fields[words]}", markup=False),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    with Progress(*columns, console=console) as progress:
        yield Bar(progress, progress.add_task(what, total=None, words="loading"))

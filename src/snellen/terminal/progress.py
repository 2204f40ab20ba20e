"""Progress on standard error: a live bar on a terminal, a line every few seconds elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

SECONDS_BETWEEN_LINES = 5.0
Counter: TypeAlias = Callable[[int, int], None]
"""Called with the number done and the total."""


class ProgressDisplay(Protocol):
    """Shows the progress of one stage after another."""

    def start(self, what: str) -> None:
        """Start a new stage."""

    def show(self, words: str, done: int, total: int) -> None:
        """Update the stage: a description, and the number done of a total."""


class Bar:
    """A live bar with a description beside it."""

    def __init__(self, progress: Progress, task: TaskID) -> None:
        self._progress, self._task = progress, task

    def start(self, what: str) -> None:
        """Reset the bar."""
        self._progress.reset(self._task, total=None, description=what, words="")

    def show(self, words: str, done: int, total: int) -> None:
        """Redraw the bar."""
        self._progress.update(self._task, completed=done, total=total, words=words)


class Lines:
    """A line when a stage starts, then one every few seconds. clock: monotonic seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._indent = clock, ""
        self._next = clock() + SECONDS_BETWEEN_LINES

    def start(self, what: str) -> None:
        """Print the stage."""
        self._indent = "  "
        print(what, file=sys.stderr, flush=True)

    def show(self, words: str, done: int, total: int) -> None:
        """Print a line if one is due."""
        now = self._clock()
        if now >= self._next:
            self._next = now + SECONDS_BETWEEN_LINES
            print(f"{self._indent}{words}", file=sys.stderr, flush=True)


class Hidden:
    """A display that shows nothing."""

    def start(self, what: str) -> None:
        """Nothing."""

    def show(self, words: str, done: int, total: int) -> None:
        """Nothing."""


@contextmanager
def progress_display(what: str) -> Iterator[ProgressDisplay]:
    """A bar if standard error is a terminal, else lines. what: the first stage."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield Lines()
        return
    with _bars(console) as progress:
        yield Bar(progress, progress.add_task(what, total=None, words="loading"))


@contextmanager
def progress_counter(what: str) -> Iterator[Counter]:
    """A function that shows how many of a total are done."""
    with progress_display("") as display:
        yield lambda done, total: display.show(f"{what}: {done} of {total}", done, total)


def _bars(console: Console) -> Progress:
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=16),
        TextColumn("{task.fields[words]}", markup=False),
        TimeRemainingColumn(),
        TextColumn("left"),
        console=console,
    )

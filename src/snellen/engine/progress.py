"""Progress that the engine reports to a watcher, and a watcher that shows it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Protocol

from snellen.store.journal import UnitEnd
from snellen.terminal.progress import ProgressDisplay, progress_display


@dataclass
class RunTally:
    """The state of a run, updated by the engine."""

    units: int
    ended: int = 0
    errors: int = 0
    left_out: int = 0
    questions: int = 0
    cache_hits: int = 0
    cases: int = 0
    failing: int = 0
    busy: float = 0.0
    building: float = 0.0
    wall: float = 0.0


class Watcher(Protocol):
    """Sees the tally after each unit and each batch."""

    def update(self, tally: RunTally, end: UnitEnd | None) -> None:
        """Called often, from the engine's own thread; must be quick."""

    def preparing(self, what: str, done: int, total: int) -> None:
        """Progress of a preparation, before the first question."""


class SilentWatcher:
    """A watcher that reports nothing."""

    def update(self, tally: RunTally, end: UnitEnd | None) -> None:
        """Nothing."""

    def preparing(self, what: str, done: int, total: int) -> None:
        """Nothing."""


class RunProgress:
    """Shows scenes, questions per second and findings so far."""

    def __init__(self, display: ProgressDisplay) -> None:
        self._display, self._start = display, time.monotonic()

    def update(self, tally: RunTally, end: UnitEnd | None) -> None:
        """Show the progress of a run."""
        rate = tally.questions / max(1e-9, time.monotonic() - self._start)
        words = f"{scenes(tally)}, {rate:.1f} questions/s, {findings(tally)}"
        self._display.show(words, tally.ended, tally.units)

    def preparing(self, what: str, done: int, total: int) -> None:
        """Show the progress of a preparation."""
        self._display.show(f"{what}: {done}/{total}", done, total)


def scenes(tally: RunTally) -> str:
    """The number of finished scenes."""
    return f"{tally.ended}/{tally.units} scenes"


def findings(tally: RunTally) -> str:
    """The findings so far."""
    errors = f", {tally.errors} errors" if tally.errors else ""
    return f"{tally.failing} failing of {tally.cases} cases{errors}"


@contextmanager
def display_run(method: str) -> Iterator[Watcher]:
    """A watcher that shows a run on standard error."""
    with progress_display(method) as display:
        yield RunProgress(display)

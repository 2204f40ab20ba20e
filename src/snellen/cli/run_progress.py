"""The progress display of a run."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from snellen.engine.campaign import Campaign
from snellen.engine.progress import RunTally, Watcher
from snellen.store.journal import UnitEnd
from snellen.terminal.progress import ProgressDisplay, progress_display


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
def display_run(campaign: Campaign) -> Iterator[Watcher]:
    """A watcher that shows a run on standard error."""
    with progress_display(campaign.method) as display:
        yield RunProgress(display)

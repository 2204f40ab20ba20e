"""How a run in progress shows itself."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from snellen.engine.campaign import Campaign
from snellen.engine.progress import RunTally, Watcher
from snellen.store.journal import UnitEnd
from snellen.terminal.progress import ProgressDisplay, progress_display


class RunProgress:
    """Shows scenes, questions a second and findings so far."""

    def __init__(self, display: ProgressDisplay) -> None:
        self._display, self._start = display, time.monotonic()

    def update(self, tally: RunTally, end: UnitEnd | None) -> None:
        """A run goes on."""
        rate = tally.questions / max(1e-9, time.monotonic() - self._start)
        words = f"{scenes(tally)}, {rate:.1f} questions/s, {findings(tally)}"
        self._display.show(words, tally.ended, tally.units)

    def preparing(self, what: str, done: int, total: int) -> None:
        """A run is prepared."""
        self._display.show(f"{what}: {done}/{total}", done, total)


def scenes(tally: RunTally) -> str:
    """How many scenes of a run have ended."""
    return f"{tally.ended}/{tally.units} scenes"


def findings(tally: RunTally) -> str:
    """What a run found so far."""
    errors = f", {tally.errors} errors" if tally.errors else ""
    return f"{tally.failing} failing of {tally.cases} cases{errors}"


@contextmanager
def display_run(campaign: Campaign) -> Iterator[Watcher]:
    """A watcher of a run that suits where standard error goes."""
    with progress_display(campaign.method) as display:
        yield RunProgress(display)

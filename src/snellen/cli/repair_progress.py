"""The progress display of a repair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from snellen.engine.progress import RunTally, findings, scenes
from snellen.repair.repair_watcher import RepairWatcher
from snellen.repair.training.training_watcher import StepProgress
from snellen.store.journal import UnitEnd
from snellen.terminal.progress import ProgressDisplay, progress_display


class RepairProgress:
    """Shows the current stage, and the progress of its preparation, run or training."""

    def __init__(self, display: ProgressDisplay) -> None:
        self._display = display

    def stage_started(self, stage: str) -> None:
        """Show the new stage."""
        self._display.start(stage)

    def update(self, tally: RunTally, end: UnitEnd | None) -> None:
        """Show the progress of a run."""
        self._display.show(f"{scenes(tally)}, {findings(tally)}", tally.ended, tally.units)

    def preparing(self, what: str, done: int, total: int) -> None:
        """Show the progress of a preparation."""
        self._display.show(f"{what}: {done}/{total}", done, total)

    def step_done(self, progress: StepProgress) -> None:
        """Show the progress of a training."""
        words = f"{progress.step}/{progress.steps} steps, loss {progress.loss:.3g}"
        self._display.show(words, progress.step, progress.steps)

    def epoch_done(self, epoch: int, values: Mapping[str, float]) -> None:
        """Show nothing; the curves have the epoch's figures."""


@contextmanager
def display_repair() -> Iterator[RepairWatcher]:
    """A watcher that shows a repair on standard error."""
    with progress_display("repair") as display:
        yield RepairProgress(display)

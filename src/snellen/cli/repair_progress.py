"""How a repair in progress shows itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from snellen.cli.run_progress import findings, scenes
from snellen.engine.progress import RunTally
from snellen.repair.repair_watcher import RepairWatcher
from snellen.repair.training.training_watcher import StepProgress
from snellen.store.journal import UnitEnd
from snellen.terminal.progress import ProgressDisplay, progress_display


class RepairProgress:
    """Shows which stage is under way, and how far its preparation, run or training is."""

    def __init__(self, display: ProgressDisplay) -> None:
        self._display = display

    def stage_started(self, stage: str) -> None:
        """A stage begins."""
        self._display.start(stage)

    def update(self, tally: RunTally, end: UnitEnd | None) -> None:
        """A run goes on."""
        self._display.show(f"{scenes(tally)}, {findings(tally)}", tally.ended, tally.units)

    def preparing(self, what: str, done: int, total: int) -> None:
        """Something is prepared."""
        self._display.show(f"{what}: {done}/{total}", done, total)

    def step_done(self, progress: StepProgress) -> None:
        """A training goes on."""
        words = f"{progress.step}/{progress.steps} steps, loss {progress.loss:.3g}"
        self._display.show(words, progress.step, progress.steps)

    def epoch_done(self, epoch: int, values: Mapping[str, float]) -> None:
        """An epoch ends; the curves have its figures."""


@contextmanager
def display_repair() -> Iterator[RepairWatcher]:
    """A watcher of a repair that suits where standard error goes."""
    with progress_display("repair") as display:
        yield RepairProgress(display)

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

    def __init__(self, shown: ProgressDisplay) -> None:
        self._shown = shown

    def begun(self, stage: str) -> None:
        """A stage begins."""
        self._shown.begun(stage)

    def update(self, tally: RunTally, end: UnitEnd | None) -> None:
        """A run goes on."""
        self._shown.show(f"{scenes(tally)}, {findings(tally)}", tally.ended, tally.units)

    def preparing(self, what: str, done: int, total: int) -> None:
        """Something is prepared."""
        self._shown.show(f"{what}: {done}/{total}", done, total)

    def stepped(self, moment: StepProgress) -> None:
        """A training goes on."""
        words = f"{moment.step}/{moment.steps} steps, loss {moment.loss:.3g}"
        self._shown.show(words, moment.step, moment.steps)

    def measured(self, epoch: int, values: Mapping[str, float]) -> None:
        """An epoch ends; the curves have its figures."""


@contextmanager
def display_repair() -> Iterator[RepairWatcher]:
    """A watcher of a repair that suits where standard error goes."""
    with progress_display("repair") as shown:
        yield RepairProgress(shown)

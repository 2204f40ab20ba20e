"""Progress of a repair."""

from __future__ import annotations

from typing import Protocol

from snellen.engine.progress import SilentWatcher, Watcher
from snellen.repair.training.training_watcher import SilentTrainingWatcher, TrainingWatcher


class RepairWatcher(Watcher, TrainingWatcher, Protocol):
    """Receives the current stage and the progress of its run or training."""

    def stage_started(self, stage: str) -> None:
        """A stage starts."""


class SilentRepairWatcher(SilentWatcher, SilentTrainingWatcher):
    """Ignores all progress."""

    def stage_started(self, stage: str) -> None:
        """Ignore it."""

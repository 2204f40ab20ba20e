"""What a repair tells whoever watches."""

from __future__ import annotations

from typing import Protocol

from snellen.engine import progress
from snellen.repair.training import training_watcher as watching


class RepairWatcher(progress.Watcher, watching.TrainingWatcher, Protocol):
    """Sees which stage is under way, and how far its run or its training is."""

    def begun(self, stage: str) -> None:
        """A stage begins, named in words."""


class SilentRepairWatcher(progress.SilentWatcher, watching.SilentTrainingWatcher):
    """Watches and says nothing."""

    def begun(self, stage: str) -> None:
        """Nothing."""

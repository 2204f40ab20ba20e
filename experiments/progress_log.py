"""Progress of long experiments."""

from __future__ import annotations

from snellen.repair.repair_watcher import SilentRepairWatcher


class ProgressLog(SilentRepairWatcher):
    """Prints each stage of a repair."""

    def stage_started(self, stage: str) -> None:
        """Print it."""
        print(f"-- {stage}", flush=True)

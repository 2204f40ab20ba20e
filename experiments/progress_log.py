"""What a long experiment prints while it is at work."""

from __future__ import annotations

from snellen.repair.repair_watcher import SilentRepairWatcher


class ProgressLog(SilentRepairWatcher):
    """Prints which stage of a repair begins."""

    def stage_started(self, stage: str) -> None:
        """Print it."""
        print(f"-- {stage}", flush=True)

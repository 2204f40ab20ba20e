"""The part of `fusion` in an exam."""

from __future__ import annotations

from pathlib import Path

from snellen.methods.exam_entry import ExamEntry, Examinee, ExamSetup, InapplicableError
from snellen.subjects.subject import Task


class FusionEntry(ExamEntry):
    """Whether camera+LiDAR systems stay consistent when a physical object is inserted."""

    property = "camera and LiDAR together"
    weight = 3.0

    def setup(self, examinee: Examinee, config: Path) -> ExamSetup:
        """The defaults."""
        if examinee.subject.task != Task.DETECTION_3D:
            raise InapplicableError(
                f"It tests camera+LiDAR systems, and the subject is for {examinee.subject.task}"
            )
        if any(one.sweep is None or one.sweep.labels() is None for one in examinee.scenes):
            raise InapplicableError("It needs frames with point clouds and 3D labels")
        return ExamSetup()


ENTRY = FusionEntry()

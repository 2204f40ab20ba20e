"""The part of `robustness` in an exam."""

from __future__ import annotations

from pathlib import Path

from snellen.methods.exam_entry import ExamEntry, Examinee, ExamSetup, demand_boxes


class RobustnessEntry(ExamEntry):
    """Whether sure detections survive insertions from afar to the contour."""

    property = "stability by distance"
    weight = 1.5

    def setup(self, examinee: Examinee, config: Path) -> ExamSetup:
        """Two instances a scene, a few tests a level, and no uncertainty, which costs passes."""
        demand_boxes(examinee)
        options = {"per_scene": 2, "tests_per_level": 4, "uncertainty": "none"}
        return ExamSetup(options, dict(examinee.objects))


ENTRY = RobustnessEntry()

"""The part of `insertion` in an exam."""

from __future__ import annotations

from pathlib import Path

from snellen.methods.exam_entry import ExamEntry, Examinee, ExamSetup, demand_boxes


class InsertionEntry(ExamEntry):
    """Whether other objects are detected as before; objects are cut from the scenes themselves."""

    property = "stability beside a new object"
    weight = 3.0

    def setup(self, examinee: Examinee, config: Path) -> ExamSetup:
        """The defaults, without the search for the nearest place that fails."""
        demand_boxes(examinee)
        return ExamSetup({"relocate": False}, dict(examinee.objects))


ENTRY = InsertionEntry()

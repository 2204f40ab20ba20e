"""The part of `combinations` in an exam."""

from __future__ import annotations

from pathlib import Path

from snellen.methods.exam_entry import (
    BOXES,
    ExamEntry,
    Examinee,
    ExamSetup,
    InapplicableError,
)
from snellen.subjects.subject import Task

OBJECTS = 4
"""Objects of a label, largest first."""


class CombinationsEntry(ExamEntry):
    """Whether labels are read in every combination; a detector is read as a classifier."""

    property = "label combinations"

    def setup(self, examinee: Examinee, config: Path) -> ExamSetup:
        """Pairs of the labels that the scenes have, two images a row."""
        task = examinee.subject.task
        if task not in (*BOXES, Task.LABELS):
            raise InapplicableError(f"It tests classifiers and detectors, and this is for {task}")
        if not examinee.annotated:
            raise InapplicableError("It needs annotated scenes, to cut objects from")
        if len(examinee.shared_classes()) < 2:
            raise InapplicableError("Scenes and subject share fewer than two class names")
        return ExamSetup(
            {"images": 2, "effort": "quick"},
            {**examinee.objects, "limit_per_label": OBJECTS},
            {} if task == Task.LABELS else {"read_as": Task.LABELS.value},
        )


ENTRY = CombinationsEntry()

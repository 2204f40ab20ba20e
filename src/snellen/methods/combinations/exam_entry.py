"""The part of `combinations` in an exam."""

from __future__ import annotations

from pathlib import Path

from snellen.methods.combinations.own_numbers import CombinationNumbers
from snellen.methods.exam_entry import (
    BOXES,
    Acuity,
    ExamEntry,
    Examinee,
    ExamSetup,
    InapplicableError,
)
from snellen.store.summary import Summary
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

    def acuity(self, summary: Summary) -> Acuity | None:
        """The share of compositions without an interaction error.

        What an object alone gets wrong says nothing about combinations. An error without an
        explanation may be either: the interval covers both, and nothing is read if most are open.
        """
        own = CombinationNumbers.model_validate(summary.own)
        rate, explained = own.interaction.rate, own.error_images.images - own.unexplained
        if rate.value is None or own.unexplained > explained:
            return None
        unknown = own.unexplained / own.images
        words = f"of {own.images} compositions show no error that no object alone shows"
        return Acuity(1 - rate.value, max(0.0, 1 - rate.high - unknown), 1 - rate.low, words)


ENTRY = CombinationsEntry()

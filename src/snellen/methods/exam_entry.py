"""The part of a method in an exam: whether it applies, how it is set up, how far a subject reads.

A method declares an `ExamEntry` in its `MethodKind`; the exam knows no method by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from snellen.errors import UserError
from snellen.scenes.scene import SceneSet
from snellen.store.summary import Summary
from snellen.subjects.subject import Subject, Task

BOXES = (Task.DETECTION, Task.SEGMENTATION)
"""Tasks whose answers are boxes in an image."""


@dataclass(frozen=True, eq=False)
class Examinee:
    """What an exam is about: the opened subject and scenes.

    objects: the options of where objects come from, by default those of the scenes.
    """

    subject: Subject
    scenes: SceneSet
    objects: Mapping[str, Any]

    @property
    def annotated(self) -> bool:
        """Whether a scene has an annotated object."""
        return any(one.annotations is not None and len(one.annotations) for one in self.scenes)

    def shared_classes(self) -> list[str]:
        """Names that both scenes and subject have."""
        return sorted(set(self.subject.classes) & set(self.scenes.classes))


@dataclass(frozen=True)
class ExamSetup:
    """How an exam configures a method: its options, its objects, and changes of the subject's."""

    options: Mapping[str, Any] = field(default_factory=dict)
    objects: Mapping[str, Any] | None = None
    subject: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Acuity:
    """How far a subject reads: a share from 0 to 1 with its interval. words: what it counts."""

    value: float
    low: float
    high: float
    words: str


class InapplicableError(UserError):
    """A method can't examine this subject on these scenes; the message says why."""


class ExamEntry:
    """A method's part in an exam.

    property: what it examines, the name of its row. weight: its part of the time, relative to the
    others. measures_noise: whether it measures how often answers repeat; any other number of a
    subject whose answers do not is left out, because it counts only what happened to repeat.
    """

    property = ""
    weight = 1.0
    measures_noise = False

    def setup(self, examinee: Examinee, config: Path) -> ExamSetup:
        """How the method is configured; raises `InapplicableError` where it does not apply.

        config: the file that the configuration will be written to; others may go beside it.
        """
        return ExamSetup()

    def acuity(self, summary: Summary) -> Acuity | None:
        """How far the subject reads by a run's numbers; None without any.

        By default the share of cases that do not fail.
        """
        rate = summary.failure_rate
        if rate.value is None:
            return None
        words = f"of {summary.test_cases} cases hold"
        return Acuity(1 - rate.value, 1 - rate.high, 1 - rate.low, words)


def demand_boxes(examinee: Examinee) -> None:
    """Refuse a subject that does not detect boxes in images."""
    if examinee.subject.task not in BOXES:
        raise InapplicableError(f"It tests detectors, and the subject is for {_task(examinee)}")


def _task(examinee: Examinee) -> str:
    return str(examinee.subject.task)

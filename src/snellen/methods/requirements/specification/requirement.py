"""A requirement: the visual change up to which a subtask must hold, and its source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from pydantic import (
    Field,
    model_validator,
)

from snellen.configuration import Options
from snellen.errors import UserError
from snellen.methods.human.people import ThresholdSource
from snellen.methods.human.subtasks import SUBTASKS, WHOLE, Change, Kind, SubtaskName, TaskName
from snellen.vision.visual_change.registry import visual_measure

Metric: TypeAlias = Literal["recall-and-precision", "accuracy"]

MARGIN = 0.02
HUMAN: Literal["human"] = "human"
"""The margin that is taken from people."""
CONFIDENCE = 0.95


class Requirement(Options):
    """One subtask, or a whole task, that must hold for images changed by one transformation.

    task: the task it belongs to. shared_with: other tasks with the same subtask; it is one
    requirement, checked once for all of them.
    label: a class, or `any`. threshold: the visual change that people tolerate. thresholds: the
    conjunction, every threshold of the tasks' subtasks up to its own. naive: of a whole task, the
    threshold estimated directly, if known. margin: the tolerated loss, or `human` for what people
    lose up to the threshold.
    """

    name: Annotated[str, Field(min_length=1)]
    task: TaskName
    shared_with: tuple[TaskName, ...] = ()
    subtask: SubtaskName
    label: Annotated[str, Field(min_length=1)] = "any"
    transformation: Annotated[str, Field(min_length=1)]
    measure: Annotated[str, Field(min_length=1)]
    kind: Kind = "correctness"
    threshold: Change
    thresholds: Annotated[tuple[Change, ...], Field(min_length=1)]
    naive: Change | None = None
    margin: Annotated[float, Field(ge=0, lt=1)] | Literal["human"] = MARGIN
    confidence: Annotated[float, Field(gt=0.5, lt=1)] = CONFIDENCE
    metric: Metric = "recall-and-precision"
    source: ThresholdSource

    @property
    def tasks(self) -> tuple[TaskName, ...]:
        """Every task it belongs to."""
        return (self.task, *self.shared_with)

    @property
    def about(self) -> tuple[str, ...]:
        """Its subject matter, unique among the requirements of a file."""
        what = self.task if self.subtask == WHOLE else self.subtask
        return (what, self.label, self.transformation, self.measure, self.kind)

    @model_validator(mode="after")
    def _sound(self) -> Requirement:
        if max(self.thresholds) != self.threshold:
            raise ValueError(
                f"the largest of thresholds {list(self.thresholds)} must be the threshold "
                f"{self.threshold}"
            )
        if sorted(set(self.thresholds)) != list(self.thresholds):
            raise ValueError(f"thresholds {list(self.thresholds)} must be in increasing order")
        self._check_measure()
        if self.subtask == WHOLE and self.shared_with:
            raise ValueError(f"a whole task cannot have shared_with, but found {self.shared_with}")
        if self.subtask != WHOLE:
            self._check_subtask()
        return self

    def _check_measure(self) -> None:
        estimated = self.source.measure
        if estimated is not None and _normal(estimated) != _normal(self.measure):
            raise ValueError(
                f"measure is {self.measure}, but its threshold was estimated in {estimated} and "
                "says nothing in another measure. Restore the measure, or estimate the threshold "
                "again in this one"
            )

    def _check_subtask(self) -> None:
        if self.naive is not None:
            raise ValueError("naive is for whole tasks only")
        for task in self.tasks:
            if self.subtask not in SUBTASKS[task]:
                raise ValueError(f"{self.subtask} is not a subtask of {task}: {SUBTASKS[task]}")


class RequirementFile(Options):
    """The contents of a requirement file: every requirement once, under a unique name."""

    snellen_requirements: Literal[1] = 1
    requirements: Annotated[tuple[Requirement, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _unique(self) -> RequirementFile:
        _check_once("name", [one.name for one in self.requirements])
        _check_once("subject matter", [", ".join(one.about) for one in self.requirements])
        return self


def _normal(measure: str) -> str:
    """The identity of a measure; as it is if no such measure is installed."""
    try:
        return visual_measure(measure).identity
    except UserError:
        return measure


def _check_once(what: str, values: Sequence[str]) -> None:
    twice = [value for value, count in Counter(values).items() if count > 1]
    if twice:
        raise ValueError(f"the {what} '{twice[0]}' occurs twice; drop one")

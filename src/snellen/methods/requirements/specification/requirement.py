"""A requirement: the visual change up to which a subtask must hold, and its source."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import (
    Field,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from snellen.configuration import Options
from snellen.errors import UserError
from snellen.vision.visual_change.registry import visual_measure

TaskName: TypeAlias = Literal["classification", "detection", "segmentation"]
SubtaskName: TypeAlias = Literal["localise", "classify", "segment", "whole"]
Kind: TypeAlias = Literal["correctness", "preservation"]
Metric: TypeAlias = Literal["recall-and-precision", "accuracy"]
Change: TypeAlias = Annotated[float, Field(ge=0, le=1)]

WHOLE: SubtaskName = "whole"
MARGIN = 0.02
HUMAN: Literal["human"] = "human"
"""The margin that is taken from people."""
CONFIDENCE = 0.95
SUBTASKS: dict[TaskName, tuple[SubtaskName, ...]] = {
    "classification": ("classify",),
    "detection": ("localise", "classify"),
    "segmentation": ("localise", "classify", "segment"),
}
"""The subtasks of each task, in order."""


class HumanLoss(Options):
    """What people lose, on average, up to a threshold: low and high are one-sided 95% bounds."""

    value: float
    low: float
    high: float


class People(Options):
    """Human performance in B bins of visual change.

    metric: `precision`, `recall` or `accuracy`. delta_v, share, answers: (B,) the mean
    visual change, the share of right answers, and their number. loss: up to the threshold, if the
    answers to unchanged images are known.
    """

    metric: str
    delta_v: tuple[Change, ...]
    share: tuple[Change, ...]
    answers: tuple[int, ...]
    loss: HumanLoss | None = None

    @model_validator(mode="after")
    def _even(self) -> People:
        if not len(self.delta_v) == len(self.share) == len(self.answers) > 0:
            raise ValueError("delta_v, share and answers must be non-empty lists of equal length")
        return self


class ThresholdSource(Options):
    """The human data that a threshold comes from.

    study: a citation or a name. file, sha256: the data, or the packaged table, that was read.
    low, high: the threshold's interval, if the data allow one. limited_by_data: people never get
    worse in the data, so the threshold is where the data end. people: their performance. measure:
    of visual change, in which the threshold was estimated.
    """

    study: str
    file: str | None = None
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    procedure: str | None = None
    low: Change | None = None
    high: Change | None = None
    limited_by_data: bool | None = None
    people: tuple[People, ...] | None = None
    measure: str | None = None

    @model_serializer(mode="wrap")
    def _stored(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """The values as stored, without a measure in runs and files that never named one."""
        values: dict[str, Any] = plain(self)
        if values.get("measure") is None:
            values.pop("measure", None)
        return values


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

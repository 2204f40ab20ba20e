"""What a requirement is: up to which visual change a subtask must hold, and who says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, model_validator

from snellen.configuration import Options

TaskName: TypeAlias = Literal["classification", "detection", "segmentation"]
SubtaskName: TypeAlias = Literal["localise", "classify", "segment", "whole"]
Kind: TypeAlias = Literal["correctness", "preservation"]
Metric: TypeAlias = Literal["recall-and-precision", "accuracy"]
Change: TypeAlias = Annotated[float, Field(ge=0, le=1)]

WHOLE: SubtaskName = "whole"
MARGIN = 0.02
CONFIDENCE = 0.95
SUBTASKS: dict[TaskName, tuple[SubtaskName, ...]] = {
    "classification": ("classify",),
    "detection": ("localise", "classify"),
    "segmentation": ("localise", "classify", "segment"),
}
"""The subtasks of each task, in the order in which they are done."""


class People(Options):
    """How well people did in B bins of visual change, where their answers are known.

    metric: `precision`, `recall` or `accuracy`. delta_v, share, answers: (B,) the mean
    visual change, the share that was right, and of how many answers.
    """

    metric: str
    delta_v: tuple[Change, ...]
    share: tuple[Change, ...]
    answers: tuple[int, ...]

    @model_validator(mode="after")
    def _even(self) -> People:
        if not len(self.delta_v) == len(self.share) == len(self.answers) > 0:
            raise ValueError("delta_v, share and answers must be lists of one length, not empty")
        return self


class ThresholdSource(Options):
    """The human data that a threshold comes from.

    study: a citation or a name. file, sha256: the data, or the packaged table, that was read.
    low, high: the threshold's own interval, where the data allow one. limited_by_data: people never
    got worse in the data, so the threshold is where the data end. people: how well they did.
    """

    study: str
    file: str | None = None
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None
    procedure: str | None = None
    low: Change | None = None
    high: Change | None = None
    limited_by_data: bool | None = None
    people: tuple[People, ...] | None = None


class Requirement(Options):
    """One subtask, or a whole task, that must hold for images changed by one transformation.

    task: the one that it is a part of. shared_with: further tasks that have the same subtask; it is
    one requirement, checked once and used for all of them.
    label: a class, or `any`. threshold: the visual change up to which people hold. thresholds: the
    conjunction, every threshold of the tasks' subtasks that is not above its own. naive: of a whole
    task, the threshold estimated directly, where it is known. margin: the loss that is tolerated.
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
    margin: Annotated[float, Field(ge=0, lt=1)] = MARGIN
    confidence: Annotated[float, Field(gt=0.5, lt=1)] = CONFIDENCE
    metric: Metric = "recall-and-precision"
    source: ThresholdSource

    @property
    def tasks(self) -> tuple[TaskName, ...]:
        """Every task that it is a part of."""
        return (self.task, *self.shared_with)

    @property
    def about(self) -> tuple[str, ...]:
        """What it is about: no two requirements of a file may be about the same."""
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
            raise ValueError(f"thresholds {list(self.thresholds)} must rise")
        if self.subtask == WHOLE and self.shared_with:
            raise ValueError(f"a whole task is shared with none, but found {self.shared_with}")
        if self.subtask != WHOLE:
            self._check_subtask()
        return self

    def _check_subtask(self) -> None:
        if self.naive is not None:
            raise ValueError("naive is for whole tasks only")
        for task in self.tasks:
            if self.subtask not in SUBTASKS[task]:
                raise ValueError(f"{self.subtask} is no subtask of {task}: {SUBTASKS[task]}")


class RequirementFile(Options):
    """What a requirement file holds: every requirement once, under its own name."""

    snellen_requirements: Literal[1] = 1
    requirements: Annotated[tuple[Requirement, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _unique(self) -> RequirementFile:
        _check_once("name", [one.name for one in self.requirements])
        _check_once("subject matter", [", ".join(one.about) for one in self.requirements])
        return self


def _check_once(what: str, values: Sequence[str]) -> None:
    twice = [value for value, count in Counter(values).items() if count > 1]
    if twice:
        raise ValueError(f"the {what} '{twice[0]}' is there twice; drop one of the two")

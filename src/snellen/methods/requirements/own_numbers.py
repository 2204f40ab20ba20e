"""The numbers of requirements in a summary: metrics over visual change, and their verdicts."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import BeforeValidator, ConfigDict, Field

from snellen.disk.json_values import finite_or_none
from snellen.methods.human.people import People, ThresholdSource
from snellen.methods.human.performance_curve import HumanComparison
from snellen.methods.human.subtasks import Kind, SubtaskName, TaskName
from snellen.methods.requirements.specification.margin import Margin, MarginSource
from snellen.statistics.intervals import Interval
from snellen.statistics.non_inferiority import LossStatus
from snellen.store.number_model import NumberModel
from snellen.store.summary import RequirementVerdict

Finite: TypeAlias = Annotated[float | None, BeforeValidator(finite_or_none)]
"""None for what could not be computed."""


class OpenEstimate(NumberModel):
    """A metric or a loss with its interval, whose ends may be unknown too."""

    value: Finite
    low: Finite
    high: Finite
    method: str
    confidence: float
    p: Finite = None

    @property
    def ends(self) -> tuple[float, float] | None:
        """The interval; None if unknown."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    @classmethod
    def of(cls, interval: Interval) -> OpenEstimate:
        """The estimate of an interval."""
        return cls.model_validate(interval.to_json())


class CurveBin(NumberModel):
    """Cases with low < visual change <= high; see `ChangeBin`.

    Curves of version 0.2 on have the same scenes in every bin, see `ChangeLevel`, and `at`. scenes,
    counted: absent for average precision.
    """

    low: float
    high: float
    cases: int
    scenes: int | None = None
    counted: float | None = None
    value: OpenEstimate
    loss: OpenEstimate | None = None
    at: float | None = None

    @property
    def middle(self) -> float:
        """The visual change at which the bin is drawn: the mean of its cases, if known."""
        return (self.low + self.high) / 2 if self.at is None else self.at


class CurveGrade(NumberModel):
    """The area under a curve; see `AreaGrade`. From `range` on: absent without people."""

    metric: str
    most: float
    area: OpenEstimate
    range: tuple[float, float] | None = None
    subject: float | None = None
    human: float | None = None
    human_relative: float | None = None

    @property
    def compared(self) -> HumanComparison | None:
        """The comparison with people; None without any."""
        subject, human, relative = self.subject, self.human, self.human_relative
        if self.range is None or subject is None or human is None or relative is None:
            return None
        return HumanComparison(*self.range, subject, human, relative)


class Curve(NumberModel):
    """A metric before the change and in bins of visual change.

    graded, people: absent for average precision; people: None if unknown.
    """

    clean: OpenEstimate
    bins: tuple[CurveBin, ...]
    graded: CurveGrade | None = None
    people: People | None = None


class CurvePart(NumberModel):
    """The curves of a subtask or task by metric. given: earlier subtasks. requirements: names."""

    part: str
    given: tuple[str, ...]
    requirements: tuple[str, ...]
    curves: dict[str, Curve]


class CurveGroup(NumberModel):
    """The curves of one transformation, measure, label and kind, up to a visual change `most`."""

    transformation: str
    measure: str
    label: str
    kind: Kind
    most: float
    cases: int
    scenes: int
    objects: int
    parts: tuple[CurvePart, ...]


class RequirementNumbers(NumberModel):
    """What the method adds to a summary; absent without a checked run."""

    reliability: tuple[CurveGroup, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Plain values, without absent keys."""
        return self.model_dump(mode="json", exclude_unset=True)


class DistanceNumbers(NumberModel):
    """The published distance; see `ReliabilityDistance`."""

    value: Finite
    null: Finite
    p_value: Finite
    permutations: int
    satisfied: bool


class LossNumbers(NumberModel):
    """A metric before minus after the change; see `Loss`."""

    metric: str
    before: Finite
    after: Finite
    loss: OpenEstimate
    p_value: Finite
    counted: Finite
    scenes: int
    status: LossStatus
    why: str
    task: str = ""
    margin: Finite = None
    p_satisfied: Finite = None
    p_violated: Finite = None


class MarginNumbers(NumberModel):
    """The tolerated loss; see `Margin`."""

    value: float
    low: float
    high: float
    source: MarginSource

    @classmethod
    def of(cls, margin: Margin) -> MarginNumbers:
        """The numbers of a margin."""
        return cls(value=margin.value, low=margin.low, high=margin.high, source=margin.source)


class ThresholdNumbers(NumberModel):
    """The losses up to one threshold of the conjunction; see `ThresholdCheck`."""

    threshold: float
    status: LossStatus
    cases: int
    scenes: int
    losses: tuple[LossNumbers, ...]
    average_precision: LossNumbers
    distance: DistanceNumbers


class RequirementRow(RequirementVerdict):
    """A requirement with its verdict, its evidence and fields of the requirement file.

    metric, metrics: of the worst loss, and all at its threshold. over: the range of visual change
    of the verdict. breaks_from: if violated, where tests show that it starts to break. distance:
    the largest. demands_nothing: thresholds that do not affect it.
    margin: tolerated, of that metric; margins: of each. level: of each of the two one-sided tests,
    whose p-values are p_satisfied and p_violated; p_adjusted: of a violation, for the false
    discovery rate over all requirements. parts: of a whole task, if their margins compose.
    more_scenes: how many more would decide it. Runs before version 0.2 lack some of these.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=())

    metric: str | None
    over: tuple[float, float]
    metrics: dict[str, LossNumbers]
    distance: DistanceNumbers
    satisfied_as_published: bool
    by_threshold: tuple[ThresholdNumbers, ...]
    demands_nothing: tuple[float, ...] = ()
    task: TaskName
    subtask: SubtaskName
    label: str
    transformation: str
    measure: str
    kind: Kind
    threshold: float
    thresholds: tuple[float, ...]
    naive: float | None
    margin: float
    confidence: float
    source: ThresholdSource
    margins: dict[str, MarginNumbers] = Field(default_factory=dict)
    level: float | None = None
    p_satisfied: Finite = None
    p_violated: Finite = None
    p_adjusted: Finite = None
    parts: tuple[str, ...] = ()
    more_scenes: int | None = None
    breaks_from: Finite = None

    @classmethod
    def of(cls, verdict: RequirementVerdict) -> RequirementRow:
        """The row of a verdict in a summary."""
        return cls.model_validate(verdict.to_json())

    def to_json(self) -> dict[str, Any]:
        """Plain values, without people's answers."""
        return self.model_dump(mode="json", exclude={"source": {"people"}})

    def verdict(self) -> RequirementVerdict:
        """The row as stored in a summary."""
        return RequirementVerdict.model_validate(self.to_json())

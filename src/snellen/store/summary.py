"""`summary.json` as a typed value: the numbers of a run, and those its method adds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from snellen.disk.atomic_file import write_atomically
from snellen.statistics.non_inferiority import LossStatus
from snellen.store.estimate import Estimate, percent
from snellen.store.number_model import NumberModel
from snellen.store.run_folder import SUMMARY
from snellen.store.verdict_summary import (
    UNJUDGED,
    CheckCounts,
    ExplainedCounts,
    FaultCounts,
    VerdictSummary,
)

if TYPE_CHECKING:
    OwnNumbers: TypeAlias = dict[str, Any]
else:  # checked as JSON; a type checker sees Any, since nested JSON values can't be indexed
    OwnNumbers = dict[str, JsonValue]


class SubjectTraits(NumberModel):
    """The subject. score: its threshold."""

    name: str
    task: str
    fingerprint: str
    score: float
    deterministic: bool


class UnitCounts(NumberModel):
    """Units by how they ended; left_out: not covered by the budget.

    not_needed: not opened, since the run was decided before. untested: those of `done` in which
    nothing could be tested, by the reason, such as `had no room`.
    """

    total: int
    done: int
    errors: int
    left_out: int
    not_needed: int = 0
    untested: dict[str, int] = Field(default_factory=dict)

    @property
    def tested(self) -> int:
        """Units that ended and in which something was tested."""
        return self.done - sum(self.untested.values())

    @property
    def untested_words(self) -> str:
        """Why units were not tested, such as `; 28 had no room`; "" if all were."""
        reasons = ", ".join(f"{count} {why}" for why, count in self.untested.items())
        return f"; {reasons}" if reasons else ""


class ControlRate(NumberModel):
    """How often controls fail. rate: weighted by the chances with which controls were drawn."""

    cases: int
    failing: int
    rate: Estimate


class ControlKind(ControlRate):
    """One kind of control; difference: by how much tests fail more often than it."""

    difference: Estimate


class ErrorCount(NumberModel):
    """Units that ended in the same error; example: the scene of one of them."""

    stage: str
    kind: str
    message: str
    count: int
    example: str


class Seconds(NumberModel):
    """Wall time of the run, the subject's working time, and the time spent building cases."""

    total: float
    subject: float
    building: float


class RequirementVerdict(BaseModel):
    """One requirement with its verdict; a method may add keys of its own.

    value, low, high: the number that decides the verdict and its interval, None if unknown. says:
    the verdict in one sentence.
    """

    model_config = ConfigDict(extra="allow", frozen=True, protected_namespaces=())
    __pydantic_extra__: dict[str, JsonValue]

    name: str
    status: LossStatus
    value: float | None
    low: float | None
    high: float | None
    says: str

    @property
    def ends(self) -> tuple[float, float] | None:
        """The interval of the value; None if unknown."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    def to_json(self) -> dict[str, Any]:
        """Plain values, including the method's own keys."""
        return self.model_dump(mode="json")


class Summary(NumberModel):
    """The numbers of a run. Failure rates count hard events only.

    flaky_cases, unconfirmed_cases: failures that did not repeat, or were not asked again; neither
    is counted.

    control: all comparable controls, exposed to the same disturbance as the tests; controls: by
    kind. difference: by how much tests fail more often than these, None without any. checks: those
    of the tool, by kind, which can't fail and are compared with nothing. events, by_class: hard
    events of failing tests. own: what the method adds.
    """

    snellen_version: str
    method: str
    subject: SubjectTraits
    seed: int
    scenes: int
    units: UnitCounts
    cases: int
    test_cases: int
    questions: int
    cache_hits: int
    failing_cases: int
    borderline_cases: int
    flaky_cases: int
    unconfirmed_cases: int = 0
    failure_rate: Estimate
    control: ControlRate
    controls: dict[str, ControlKind]
    difference: Estimate | None
    events: dict[str, int]
    borderline_events: dict[str, int]
    by_class: dict[str, dict[str, int]]
    errors: tuple[ErrorCount, ...]
    skipped: int
    seconds: Seconds
    verdict: VerdictSummary = UNJUDGED
    faults: FaultCounts = FaultCounts()
    explained: ExplainedCounts = ExplainedCounts()
    checks: dict[str, CheckCounts] = Field(default_factory=dict)
    requirements: tuple[RequirementVerdict, ...] = ()
    own: OwnNumbers = Field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Plain values, as in `summary.json`."""
        return self.model_dump(mode="json")

    def to_text(self) -> str:
        """The text of `summary.json`."""
        return json.dumps(self.to_json(), indent=2) + "\n"

    def write(self, folder: Path) -> None:
        """Write `summary.json` into a run folder."""
        write_atomically(folder / SUMMARY, self.to_text().encode(errors="backslashreplace"))

    def __str__(self) -> str:
        rate = percent(self.failure_rate)
        return (
            f"{self.method} of {self.subject.name}: {self.failing_cases} of {self.test_cases} "
            f"cases fail, {rate}; {self.units.tested} of {self.units.total} units examined"
            f"{self.units.untested_words}"
        )

    def __repr__(self) -> str:
        return f"<Summary {self}>"

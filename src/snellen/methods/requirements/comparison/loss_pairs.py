"""The loss of each subject under a requirement's change, and their difference."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from snellen.methods.compared_number import ComparedNumber
from snellen.methods.requirements.checks.metric_loss import Loss, loss
from snellen.methods.requirements.checks.part_loss import PartLoss, part_loss
from snellen.methods.requirements.evidence.arms import arms
from snellen.methods.requirements.evidence.case_table import CaseTable
from snellen.methods.requirements.evidence.subtask_counts import Metric, metrics_of, subtask_counts
from snellen.methods.requirements.specification.idle_thresholds import demanding_thresholds
from snellen.methods.requirements.specification.margin_composition import margins_of
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.statistics.change_difference import change_difference_curve
from snellen.statistics.confidence_curve import ConfidenceCurve
from snellen.statistics.intervals import Interval
from snellen.statistics.non_inferiority import LossStatus, combined_status


@dataclass(frozen=True, eq=False)
class LossPair:
    """The loss of a metric up to a threshold, of A and of B; parts: both by scene."""

    threshold: float
    metric: Metric
    a: Loss
    b: Loss
    parts: tuple[PartLoss, PartLoss]

    @cached_property
    def difference(self) -> Interval:
        """B's loss minus A's, paired by scene."""
        return self._curve(1).interval(null=0.0)

    def number(self, requirement: str) -> ComparedNumber:
        """The loss under a requirement as a number of both runs."""
        a, b = self.a.interval.value, self.b.interval.value
        scenes = self.parts[1].pairs.first.scenes
        return ComparedNumber(f"{requirement}: loss of {self.metric}", a, b, scenes, self._curve)

    def _curve(self, times: int) -> ConfidenceCurve:
        """Of B's loss minus A's, with that many times these scenes."""
        a, b = (one.pairs.repeated(times) for one in self.parts)
        scales = self.parts[1].scale, self.parts[0].scale
        return change_difference_curve(b, a, scales)

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "threshold": self.threshold,
            "metric": self.metric,
            "a": self.a.interval.to_json(),
            "b": self.b.interval.to_json(),
            "difference": self.difference.to_json(),
        }


@dataclass(frozen=True)
class ComparedRequirement:
    """A requirement of both runs.

    losses: for each threshold and metric; empty, and so undecided, if it demands nothing.
    """

    name: str
    losses: tuple[LossPair, ...]

    @property
    def status(self) -> tuple[LossStatus, LossStatus]:
        """The verdicts on A and on B, on common scenes."""
        return (
            combined_status(one.a.status for one in self.losses),
            combined_status(one.b.status for one in self.losses),
        )

    @property
    def own_losses(self) -> tuple[LossPair, ...]:
        """Those up to its own threshold, which is the largest."""
        own = max((one.threshold for one in self.losses), default=0.0)
        return tuple(one for one in self.losses if one.threshold == own)

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        a, b = self.status
        return {
            "name": self.name,
            "status": {"a": a.value, "b": b.value},
            "losses": [one.to_json() for one in self.losses],
        }


def compared_requirement(
    requirement: Requirement, a: CaseTable, b: CaseTable, minimal: float
) -> ComparedRequirement:
    """Both losses, as in `check_requirement`, over the same scenes."""
    pairs = tuple(
        _pair(requirement, threshold, metric, (a, b), minimal)
        for threshold in demanding_thresholds(requirement, minimal)
        for metric in metrics_of(requirement)
    )
    return ComparedRequirement(requirement.name, pairs)


def _pair(
    requirement: Requirement,
    threshold: float,
    metric: Metric,
    tables: tuple[CaseTable, CaseTable],
    minimal: float,
) -> LossPair:
    found, parts = [], []
    for table in tables:
        part = subtask_counts(requirement, table)
        both = arms(table.evidence, requirement.transformation, -1.0, threshold, minimal)
        margin = margins_of([requirement])[requirement.name][metric]
        found.append(loss(part, metric, both, margin, 1 - requirement.confidence))
        parts.append(part_loss(part, metric, both))
    return LossPair(threshold, metric, found[0], found[1], (parts[0], parts[1]))

"""The check of a requirement up to one threshold of its conjunction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from snellen.methods.human.subtasks import WHOLE
from snellen.methods.requirements.checks.metric_loss import Loss, loss
from snellen.methods.requirements.curves.area_loss import NAME as AREA
from snellen.methods.requirements.curves.area_loss import area_loss
from snellen.methods.requirements.curves.curve_rows import curve_rows
from snellen.methods.requirements.curves.reliability_distance import (
    UNKNOWN,
    ReliabilityDistance,
    distance,
)
from snellen.methods.requirements.evidence.arms import Arms, arms
from snellen.methods.requirements.evidence.case_table import CaseTable
from snellen.methods.requirements.evidence.subtask_counts import (
    Metric,
    SubtaskCounts,
    judged_tasks,
    metrics_of,
    subtask_counts,
)
from snellen.methods.requirements.specification.idle_thresholds import unknown_loss, why_idle
from snellen.methods.requirements.specification.margin import Margin
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.statistics.non_inferiority import LossStatus, combined_status
from snellen.vision.arrays import F64


@dataclass(frozen=True, eq=False)
class CheckSetting:
    """What all thresholds of a requirement are checked with.

    margins: the tolerated loss by metric. alpha: the level of each one-sided test. weights:
    (replicates, scenes). minimal: preservation compares with images changed by no more than this.
    """

    requirement: Requirement
    table: CaseTable
    margins: Mapping[Metric, Margin]
    alpha: float
    weights: F64
    minimal: float

    def arms(self, low: float, high: float) -> Arms:
        """The cases with a visual change above `low` and up to `high`, and their baseline."""
        evidence, requirement = self.table.evidence, self.requirement
        return arms(evidence, requirement.transformation, low, high, self.minimal)

    def parts(self, metric: Metric) -> Iterator[tuple[str, SubtaskCounts]]:
        """The evidence by task: as a part of each task of which it is one.

        The loss of precision at a subtask does not depend on the subtasks after it.
        """
        tasks = judged_tasks(self.requirement, self.table.evidence.subtasks)
        whole = self.requirement.subtask == WHOLE
        for task in tasks[:1] if whole or metric == "precision" else tasks:
            yield task, subtask_counts(self.requirement, self.table, task)


@dataclass(frozen=True)
class ThresholdCheck:
    """The losses up to one threshold of the conjunction.

    losses: by metric, and by task for a subtask of several; they decide the verdict. area: of
    average precision up to this subtask. distance: the published one. Both are reported only.
    """

    threshold: float
    cases: int
    scenes: int
    losses: tuple[Loss, ...]
    area: Loss
    distance: ReliabilityDistance

    @property
    def status(self) -> LossStatus:
        """Violated if any metric is, satisfied if all are, each at its own level."""
        return combined_status(one.status for one in self.losses)

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "threshold": self.threshold,
            "status": self.status.value,
            "cases": self.cases,
            "scenes": self.scenes,
            "losses": [one.to_json() for one in self.losses],
            "average_precision": self.area.to_json(),
            "distance": self.distance.to_json(),
        }


def check_threshold(
    setting: CheckSetting, threshold: float, rng: np.random.Generator
) -> ThresholdCheck:
    """The losses up to a threshold, with area and distance."""
    both = setting.arms(-1.0, threshold)
    part = subtask_counts(setting.requirement, setting.table)
    rows = curve_rows(part, both)
    margin = next(iter(setting.margins.values()))
    return ThresholdCheck(
        threshold,
        int(both.after.sum()),
        int(np.count_nonzero(both.cases(both.after))),
        tuple(losses(setting, both)),
        area_loss(rows, part.end, setting.weights, margin, rng, setting.alpha),
        distance(rows, part.start, part.end, rng),
    )


def losses(setting: CheckSetting, both: Arms) -> Iterator[Loss]:
    """Each metric's loss between two arms, as a part of each task."""
    for metric in metrics_of(setting.requirement):
        for task, part in setting.parts(metric):
            yield replace(
                loss(part, metric, both, setting.margins[metric], setting.alpha), task=task
            )


def unchecked_threshold(setting: CheckSetting) -> ThresholdCheck:
    """The result if no threshold demands anything."""
    requirement, alpha = setting.requirement, setting.alpha
    why = why_idle(requirement, setting.minimal)
    unknown = [unknown_loss(one, why, alpha) for one in metrics_of(requirement)]
    return ThresholdCheck(
        requirement.threshold, 0, 0, tuple(unknown), unknown_loss(AREA, why, alpha), UNKNOWN
    )

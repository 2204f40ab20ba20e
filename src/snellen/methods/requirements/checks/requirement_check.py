"""The check of a requirement: its verdict from the outcome of every case, with evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.methods.requirements.checks.metric_loss import Loss, loss
from snellen.methods.requirements.checks.verdict_sentence import Range, sentence
from snellen.methods.requirements.curves.area_loss import NAME as AREA
from snellen.methods.requirements.curves.area_loss import area_loss
from snellen.methods.requirements.curves.change_bins import (
    BINS,
    ChangeBin,
    by_change,
    failure_onset,
)
from snellen.methods.requirements.curves.curve_rows import curve_rows
from snellen.methods.requirements.curves.reliability_distance import (
    UNKNOWN,
    ReliabilityDistance,
    distance,
)
from snellen.methods.requirements.evidence.arms import MINIMAL, Arms, arms
from snellen.methods.requirements.evidence.case_table import CaseTable, case_table
from snellen.methods.requirements.evidence.run_evidence import RunEvidence
from snellen.methods.requirements.evidence.subtask_counts import (
    Metric,
    SubtaskCounts,
    metrics_of,
    subtask_counts,
)
from snellen.methods.requirements.specification.idle_thresholds import (
    demanding_thresholds,
    idle_thresholds,
    left_out_clause,
    unknown_loss,
    why_idle,
)
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.statistics.non_inferiority import LossStatus, combined_status
from snellen.vision.arrays import F64


@dataclass(frozen=True)
class ThresholdCheck:
    """The losses up to one threshold of the conjunction.

    losses: by metric; they decide the verdict. area: of average precision up to this subtask.
    distance: the published one. Both are reported only.
    """

    threshold: float
    cases: int
    scenes: int
    losses: tuple[Loss, ...]
    area: Loss
    distance: ReliabilityDistance

    @property
    def status(self) -> LossStatus:
        """Violated if any metric is, satisfied if all are."""
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


@dataclass(frozen=True)
class RequirementCheck:
    """A requirement with its verdict. curves: metrics over visual change. says: one sentence.

    over: the range of visual change of the sentence; if violated, where it breaks. idle: thresholds
    of the conjunction that demand nothing and so do not affect the verdict.
    """

    requirement: Requirement
    thresholds: tuple[ThresholdCheck, ...]
    curves: dict[Metric, tuple[ChangeBin, ...]]
    says: str
    over: Range
    idle: tuple[float, ...] = ()

    @property
    def status(self) -> LossStatus:
        """Violated if any threshold of the conjunction is, satisfied if all are."""
        return combined_status(one.status for one in self.thresholds)

    @property
    def distance(self) -> float:
        """The published reliability distance: the largest of the conjunction."""
        return float(np.max([one.distance.value for one in self.thresholds]))

    @property
    def worst(self) -> Loss:
        """The loss that decides the verdict: the largest one of its status."""
        return worst(self.thresholds)[1]

    def to_json(self) -> dict[str, Any]:
        """Plain values for a summary; value, low and high are of the worst loss."""
        interval = self.worst.interval.to_json()
        return {
            "name": self.requirement.name,
            "status": self.status.value,
            **{end: interval[end] for end in ("value", "low", "high")},
            "metric": self.worst.metric,
            "margin": self.requirement.margin,
            "told": self.says,
            "over": [self.over.low, self.over.high],
            "distance": None if np.isnan(self.distance) else self.distance,
            "satisfied_as_published": self.distance <= 0,
            "thresholds": [one.to_json() for one in self.thresholds],
            "demands_nothing": list(self.idle),
            "curves": {name: [one.to_json() for one in bins] for name, bins in self.curves.items()},
        }


def check_requirement(
    requirement: Requirement,
    evidence: RunEvidence | CaseTable,
    weights: F64,
    rng: np.random.Generator,
    *,
    minimal: float = MINIMAL,
    bins: int = BINS,
) -> RequirementCheck:
    """The verdict on a requirement, from the evidence of its kind.

    weights: (replicates, scenes) from `scene_weights`; the same for all requirements of a run.
    Scenes beyond those of the evidence are ignored.
    minimal: preservation compares with images changed by no more than this.
    """
    table = evidence if isinstance(evidence, CaseTable) else case_table(evidence)
    if table.evidence.kind != requirement.kind:
        raise ValueError(
            f"requirement '{requirement.name}' is on {requirement.kind}, the evidence on "
            f"{table.evidence.kind}"
        )
    part = subtask_counts(requirement, table)
    weights = weights[:, : table.evidence.scenes]
    found = tuple(
        _check_threshold(requirement, part, threshold, weights, rng, minimal)
        for threshold in demanding_thresholds(requirement, minimal)
    ) or (_idle(requirement, minimal),)
    curves = {
        metric: by_change(
            part,
            metric,
            requirement.transformation,
            requirement.threshold,
            bins=bins,
            minimal=minimal,
            confidence=requirement.confidence,
        )
        for metric in metrics_of(requirement)
    }
    lost, over = _reported_loss(requirement, part, found, curves, rng, minimal)
    spare = idle_thresholds(requirement, minimal)
    says = sentence(requirement, lost, over)
    if demanding_thresholds(requirement, minimal):
        says += left_out_clause(spare)
    return RequirementCheck(requirement, found, curves, says, over, spare)


def _idle(requirement: Requirement, minimal: float) -> ThresholdCheck:
    """The result if no threshold demands anything."""
    why, confidence = why_idle(requirement, minimal), requirement.confidence
    losses = [unknown_loss(one, why, confidence) for one in metrics_of(requirement)]
    area = unknown_loss(AREA, why, confidence)
    return ThresholdCheck(requirement.threshold, 0, 0, tuple(losses), area, UNKNOWN)


def _check_threshold(
    requirement: Requirement,
    part: SubtaskCounts,
    threshold: float,
    weights: F64,
    rng: np.random.Generator,
    minimal: float,
) -> ThresholdCheck:
    both = arms(part.table.evidence, requirement.transformation, -1.0, threshold, minimal)
    rows = curve_rows(part, both)
    margin, confidence = requirement.margin, requirement.confidence
    return ThresholdCheck(
        threshold,
        int(both.after.sum()),
        int(np.count_nonzero(both.cases(both.after))),
        tuple(
            loss(part, metric, both, margin, rng, confidence) for metric in metrics_of(requirement)
        ),
        area_loss(rows, part.end, weights, margin, rng, confidence),
        distance(rows, part.start, part.end, rng),
    )


def worst(found: tuple[ThresholdCheck, ...]) -> tuple[ThresholdCheck, Loss]:
    """The largest loss among those with the verdict's status, and its threshold."""
    status = combined_status(one.status for one in found)
    pairs = [(at, one) for at in found for one in at.losses if one.status == status]
    return max(pairs, key=lambda pair: np.nan_to_num(pair[1].interval.value, nan=-1.0))


def _reported_loss(
    requirement: Requirement,
    part: SubtaskCounts,
    found: tuple[ThresholdCheck, ...],
    curves: dict[Metric, tuple[ChangeBin, ...]],
    rng: np.random.Generator,
    minimal: float,
) -> tuple[Loss, Range]:
    """The loss to report, and its range; if violated, the range where it breaks."""
    at, lost = worst(found)
    whole = Range(0.0, at.threshold)
    if lost.status != LossStatus.VIOLATED:
        return lost, whole
    metric: Metric = next(name for name in curves if name == lost.metric)
    start = failure_onset(
        [one for one in curves[metric] if one.high <= at.threshold], requirement.margin
    )
    if not start:
        return lost, whole
    beyond: Arms = arms(
        part.table.evidence, requirement.transformation, start, at.threshold, minimal
    )
    margin, confidence = requirement.margin, requirement.confidence
    local = loss(part, metric, beyond, margin, rng, confidence)
    if local.status != LossStatus.VIOLATED:
        return lost, whole
    return local, Range(start, at.threshold)

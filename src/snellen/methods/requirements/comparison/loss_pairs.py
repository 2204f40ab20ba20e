"""The loss of each subject under a requirement's change, and their difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.methods.requirements.checks.metric_loss import Loss, loss
from snellen.methods.requirements.checks.part_loss import part_loss
from snellen.methods.requirements.evidence.arms import arms
from snellen.methods.requirements.evidence.case_table import CaseTable
from snellen.methods.requirements.evidence.subtask_counts import Metric, metrics_of, subtask_counts
from snellen.methods.requirements.specification.idle_thresholds import demanding_thresholds
from snellen.methods.requirements.specification.margin_composition import margins_of
from snellen.methods.requirements.specification.requirement import Requirement
from snellen.statistics.bootstrap import interval_by_scene, ratio
from snellen.statistics.intervals import Interval, difference
from snellen.statistics.non_inferiority import LossStatus, combined_status
from snellen.vision.arrays import F64

TINY = 1e-9
ENOUGH = 10


@dataclass(frozen=True)
class LossPair:
    """The loss of a metric up to a threshold, of A and of B; difference: B minus A."""

    threshold: float
    metric: Metric
    a: Loss
    b: Loss
    difference: Interval

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

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        a, b = self.status
        return {
            "name": self.name,
            "status": {"a": a.value, "b": b.value},
            "losses": [one.to_json() for one in self.losses],
        }


def compared_requirement(
    requirement: Requirement,
    a: CaseTable,
    b: CaseTable,
    weights: F64,
    minimal: float,
) -> ComparedRequirement:
    """Both losses, as in `check_requirement`; weights: (replicates, scenes), for both."""
    pairs = tuple(
        _pair(requirement, threshold, metric, (a, b), weights, minimal)
        for threshold in demanding_thresholds(requirement, minimal)
        for metric in metrics_of(requirement)
    )
    return ComparedRequirement(requirement.name, pairs)


def _pair(
    requirement: Requirement,
    threshold: float,
    metric: Metric,
    tables: tuple[CaseTable, CaseTable],
    weights: F64,
    minimal: float,
) -> LossPair:
    found, parts = [], []
    for table in tables:
        part = subtask_counts(requirement, table)
        both = arms(table.evidence, requirement.transformation, -1.0, threshold, minimal)
        margin = margins_of([requirement])[requirement.name][metric]
        found.append(loss(part, metric, both, margin, 1 - requirement.confidence))
        parts.append(part_loss(part, metric, both))
    sums, intervals = [one.sums for one in parts], [one.curve.interval() for one in parts]
    gap = loss_difference(sums[0], sums[1], intervals[0], intervals[1], weights)
    return LossPair(threshold, metric, found[0], found[1], gap)


def loss_difference(a: F64, b: F64, loss_a: Interval, loss_b: Interval, weights: F64) -> Interval:
    """B's loss minus A's, paired by scene.

    a, b: (4, scenes), passed and asked before, then after. If fewer than 10 scenes differ, the
    intervals of the losses are combined as if independent, which is wide.
    """
    if np.count_nonzero(np.abs(_own_losses(b) - _own_losses(a)) > TINY) >= ENOUGH:
        rows = np.concatenate([a, b]).T
        found = interval_by_scene(rows, _gap, weights, confidence=loss_a.confidence)
        if np.all(np.isfinite([found.value, found.low, found.high])):
            return found
    return difference(loss_b, loss_a)


def _own_losses(sums: F64) -> F64:
    """(scenes,) the loss of each scene; a rate is 1 where nothing is asked."""
    before, after = (
        np.divide(passed, asked, out=np.ones(len(asked)), where=asked > 0)
        for passed, asked in ((sums[0], sums[1]), (sums[2], sums[3]))
    )
    return np.asarray(before - after)


def _gap(sums: F64) -> tuple[F64, F64]:
    """(before - after) of B minus that of A, and its gradient; sums: (..., 8)."""
    value, gradient = np.zeros(sums.shape[:-1]), []
    for place, sign in enumerate((-1.0, 1.0, 1.0, -1.0)):
        one, slope = ratio(sums[..., 2 * place : 2 * place + 2])
        value = value + sign * one
        gradient.append(sign * slope)
    return value, np.concatenate(gradient, axis=-1)

"""Precision, recall and average precision of two subjects on unchanged scenes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from snellen.methods.compared_number import ComparedNumber
from snellen.methods.requirements.checks.metric_loss import rate_difference
from snellen.methods.requirements.curves.area_loss import areas
from snellen.methods.requirements.curves.curve_rows import curve_rows
from snellen.methods.requirements.evidence.arms import arms
from snellen.methods.requirements.evidence.case_table import case_table
from snellen.methods.requirements.evidence.run_evidence import CLEAN, RunEvidence
from snellen.methods.requirements.evidence.subtask_counts import SubtaskCounts
from snellen.statistics.bootstrap import percentile_interval
from snellen.statistics.intervals import Interval
from snellen.statistics.replicate_curve import replicate_curve
from snellen.statistics.scene_rates import rate
from snellen.vision.arrays import F64

AVERAGE_PRECISION = "average precision"


@dataclass(frozen=True, eq=False)
class MetricPair:
    """A metric of A and of B, and B minus A, on the same scenes.

    scenes: how many. drawn: B minus A under each row of weights; None if the interval needs none.
    """

    a: Interval
    b: Interval
    difference: Interval
    scenes: int
    drawn: F64 | None = None

    def number(self, name: str) -> ComparedNumber | None:
        """It as a number of both runs; None without `drawn`."""
        if self.drawn is None:
            return None
        worse, drawn, scenes = -self.difference.value, -self.drawn, self.scenes
        return ComparedNumber(
            name,
            self.a.value,
            self.b.value,
            scenes,
            lambda times: replicate_curve(worse, drawn, scenes, times),
        )

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "a": self.a.to_json(),
            "b": self.b.to_json(),
            "difference": self.difference.to_json(),
        }


def clean_metrics(a: RunEvidence, b: RunEvidence, weights: F64) -> dict[str, MetricPair]:
    """Metrics by name, of the whole task, all labels pooled, at the evidence's threshold.

    Average precision is over all recorded scores. weights: (replicates, scenes), the same for both,
    so that the difficulty of scenes cancels out.
    """
    rates = {
        name: _rates(_clean_sums(a, side), _clean_sums(b, side))
        for side, name in enumerate(("precision", "recall"))
    }
    return {**rates, AVERAGE_PRECISION: _area_pair(a, b, weights)}


def _clean_sums(evidence: RunEvidence, side: int) -> F64:
    """(2, scenes) passed all subtasks, and asked: of detections (side 0) or of objects (side 1)."""
    clean = evidence.transformation == CLEAN
    counts = evidence.counts(None)[clean, side].astype(np.float64)
    scene = evidence.scene[clean]
    sums = np.zeros((evidence.scenes, 2))
    np.add.at(sums, scene, counts[:, [-1, 0]])
    return sums.T


def _rates(a: F64, b: F64) -> MetricPair:
    return MetricPair(rate(*a), rate(*b), rate_difference(b, a), a.shape[1])


def _area_pair(a: RunEvidence, b: RunEvidence, weights: F64) -> MetricPair:
    first, second = _areas(a, weights), _areas(b, weights)
    gap = second - first
    of_a, of_b, change = (percentile_interval(one[0], one[1:]) for one in (first, second, gap))
    return MetricPair(of_a, of_b, change, weights.shape[1], gap[1:])


def _areas(evidence: RunEvidence, weights: F64) -> F64:
    """(1 + replicates,) average precision, that of the data first."""
    table = case_table(evidence)
    end = len(evidence.subtasks)
    rows = curve_rows(
        SubtaskCounts(table, None, 0, end, end, table.counts(None)),
        arms(evidence, CLEAN, -1.0, 0.0),
    )
    own = np.concatenate([np.ones((1, rows.scenes)), weights])
    return areas(rows.arm(after=False), end, own)


def first_subtasks(evidence: RunEvidence, subtasks: int) -> RunEvidence:
    """The evidence on the first subtasks, to compare a segmenter with a detector."""
    if subtasks == len(evidence.subtasks):
        return evidence
    return replace(
        evidence,
        subtasks=evidence.subtasks[:subtasks],
        outcomes=tuple(
            replace(one, stage=np.minimum(one.stage, subtasks)) for one in evidence.outcomes
        ),
    )

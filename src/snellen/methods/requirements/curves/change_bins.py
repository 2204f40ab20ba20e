"""A metric and its loss in bins of visual change, and where failure sets in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.methods.requirements.checks.metric_loss import rates_by_scene
from snellen.methods.requirements.checks.part_loss import part_loss
from snellen.methods.requirements.evidence.arms import MINIMAL, arms
from snellen.methods.requirements.evidence.subtask_counts import Metric, SubtaskCounts
from snellen.statistics.intervals import CONFIDENCE, Interval
from snellen.statistics.scene_rates import rate

BINS = 10


@dataclass(frozen=True)
class ChangeBin:
    """Cases with low < visual change <= high.

    value: the metric of the subtasks, given those before them. loss: what they contribute to the
    loss of the task, on the same scenes. counted: objects, detections or cases, as a sum of means
    over each scene's cases.
    """

    low: float
    high: float
    cases: int
    scenes: int
    counted: float
    value: Interval
    loss: Interval

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        return {
            "low": self.low,
            "high": self.high,
            "cases": self.cases,
            "scenes": self.scenes,
            "counted": round(self.counted, 3),
            "value": self.value.to_json(),
            "loss": self.loss.to_json(),
        }


def by_change(
    part: SubtaskCounts,
    metric: Metric,
    transformation: str,
    most: float,
    *,
    bins: int = BINS,
    minimal: float = MINIMAL,
    confidence: float = CONFIDENCE,
) -> tuple[ChangeBin, ...]:
    """A metric in bins of equal width from no visual change to `most`, without empty ones."""
    edges = np.round(np.linspace(0, most, bins + 1), 9)
    edges[0] = -1.0
    found = [
        _bin(part, metric, transformation, low, high, minimal, confidence)
        for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)
    ]
    return tuple(one for one in found if one.cases)


def _bin(
    part: SubtaskCounts,
    metric: Metric,
    transformation: str,
    low: float,
    high: float,
    minimal: float,
    confidence: float,
) -> ChangeBin:
    both = arms(part.table.evidence, transformation, low, high, minimal)
    _, after = rates_by_scene(part, metric, both)
    value = rate(after[0], after[1], confidence=confidence)
    loss = part_loss(part, metric, both).curve.interval(confidence)
    scenes = int(np.count_nonzero(both.cases(both.after)))
    counted = float(after[1].sum())
    cases = int(both.after.sum())
    return ChangeBin(max(low, 0.0), high, cases, scenes, counted, value, loss)


def failure_onset(bins: Sequence[ChangeBin], margin: float) -> float | None:
    """The visual change from which the loss stays above the margin, or None.

    The losses are fitted by isotonic regression, bins weighted by `counted`, so that a single bin
    above the margin by chance is not an onset.
    """
    from scipy.optimize import isotonic_regression

    measured = [one for one in bins if one.counted > 0 and np.isfinite(one.loss.value)]
    if not measured:
        return None
    losses = np.array([one.loss.value for one in measured])
    fit = isotonic_regression(losses, weights=np.array([one.counted for one in measured])).x
    above = np.flatnonzero(fit > margin)
    return measured[int(above[0])].low if len(above) else None

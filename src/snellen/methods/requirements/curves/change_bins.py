"""A metric and its loss in bins of visual change, and where failure sets in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.methods.requirements.checks.metric_loss import rates_by_scene
from snellen.methods.requirements.checks.part_loss import part_loss
from snellen.methods.requirements.curves.paired_levels import change_levels
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
    over each scene's cases. at: the mean visual change, if known.
    """

    low: float
    high: float
    cases: int
    scenes: int
    counted: float
    value: Interval
    loss: Interval
    at: float | None = None

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
            **({} if self.at is None else {"at": self.at}),
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


def by_level(
    part: SubtaskCounts, metric: Metric, transformation: str, confidence: float = CONFIDENCE
) -> tuple[ChangeBin, ...]:
    """A metric at the levels of `change_levels`, with the loss from the unchanged scenes."""
    found = []
    for level in change_levels(part.table.evidence, transformation):
        _, after = rates_by_scene(part, metric, level.arms)
        value = rate(after[0], after[1], confidence=confidence)
        loss = part_loss(part, metric, level.arms).curve.interval(confidence)
        counted = float(after[1].sum())
        ends = level.low, level.high, level.cases, level.cases
        found.append(ChangeBin(*ends, counted, value, loss, level.at))
    return tuple(found)


def failure_onset(
    spans: Sequence[tuple[float, float]], breaks: Callable[[float, float], bool]
) -> float | None:
    """The visual change from which a test shows failure in every span up to the last, or None.

    spans: by rising visual change. breaks: a test of one span at the wanted level. Spans are tested
    from the last one down, until the first that is not shown to fail: with that fixed order all
    tests together have the level of one.

    >>> failure_onset([(0.0, 0.2), (0.2, 0.4), (0.4, 0.6)], lambda low, high: low >= 0.2)
    0.2
    """
    start = None
    for low, high in reversed(spans):
        if not breaks(low, high):
            break
        start = low
    return start

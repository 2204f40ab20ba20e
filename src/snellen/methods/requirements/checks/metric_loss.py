"""The loss of precision, recall or accuracy between two arms, with its uncertainty."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.methods.requirements.evidence.arms import Arms
from snellen.methods.requirements.evidence.subtask_counts import Metric, SubtaskCounts
from snellen.statistics.intervals import CONFIDENCE, Interval
from snellen.statistics.non_inferiority import LossStatus, loss_status
from snellen.statistics.permutation import paired_permutation_test
from snellen.statistics.scene_rates import difference, paired_difference
from snellen.vision.arrays import F64

FEWEST = 30
"""Objects, detections or cases: with fewer, a loss of 11 points can't be excluded."""
FEWEST_SCENES = 10
"""Scenes that have any: fewer say nothing about other scenes."""
PERMUTATIONS = 999


@dataclass(frozen=True)
class Loss:
    """A metric before minus after, on the same scenes.

    counted: objects, detections or cases in the smaller arm; scenes: those that have any. p_value:
    of a loss this large by chance. why: the reason, if undecided.
    """

    metric: str
    before: float
    after: float
    interval: Interval
    p_value: float
    counted: float
    scenes: int
    status: LossStatus
    why: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain values; None for what could not be computed."""
        return {
            "metric": self.metric,
            "before": _finite_or_none(self.before),
            "after": _finite_or_none(self.after),
            "loss": self.interval.to_json(),
            "p_value": _finite_or_none(self.p_value),
            "counted": round(self.counted, 3),
            "scenes": self.scenes,
            "status": self.status.value,
            "why": self.why,
        }


def loss(
    part: SubtaskCounts,
    metric: Metric,
    both: Arms,
    margin: float,
    rng: np.random.Generator,
    confidence: float = CONFIDENCE,
    permutations: int = PERMUTATIONS,
) -> Loss:
    """The loss of a metric, with interval, p-value and verdict."""
    before, after = rates_by_scene(part, metric, both)
    interval = rate_difference(before, after, confidence)
    counted, scenes = _size(before[1], after[1])
    why = reason(metric, counted, scenes, _rate(before), margin)
    status = LossStatus.UNDECIDED if why else loss_status(interval, margin)
    test = paired_permutation_test(
        (before[0], before[1]), (after[0], after[1]), rng, permutations, "greater"
    )
    return Loss(
        metric, _rate(before), _rate(after), interval, test.p_value, counted, scenes, status, why
    )


def rates_by_scene(part: SubtaskCounts, metric: Metric, both: Arms) -> tuple[F64, F64]:
    """(2, scenes) passed and asked before, and the same after."""
    tallies = part.tallies(metric)
    before, after = (both.by_scene(tallies, arm).T for arm in (both.before, both.after))
    return before, after


def rate_difference(first: F64, second: F64, confidence: float = CONFIDENCE) -> Interval:
    """The first rate minus the second, paired if both are of the same number in each scene.

    first, second: (2, scenes) passed and asked.
    """
    if np.allclose(first[1], second[1]):
        return paired_difference(first[0], second[0], first[1], confidence=confidence)
    return difference(first[0], first[1], second[0], second[1], confidence=confidence)


def _size(before: F64, after: F64) -> tuple[float, int]:
    sides = (before, after)
    counted = min(float(side.sum()) for side in sides)
    return counted, min(int(np.count_nonzero(side)) for side in sides)


def reason(metric: str, counted: float, scenes: int, before: float, margin: float) -> str:
    """Why the loss can't be judged; empty if it can."""
    what = {"precision": "detections", "recall": "objects", "accuracy": "cases"}[metric]
    if counted < FEWEST or scenes < FEWEST_SCENES:
        return (
            f"too few {what}: {counted:.0f} in {scenes} scenes; at least {FEWEST} in "
            f"{FEWEST_SCENES} are needed"
        )
    if before <= margin:
        return f"nothing to lose: {metric} is {before:.2f} before the change"
    return ""


def _rate(sums: F64) -> float:
    passed, asked = sums.sum(axis=1)
    return float(passed / asked) if asked > 0 else math.nan


def _finite_or_none(value: float) -> float | None:
    return None if math.isnan(value) else value

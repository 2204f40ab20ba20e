"""The loss of precision, recall or accuracy between two arms, tested against a margin."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from snellen.methods.requirements.checks.part_loss import PartLoss, part_loss
from snellen.methods.requirements.evidence.arms import Arms
from snellen.methods.requirements.evidence.subtask_counts import Metric, SubtaskCounts
from snellen.methods.requirements.specification.margin import Margin
from snellen.statistics.intervals import CONFIDENCE, Interval
from snellen.statistics.margin_test import LEVEL, margin_verdict
from snellen.statistics.non_inferiority import LossStatus
from snellen.statistics.scene_rates import difference, paired_difference
from snellen.vision.arrays import F64

FEWEST = 30
"""Objects, detections or cases: with fewer, a loss of 11 points can't be excluded."""
FEWEST_SCENES = 8
"""Scenes that have any: error rates were simulated from this number on."""
UNSET = Margin(math.nan, math.nan, math.nan)


@dataclass(frozen=True)
class Loss:
    """A metric's loss between two arms on the same scenes, as a part of the loss of its task.

    before, after: the metric of the subtasks, given those before them. interval: of the loss; each
    end is a one-sided bound at the level of the test. p_satisfied, p_violated: of the two one-sided
    tests, that the loss is at least the margin, and at most. p_value: of no loss at all. counted:
    objects, detections or cases in the smaller arm; scenes: those that have any. why: the reason,
    if it can't be judged. task: the task that it is a part of. limits: the margin with its
    uncertainty. evidence: the loss by scene.
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
    p_satisfied: float = math.nan
    p_violated: float = math.nan
    task: str = ""
    limits: Margin = UNSET
    evidence: PartLoss | None = field(default=None, compare=False, repr=False)

    @property
    def margin(self) -> float:
        """The tolerated loss."""
        return self.limits.value

    def more_scenes(self, alpha: float) -> int | None:
        """How many more scenes would decide it, if undecided and known."""
        if self.evidence is None or self.why or self.status != LossStatus.UNDECIDED:
            return None
        return self.evidence.more_scenes(self.limits, alpha)

    def to_json(self) -> dict[str, Any]:
        """Plain values; None for what could not be computed."""
        numbers = {
            name: _finite_or_none(getattr(self, name))
            for name in ("before", "after", "p_value", "p_satisfied", "p_violated", "margin")
        }
        return {
            **numbers,
            "metric": self.metric,
            "task": self.task,
            "loss": self.interval.to_json(),
            "counted": round(self.counted, 3),
            "scenes": self.scenes,
            "status": self.status.value,
            "why": self.why,
        }


def loss(
    part: SubtaskCounts, metric: Metric, both: Arms, margin: Margin, alpha: float = LEVEL
) -> Loss:
    """The loss of a metric with its verdict; alpha: the level of each of the two tests."""
    before, after = rates_by_scene(part, metric, both)
    found = part_loss(part, metric, both)
    curve = found.curve
    counted, scenes = _size(part, metric, both)
    why = reason(metric, counted, scenes, _right(part, metric, both), margin.value)
    satisfied = math.nan if why else margin_verdict(curve, margin.low, alpha).p_satisfied
    violated = math.nan if why else margin_verdict(curve, margin.high, alpha).p_violated
    return Loss(
        metric,
        _rate(before),
        _rate(after),
        curve.interval(1 - 2 * alpha),
        curve.p(0.0, "lower"),
        counted,
        scenes,
        tested_status(satisfied, violated, alpha),
        why,
        satisfied,
        violated,
        limits=margin,
        evidence=found,
    )


def tested_status(satisfied: float, violated: float, alpha: float) -> LossStatus:
    """The verdict of two one-sided tests at a level; undecided if they could not be made.

    >>> tested_status(0.01, 0.99, 0.05).value, tested_status(0.3, 0.7, 0.05).value
    ('satisfied', 'undecided')
    """
    if satisfied < alpha:
        return LossStatus.SATISFIED
    return LossStatus.VIOLATED if violated < alpha else LossStatus.UNDECIDED


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


def _whole(part: SubtaskCounts, metric: Metric, both: Arms) -> tuple[F64, F64]:
    """As `rates_by_scene`, of the whole task."""
    task = SubtaskCounts(part.table, part.label, 0, part.last, part.last, part.counts)
    return rates_by_scene(task, metric, both)


def _size(part: SubtaskCounts, metric: Metric, both: Arms) -> tuple[float, int]:
    sides = [side[1] for side in _whole(part, metric, both)]
    counted = min(float(side.sum()) for side in sides)
    return counted, min(int(np.count_nonzero(side)) for side in sides)


def _right(part: SubtaskCounts, metric: Metric, both: Arms) -> float:
    """The share that is right before the change, and so could be lost."""
    return _rate(_whole(part, metric, both)[0])


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

"""The method's own numbers: how often objects break in the left and the right half of scenes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from snellen.api import Detections, Event, JudgedCases, Prediction, Rates, Severity

HALVES = ("left", "right")


def half_counts(
    before: Prediction, events: Sequence[Event], size: tuple[int, int], score: float
) -> dict[str, float]:
    """Measurements of a case: the objects of each half of the scene, and how many break.

    size: (height, width) of the scene. score: the subject's threshold.
    """
    if not isinstance(before, Detections):
        return {}
    found = before.scores >= np.float32(score)
    broken = np.zeros(len(before), dtype=bool)
    hard = [event for event in events if event.severity == Severity.HARD]
    broken[[event.before for event in hard if event.before is not None]] = True
    left = (before.boxes[:, 0] + before.boxes[:, 2]) / 2 < size[1] / 2
    counts: dict[str, float] = {}
    for half, there in zip(HALVES, (left, ~left), strict=True):
        counts[f"{half}_objects"] = float((found & there).sum())
        counts[f"{half}_broken"] = float((broken & there).sum())
    return counts


def half_numbers(tests: JudgedCases, rates: Rates) -> dict[str, Any]:
    """The share of objects that break in each half, with its interval by scene."""
    return {half: _numbers(tests, rates, half) for half in HALVES}


def _numbers(tests: JudgedCases, rates: Rates, half: str) -> dict[str, Any]:
    objects = np.nan_to_num(tests.measured(f"{half}_objects")).astype(np.int64)
    counted = np.where(tests.failing, np.nan_to_num(tests.measured(f"{half}_broken")), 0)
    # One row for each object; of each scene's rows, the first are those that break.
    scenes = np.repeat(tests.scenes, objects)
    place = np.concatenate([np.arange(count) for count in objects.tolist()] or [np.zeros(0)])
    rate = rates.among(scenes, place < np.repeat(counted, objects))
    return {"objects": int(rate.cases), "broken": int(rate.failing), "rate": rate.to_json()}


def cause_numbers(tests: JudgedCases) -> dict[str, int]:
    """How many failing scenes have an object that breaks alone, and how many do not."""
    alone = tests.measured("alone")[tests.failing]
    return {"object": int((alone == 1).sum()), "scene": int((alone == 0).sum())}

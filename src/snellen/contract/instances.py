"""The instance of a scene that a case was made for, as the case's measurements name it.

A case that is replayed on another subject names its instance twice: by its number in the run where
the case was made (`was`), which never changes, and by its number in the new answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from snellen.vision.arrays import Ints
from snellen.vision.detections import Detections
from snellen.vision.uncertainty import Uncertainty

WAS, GONE = "was", "gone"
"""Measurements of a replayed case: the number of its instance in the original run, and whether
the subject no longer finds it in the unchanged scene."""
LABEL, SCORE, UNCERTAINTY = "base_label", "base_score", "base_uncertainty"
"""Measurements of a case's instance: the subject's class id, its score, its total uncertainty."""


@dataclass(frozen=True)
class InstanceKey:
    """How the cases of a method name the detection of the unchanged scene they were made for.

    measurement: its name; the value is the number of the detection, from 0, in the answer's order.
    reported: whether only detections at the subject's threshold or above are numbered.
    """

    measurement: str
    reported: bool = False

    def number(self, measurements: Mapping[str, float]) -> int | None:
        """The instance's number in the run where the case was made, or None."""
        for key in (WAS, self.measurement):
            if key in measurements:
                return int(measurements[key])
        return None

    def index(
        self, measurements: Mapping[str, float], detections: Detections, score: float
    ) -> int | None:
        """The instance's index among the detections that the case was judged by, or None.

        score: the threshold of the subject that answered.

        >>> two = Detections([[0, 0, 9, 9], [20, 0, 29, 9]], [0, 0], [0.3, 0.8])
        >>> InstanceKey("base").index({"base": 0.0}, two, 0.5)
        0
        >>> InstanceKey("target", reported=True).index({"target": 0.0}, two, 0.5)
        1
        """
        numbered = self._numbered(detections, score)
        number = int(measurements.get(self.measurement, -1))
        return int(numbered[number]) if 0 <= number < len(numbered) else None

    def measurements(
        self, earlier: Mapping[str, float], index: int | None, detections: Detections, score: float
    ) -> dict[str, float]:
        """The measurements that name the instance of a case in another answer.

        earlier: the case's measurements so far. index: of the instance among the new detections,
        None if it is gone; its number is then -1.
        """
        was = self.number(earlier)
        if was is None:
            return {}
        numbered = self._numbered(detections, score).tolist()
        number = -1.0 if index is None else float(numbered.index(index))
        return {WAS: float(was), GONE: float(index is None), self.measurement: number}

    def _numbered(self, detections: Detections, score: float) -> Ints:
        """(N,) indices of the detections that are numbered."""
        if self.reported:
            return np.flatnonzero(detections.scores >= np.float32(score))
        return np.arange(len(detections))


def uncertainty_measurements(uncertainty: Uncertainty) -> dict[str, float]:
    """The uncertainty of a case's instance, in total and in parts, as measurements."""
    parts = {f"base_{name}": round(value, 4) for name, value in uncertainty.to_json().items()}
    return {UNCERTAINTY: parts.pop("base_total"), **parts}

"""The instance that a case tests, in the original answer and in another one.

A run of robustness names it by its index among the scene's detections (`base`), one of insertion
by its index among those at or above the subject's threshold (`target`). A replay names it by its
index in the original run (`was`), so that the name does not depend on the subject.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from snellen.vision.boxes.box_geometry import iou
from snellen.vision.detections import Detections

BASE, TARGET, WAS, GONE = "base", "target", "was", "gone"


def name_of(measurements: Mapping[str, float]) -> int | None:
    """The instance's index in the original run; None if the case has no instance."""
    for key in (WAS, BASE, TARGET):
        if key in measurements:
            return int(measurements[key])
    return None


def place_of(measurements: Mapping[str, float], detections: Detections, score: float) -> int | None:
    """The index of the instance among the scene's detections; None if it is not recorded.

    >>> two = Detections([[0, 0, 9, 9], [20, 0, 29, 9]], [0, 0], [0.3, 0.8])
    >>> place_of({"target": 0.0}, two, 0.5), place_of({"base": 0.0}, two, 0.5)
    (1, 0)
    """
    if BASE in measurements:
        place = int(measurements[BASE])
        return place if 0 <= place < len(detections) else None
    strong = np.flatnonzero(detections.scores >= np.float32(score))
    target = int(measurements.get(TARGET, -1))
    return int(strong[target]) if 0 <= target < len(strong) else None


def matching_instance(
    detections: Detections, place: int, other: Detections, score: float, overlap: float
) -> int | None:
    """The index, in another answer about the scene, of the instance at `place`.

    It is the detection with its label, at or above the threshold, whose box has the largest IoU
    with its box, at least `overlap`; None if there is none.
    """
    same = (other.labels == detections.labels[place]) & (other.scores >= np.float32(score))
    alike = iou(other.boxes, detections.boxes[[place]])[:, 0] * same
    if not len(alike) or alike.max() < overlap:
        return None
    return int(alike.argmax())


def instance_measurements(
    measurements: Mapping[str, float], place: int | None, other: Detections, score: float
) -> dict[str, float]:
    """The measurements that name an instance in another answer; -1 if it is not detected."""
    was = name_of(measurements)
    if was is None:
        return {}
    names = {WAS: float(was), GONE: float(place is None)}
    if BASE in measurements:
        return {**names, BASE: -1.0 if place is None else float(place)}
    strong = np.flatnonzero(other.scores >= np.float32(score)).tolist()
    return {**names, TARGET: -1.0 if place is None else float(strong.index(place))}

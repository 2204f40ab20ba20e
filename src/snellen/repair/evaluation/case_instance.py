"""The instance that a case was made for, in the answer it was made from and in another one.

A run of robustness names it by its place among the scene's detections (`base`), one of insertion by
its place among those at the subject's threshold and above (`target`). A replay names it by the
place it had in the run that is replayed (`was`), so that it keeps its name whoever is asked.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from snellen.vision.boxes.box_geometry import iou
from snellen.vision.detections import Detections

BASE, TARGET, WAS, GONE = "base", "target", "was", "gone"


def name_of(measured: Mapping[str, float]) -> int | None:
    """The instance's place in the run where the case was made; None where a case has none."""
    for key in (WAS, BASE, TARGET):
        if key in measured:
            return int(measured[key])
    return None


def place_of(measured: Mapping[str, float], seen: Detections, score: float) -> int | None:
    """The index of the instance among what was seen of the scene; None where it is not told.

    >>> two = Detections([[0, 0, 9, 9], [20, 0, 29, 9]], [0, 0], [0.3, 0.8])
    >>> place_of({"target": 0.0}, two, 0.5), place_of({"base": 0.0}, two, 0.5)
    (1, 0)
    """
    if BASE in measured:
        place = int(measured[BASE])
        return place if 0 <= place < len(seen) else None
    strong = np.flatnonzero(seen.scores >= np.float32(score))
    target = int(measured.get(TARGET, -1))
    return int(strong[target]) if 0 <= target < len(strong) else None


def matching_instance(
    seen: Detections, place: int, now: Detections, score: float, overlap: float
) -> int | None:
    """The index, in another answer about the scene, of an instance of the first answer.

    It is the detection of its label at the threshold or above whose box overlaps its box most, if
    that is an IoU of at least `overlap`; None if there is none.
    """
    same = (now.labels == seen.labels[place]) & (now.scores >= np.float32(score))
    alike = iou(now.boxes, seen.boxes[[place]])[:, 0] * same
    if not len(alike) or alike.max() < overlap:
        return None
    return int(alike.argmax())


def instance_measurements(
    measured: Mapping[str, float], place: int | None, now: Detections, score: float
) -> dict[str, float]:
    """The measurements that name an instance, as of the answer `now`; -1 where it is gone."""
    was = name_of(measured)
    if was is None:
        return {}
    told = {WAS: float(was), GONE: float(place is None)}
    if BASE in measured:
        return {**told, BASE: -1.0 if place is None else float(place)}
    strong = np.flatnonzero(now.scores >= np.float32(score)).tolist()
    return {**told, TARGET: -1.0 if place is None else float(strong.index(place))}

"""Faults of a fusion subject, as functions of the correct answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from snellen.scenes.frame import Frame
from snellen.subjects.planted.perfect_solids import TrueDetections
from snellen.subjects.planted.solid_places import bearings, beside, moved_along, ranges
from snellen.vision.arrays import F64
from snellen.vision.detections3d import Detections3D
from snellen.vision.solids.boxes3d import wrapped
from snellen.vision.solids.projected_boxes import image_boxes


class SolidFault(StrEnum):
    """How an answer deviates.

    misses-beyond: objects beyond a range are missing. hallucinates-beside: there is a phantom next
    to each inserted car. loses-behind: objects behind an inserted one are missing. shifts: with an
    inserted object in the frame, all original ones are moved along their length. jitters: centres,
    headings and scores differ slightly from frame to frame.
    """

    MISSES_BEYOND = "misses-beyond"
    HALLUCINATES_BESIDE = "hallucinates-beside"
    LOSES_BEHIND = "loses-behind"
    SHIFTS = "shifts"
    JITTERS = "jitters"


@dataclass(frozen=True)
class Strength:
    """The parameters of a fault.

    beyond, gap, shift, noise: metres. cars: ids of the classes that get phantoms. rng: seeded by
    the frame.
    """

    beyond: float
    gap: float
    shift: float
    noise: float
    cars: tuple[int, ...]
    rng: np.random.Generator


def miss_far(truth: TrueDetections, frame: Frame, strength: Strength) -> Detections3D:  # noqa: ARG001
    """The detections within range."""
    return truth.detections[ranges(truth.detections.boxes) <= strength.beyond]


def add_phantoms(truth: TrueDetections, frame: Frame, strength: Strength) -> Detections3D:
    """The detections, and a phantom like each inserted car at a free place next to it."""
    found, taken = truth.detections, truth.detections.boxes
    new = np.flatnonzero(truth.inserted & np.isin(found.labels, strength.cars))
    phantoms = []
    for index in new:
        phantoms.append(beside(taken[index], taken, strength.gap))
        taken = np.vstack([taken, phantoms[-1]])
    boxes = np.array(phantoms).reshape(-1, 7)
    return Detections3D(
        taken,
        np.append(found.labels, found.labels[new]),
        np.append(found.scores, found.scores[new]),
        np.vstack([found.image_boxes, image_boxes(boxes, frame.frames, frame.size)]),
    )


def lose_behind(truth: TrueDetections, frame: Frame, strength: Strength) -> Detections3D:  # noqa: ARG001
    """The detections without original objects behind an inserted one."""
    boxes = truth.detections.boxes
    first, last = bearings(boxes)
    far = ranges(boxes)
    hidden = np.zeros(len(boxes), dtype=bool)
    for new in np.flatnonzero(truth.inserted):
        middle = (first[new] + last[new]) / 2
        starts, ends = wrapped(first - middle), wrapped(last - middle)
        half = (last[new] - first[new]) / 2
        hidden |= (starts <= half) & (ends >= -half) & (far > far[new])
    return truth.detections[~(hidden & ~truth.inserted)]


def shift_old(truth: TrueDetections, frame: Frame, strength: Strength) -> Detections3D:
    """The detections, with original objects moved if there is an inserted one."""
    if not truth.inserted.any():
        return truth.detections
    metres = np.where(truth.inserted, 0.0, strength.shift)
    return _with_boxes(truth.detections, moved_along(truth.detections.boxes, metres), frame)


def jitter(truth: TrueDetections, frame: Frame, strength: Strength) -> Detections3D:
    """The detections with noise: centres in metres, headings and scores by hundredths."""
    found, rng = truth.detections, strength.rng
    boxes = found.boxes.copy()
    boxes[:, :3] += rng.uniform(-strength.noise, strength.noise, (len(boxes), 3))
    boxes[:, 6] = wrapped(boxes[:, 6] + rng.uniform(-0.01, 0.01, len(boxes)))
    scores = np.clip(found.scores + rng.uniform(-0.02, 0.02, len(boxes)), 0, 1)
    return replace(_with_boxes(found, boxes, frame), scores=scores.astype(np.float32))


def _with_boxes(found: Detections3D, boxes: F64, frame: Frame) -> Detections3D:
    """The detections with other 3D boxes; 2D boxes move with the projections of the 3D boxes."""
    before = image_boxes(found.boxes, frame.frames, frame.size)
    after = image_boxes(boxes, frame.frames, frame.size)
    shown = (found.image_boxes != 0).any(axis=1) & (after != 0).any(axis=1)
    height, width = frame.size
    moved = np.clip(found.image_boxes + (after - before), 0, [width, height, width, height])
    return replace(found, boxes=boxes, image_boxes=np.where(shown[:, None], moved, 0))


FAULTS: dict[SolidFault, Callable[[TrueDetections, Frame, Strength], Detections3D]] = {
    SolidFault.MISSES_BEYOND: miss_far,
    SolidFault.HALLUCINATES_BESIDE: add_phantoms,
    SolidFault.LOSES_BEHIND: lose_behind,
    SolidFault.SHIFTS: shift_old,
    SolidFault.JITTERS: jitter,
}

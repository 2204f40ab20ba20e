"""The relation: everything but the inserted object must be detected as before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from snellen.methods.free_places import Box
from snellen.methods.inserted_detections import OWN_IOU, events_beside
from snellen.vision.arrays import Bools
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.boxes.box_shifts import box_shifts
from snellen.vision.detections import Detections
from snellen.vision.events import Event
from snellen.vision.truth.annotated_objects import AnnotatedObjects


class InsertedOutcome(StrEnum):
    """How the inserted object itself was detected; counted separately from events."""

    FOUND = "found"
    RELABELLED = "relabelled"
    MISSED = "missed"


@dataclass(frozen=True)
class InsertionComparison:
    """The events of one case, and how the inserted object was detected.

    own: (N,) bool, the detections `after` that show the inserted object. score: the best score of
    its label there, 0 for none. shifts: the mean shift of the other objects, from `box_shifts`.
    """

    events: tuple[Event, ...]
    inserted: InsertedOutcome
    score: float
    own: Bools
    shifts: Mapping[str, float]


def compare_insertion(
    before: Detections,
    after: Detections,
    box: Box | None,
    label: int | None,
    *,
    score: float,
    iou_threshold: float = 0.5,
    hysteresis: float = 0.2,
    known: AnnotatedObjects | None = None,
) -> InsertionComparison:
    """Compare two answers without the detections of the inserted object.

    box: xyxy of the inserted object, None if nothing was inserted. label: its 0-based class id for
    the subject, None for a patch of background. known: what is annotated in the scene.
    A phantom beside the inserted object remains an event.
    """
    events, own = events_beside(
        before, after, box, known, score=score, iou_threshold=iou_threshold, hysteresis=hysteresis
    )
    shifts = box_shifts(before, after, events, score=score, iou=iou_threshold, excluded=own)
    fate, best = _inserted_outcome(after[own], box, label, score)
    return InsertionComparison(events, fate, best, own, shifts)


def _inserted_outcome(
    own: Detections, box: Box | None, label: int | None, score: float
) -> tuple[InsertedOutcome, float]:
    if box is None:
        return InsertedOutcome.MISSED, 0.0
    there = own[iou(own.boxes, box)[:, 0] >= OWN_IOU]
    best = float(there.scores[there.labels == label].max(initial=0.0))
    if best >= score:
        return InsertedOutcome.FOUND, best
    relabelled = float(there.scores.max(initial=0.0)) >= score
    return InsertedOutcome.RELABELLED if relabelled else InsertedOutcome.MISSED, best

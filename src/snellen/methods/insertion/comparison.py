"""The relation: everything but the inserted object must be detected as before."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from snellen.methods.inserted_detections import OWN_IOU, inserted_detections
from snellen.vision.arrays import Bools
from snellen.vision.boxes.box_geometry import iou
from snellen.vision.detections import Detections
from snellen.vision.events import Event, compare_predictions


class InsertedOutcome(StrEnum):
    """How the inserted object itself was detected; counted separately from events."""

    FOUND = "found"
    RELABELLED = "relabelled"
    MISSED = "missed"


@dataclass(frozen=True)
class InsertionComparison:
    """The events of one case, and how the inserted object was detected.

    own: (N,) bool, the detections `after` that belong to the inserted object. score: the best score
    of its label there, 0 for none.
    """

    events: tuple[Event, ...]
    inserted: InsertedOutcome
    score: float
    own: Bools


def compare_insertion(
    before: Detections,
    after: Detections,
    box: tuple[float, float, float, float],
    label: int | None,
    *,
    score: float,
    iou_threshold: float = 0.5,
    hysteresis: float = 0.2,
) -> InsertionComparison:
    """Compare two answers without the detections of the inserted object.

    box: xyxy of the inserted object. label: its 0-based class id for the subject, None for a patch
    of background. Only detections that match no object before better can be its own, so a
    phantom beside it, or one of another label inside it, remains an event.
    """
    own = inserted_detections(before, after, box, label, score)
    kept = np.flatnonzero(~own)
    events = compare_predictions(
        before, after[kept], score=score, iou=iou_threshold, hysteresis=hysteresis
    )
    there = tuple(
        event if event.after is None else replace(event, after=int(kept[event.after]))
        for event in events
    )
    fate, best = _inserted_outcome(after, own, box, label, score)
    return InsertionComparison(there, fate, best, own)


def _inserted_outcome(
    after: Detections,
    own: Bools,
    box: tuple[float, float, float, float],
    label: int | None,
    score: float,
) -> tuple[InsertedOutcome, float]:
    mine = after[own]
    if len(mine):
        there = iou(mine.boxes, np.array([box], dtype=np.float32))[:, 0] >= OWN_IOU
        mine = mine[there]
    of_label = mine.scores[mine.labels == label] if label is not None else np.zeros(0)
    best = float(of_label.max()) if len(of_label) else 0.0
    if best >= score:
        return InsertedOutcome.FOUND, best
    if len(mine) and float(mine.scores.max()) >= score:
        return InsertedOutcome.RELABELLED, best
    return InsertedOutcome.MISSED, best

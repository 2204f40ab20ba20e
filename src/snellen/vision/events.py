"""Events: the ways in which two predictions of one scene differ, each with its margin."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from snellen.vision.detections import Detections
from snellen.vision.detections3d import Detections3D
from snellen.vision.label_vector import LabelVector

HYSTERESIS = 0.2
"""The smallest change of score that makes an event hard."""


class EventKind(StrEnum):
    """The kind of an event: four of objects, three of labels, one of inserted objects."""

    LOST = "lost"
    APPEARED = "appeared"
    RELABELLED = "relabelled"
    MOVED = "moved"
    MISSING = "missing"
    EXTRA = "extra"
    MISMATCH = "mismatch"
    INSERTED_MISSED = "inserted-missed"


class Severity(StrEnum):
    """Hard events count in the headline; borderline events are near the threshold."""

    HARD = "hard"
    BORDERLINE = "borderline"


@dataclass(frozen=True)
class Event:
    """One way in which a relation broke.

    label: 0-based class id, the one before if there is one. before, after: index of the object in
    each prediction, None if there is no such object. margin: by how much, in score (for
    `moved`, in IoU); severity follows from it. iou: of the two boxes or masks, 0 for none.
    score_before, score_after: of the object; if it is missing on that side, of the best candidate
    of its label at its place, 0 for none. box: xyxy pixels, of the unchanged scene if there is an
    object before, else of the case; None for labels. new_label: the label after, for `relabelled`
    and `mismatch`. solid: of a 3D object, x y z length width height yaw in the LiDAR frame. truth:
    what is known of the object, such as `object`, `duplicate`, `mistake`, `second-box` or
    `phantom`; None if unknown.
    """

    kind: EventKind
    label: int
    before: int | None
    after: int | None
    margin: float
    severity: Severity
    iou: float = 0.0
    score_before: float = 0.0
    score_after: float = 0.0
    box: tuple[float, float, float, float] | None = None
    new_label: int | None = None
    solid: tuple[float, ...] | None = None
    truth: str | None = None


def compare_predictions(
    before: Detections | LabelVector | Detections3D,
    after: Detections | LabelVector | Detections3D,
    *,
    score: float,
    iou: float = 0.5,
    hysteresis: float = HYSTERESIS,
    masks: bool = False,
) -> tuple[Event, ...]:
    """The events between two predictions of the same type; () if nothing changed.

    score: the operating threshold; detections below it are not objects, but show how far the score
    of an object fell. See `compare_detections` and `compare_labels` for the rules.

    >>> car = Detections([[0, 0, 10, 10]], [2], [0.9])
    >>> faint = Detections([[0, 0, 10, 10]], [2], [0.45])
    >>> [(event.kind.value, event.margin) for event in compare_predictions(car, faint, score=0.5)]
    [('lost', 0.45)]
    """
    from snellen.vision.label_events import compare_labels
    from snellen.vision.object_events import compare_detections

    if isinstance(before, LabelVector) and isinstance(after, LabelVector):
        return compare_labels(before, after, score=score, hysteresis=hysteresis)
    if isinstance(before, Detections) and isinstance(after, Detections):
        return compare_detections(
            before, after, score=score, iou=iou, hysteresis=hysteresis, masks=masks
        )
    if isinstance(before, Detections3D) and isinstance(after, Detections3D):
        from snellen.vision.solids.solid_events import compare_solid

        return compare_solid(before, after, score=score, iou=iou, hysteresis=hysteresis)
    raise TypeError(
        f"predictions must be of the same type; found {type(before).__name__} "
        f"and {type(after).__name__}"
    )


def compile_comparisons(*, solids: bool = False) -> None:
    """Load or compile the loops of comparisons, so that the first comparison is not slower.

    Takes a second, and several seconds when nothing is cached; best done in parallel with other
    work. solids: also for 3D detections.
    """
    one = Detections(np.array([[0, 0, 2, 2]], np.float32), np.zeros(1, np.int64), np.ones(1))  # type: ignore[arg-type]
    other = Detections(one.boxes + 1, one.labels, one.scores)
    compare_predictions(one, other, score=0.5)
    if solids:
        box = np.array([[9.0, 0, 0, 4, 2, 1, 0]])
        here, there = (
            Detections3D(box + x.boxes[0, 0], x.labels, x.scores, x.boxes) for x in (one, other)
        )
        compare_predictions(here, there, score=0.5)


def graded_margin(margin: float, hard_from: float) -> tuple[float, Severity]:
    """The margin, rounded to drop float32 noise, and its severity.

    >>> graded_margin(float(np.float32(0.7) - np.float32(0.5)), 0.2)
    (0.2, <Severity.HARD: 'hard'>)
    """
    value = float(np.round(margin, 6))
    return value, Severity.HARD if value >= hard_from else Severity.BORDERLINE

"""What is known of the object of an event: a true object, a duplicate, a mistake, a phantom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

import numpy as np

from snellen.vision.arrays import Bools, Ints
from snellen.vision.boxes.box_coverage import MOST, covered_share, merged_boxes
from snellen.vision.boxes.box_geometry import area
from snellen.vision.boxes.box_geometry import iou as box_iou
from snellen.vision.detections import Detections
from snellen.vision.events import Event, EventKind, Severity
from snellen.vision.object_events import objects_of
from snellen.vision.truth.annotated_objects import AnnotatedObjects, ReportedObjects

SAME_PLACE = 0.8
"""The IoU from which on boxes of two labels are two boxes of one object."""


class EventTruth(StrEnum):
    """The object of an event.

    Of one that was lost, relabelled or moved: `object` is a true object; `duplicate` a second box
    on one that is still reported; `mistake` a false positive before; `corrected` a wrong box or
    label that is now right. Of one that appeared: `second-box` is on an object known before;
    `there-all-along` is a true object that was not reported; `phantom` is nothing.
    """

    OBJECT = "object"
    DUPLICATE = "duplicate"
    MISTAKE = "mistake"
    CORRECTED = "corrected"
    SECOND_BOX = "second-box"
    THERE_ALL_ALONG = "there-all-along"
    PHANTOM = "phantom"


HARMLESS = frozenset(EventTruth) - {EventTruth.OBJECT, EventTruth.PHANTOM}
"""Events with these truths are never hard."""


def with_truth(
    events: Sequence[Event],
    before: Detections,
    after: Detections,
    known: AnnotatedObjects | None = None,
    *,
    score: float,
    iou: float = 0.5,
    excluded: Bools | None = None,
) -> tuple[Event, ...]:
    """The events of `compare_detections` with their truth; harmless ones become borderline.

    known: what is annotated; without it, only `duplicate` and `second-box` can be told, from the
    other detections. The truth is None where it can't be told. score, iou: as of the comparison.
    excluded: (M,) detections after that show nothing of the scene, such as an inserted object.

    >>> car = [[0, 0, 10, 10]]
    >>> before, after = Detections(car, [0], [0.9]), Detections(car * 2, [0, 1], [0.9, 0.8])
    >>> from snellen.vision.object_events import compare_detections
    >>> [event] = with_truth(compare_detections(before, after, score=0.5), before, after, score=0.5)
    >>> event.kind.value, event.truth.value, event.severity.value
    ('appeared', 'second-box', 'borderline')
    """
    evidence = _Evidence(tuple(events), before, after, known, score, iou, excluded)
    return tuple(_graded(event, evidence.truth(event)) for event in events)


def _graded(event: Event, truth: EventTruth | None) -> Event:
    severity = Severity.BORDERLINE if truth in HARMLESS else event.severity
    return replace(event, truth=truth, severity=severity)


@dataclass(frozen=True, eq=False)
class _Evidence:
    """Two answers, the events between them, and what is annotated."""

    events: tuple[Event, ...]
    before: Detections
    after: Detections
    known: AnnotatedObjects | None
    score: float
    iou: float
    excluded: Bools | None

    def truth(self, event: Event) -> EventTruth | None:
        """What is known of the event's object, None if nothing."""
        if event.kind == EventKind.APPEARED and event.after is not None:
            return self._appeared(event.after)
        if event.before is None:
            return None
        return self._struck(event, event.before)

    def _appeared(self, j: int) -> EventTruth | None:
        box, label = self.after.boxes[j], int(self.after.labels[j])
        if self.known is None:
            return EventTruth.SECOND_BOX if self._second_box(j) else None
        told = self._annotated_new(self.known, j)
        if told is None and self._second_box(j):
            return EventTruth.SECOND_BOX
        if told is None and self.known.nothing_at(box, label, self.iou):
            return EventTruth.PHANTOM
        return told

    def _annotated_new(self, known: AnnotatedObjects, j: int) -> EventTruth | None:
        """The truth of a new object that shows something annotated; None if it does not."""
        box, label, earlier = self.after.boxes[j], int(self.after.labels[j]), self._earlier
        mine = self._later.taken.get(j)
        if mine is not None:
            return _new(known_before=bool(earlier.found[mine]))
        if len(known.overlapping(box, self.iou, label)):
            return EventTruth.SECOND_BOX
        if len(others := known.overlapping(box, self.iou)):
            return _new(known_before=bool(earlier.covered[others].any()))
        if len(pieces := known.pieces(box, label)):
            return _new(known_before=bool(earlier.found[pieces].all()))
        return EventTruth.THERE_ALL_ALONG if known.in_crowd(box, label) else None

    def _second_box(self, j: int) -> bool:
        """Whether a new object is on others that were known before: by IoU, as part or merged."""
        box, new = self.after.boxes[j], np.zeros(len(self.after), dtype=bool)
        for event in self.events:
            if event.kind == EventKind.APPEARED and event.after is not None:
                new[event.after] = True
        anchors = self._new_objects[~new[self._new_objects]]
        if (box_iou(self.after.boxes[anchors], box) >= self.iou).any():
            return True
        alike = self.after.boxes[anchors[self.after.labels[anchors] == self.after.labels[j]]]
        return covered_share(box, alike) >= MOST or bool(merged_boxes(box, alike).any())

    def _struck(self, event: Event, i: int) -> EventTruth | None:
        box, label = self.before.boxes[i], int(self.before.labels[i])
        told = None if self.known is None else self._annotated_old(self.known, event, i)
        if told is None and self._duplicate(i):
            return EventTruth.DUPLICATE
        if told is None and self.known is not None and self.known.nothing_at(box, label, self.iou):
            return EventTruth.MISTAKE
        return told

    def _annotated_old(self, known: AnnotatedObjects, event: Event, i: int) -> EventTruth | None:
        """The truth of an object before that showed something annotated; None if it did not."""
        box, label, later = self.before.boxes[i], int(self.before.labels[i]), self._later
        mine, now = self._earlier.taken.get(i), later.taken.get(_index(event.after))
        if mine is not None:
            return _old(still_found=bool(later.found[mine]) and now != mine)
        if len(known.overlapping(box, self.iou, label)):
            return EventTruth.DUPLICATE
        if now is not None:
            return EventTruth.CORRECTED
        if len(others := known.overlapping(box, self.iou)):
            if event.kind == EventKind.RELABELLED:
                return EventTruth.MISTAKE
            return _old(still_found=bool(later.covered[others].any()))
        pieces = known.pieces(box, label)
        return EventTruth.DUPLICATE if len(pieces) and later.found[pieces].all() else None

    def _duplicate(self, i: int) -> bool:
        """Whether a better detection before shows the same object and still stands."""
        struck = [event.before for event in self.events if event.before is not None]
        rest = self._old_objects[~np.isin(self._old_objects, struck)]
        better = rest[self.before.scores[rest] >= self.before.scores[i]]
        same = self.before.labels[better] == self.before.labels[i]
        ious = box_iou(self.before.boxes[better], self.before.boxes[[i]])[:, 0]
        return bool((ious >= np.where(same, self.iou, SAME_PLACE)).any())

    @cached_property
    def _old_objects(self) -> Ints:
        return objects_of(self.before, self.score, area(self.before.boxes))

    @cached_property
    def _new_objects(self) -> Ints:
        found = objects_of(self.after, self.score, area(self.after.boxes))
        return found if self.excluded is None else found[~self.excluded[found]]

    @cached_property
    def _earlier(self) -> ReportedObjects:
        assert self.known is not None
        return ReportedObjects(self.before, self._old_objects, self.known, self.iou)

    @cached_property
    def _later(self) -> ReportedObjects:
        assert self.known is not None
        return ReportedObjects(self.after, self._new_objects, self.known, self.iou)


def _index(place: int | None) -> int:
    return -1 if place is None else place


def _new(*, known_before: bool) -> EventTruth:
    return EventTruth.SECOND_BOX if known_before else EventTruth.THERE_ALL_ALONG


def _old(*, still_found: bool) -> EventTruth:
    return EventTruth.DUPLICATE if still_found else EventTruth.OBJECT

"""The relation: existing objects are detected as before, and inserted ones are detected."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from snellen.changes.insert3d.null3d import Null3D
from snellen.contract.asked import Asked
from snellen.contract.questions import Answer
from snellen.contract.verdict import CHECK, CONTROL, Case, status_of
from snellen.methods.fusion.fitness import fitness
from snellen.methods.fusion.frame_truth import UNKNOWN, FrameTruth
from snellen.methods.fusion.object_visibility import ObjectVisibility
from snellen.methods.fusion.options import FusionOptions, Sensors
from snellen.methods.fusion.prepared_frame import MeshInsertion, boxes_of
from snellen.vision.arrays import Bools
from snellen.vision.detections3d import Detections3D
from snellen.vision.events import Event, EventKind, Severity
from snellen.vision.object_events import TOUCHING
from snellen.vision.solids.coordinate_frames import CoordinateFrames
from snellen.vision.solids.insertions import InsertedSolids, missed_insertion
from snellen.vision.solids.overlap3d import overlap3d
from snellen.vision.solids.projected_boxes import image_boxes
from snellen.vision.solids.solid_events import compare_solid, same_in_space


@dataclass(frozen=True, eq=False)
class FusionRelation:
    """Judges the cases of one frame against the subject's answer about the original frame.

    size: (height, width) of the image in pixels.
    """

    options: FusionOptions
    score: float
    before: Detections3D
    truth: FrameTruth
    frames: CoordinateFrames
    size: tuple[int, int]

    @cached_property
    def fitness_before(self) -> float:
        """The fitness of the original frame."""
        return self.fitness(self.before, (), {})

    def fitness(
        self,
        found: Detections3D,
        placed: Sequence[MeshInsertion],
        measurements: Mapping[str, float],
    ) -> float:
        """How badly a subject did (Eq. 9): missed, false and displaced objects, by distance."""
        visible = self.visibility(placed, measurements)
        there = ~visible.gone & (self.truth.labels != UNKNOWN)
        asked = [one for k, one in enumerate(placed) if visible.demanded(k)]
        boxes = np.concatenate([self.truth.boxes[there], boxes_of(asked)])
        unasked = [one for k, one in enumerate(placed) if not visible.demanded(k)]
        ignored = np.concatenate([self.truth.boxes[~there], boxes_of(unasked)])
        return fitness(
            found.above(self.score),
            boxes,
            ignored=ignored,
            regions=self.truth.regions,
            labels=np.array([*self.truth.labels[there], *(one.label for one in asked)]),
            weights=self.options.weights,
            reach=self.options.reach,
        )

    def case(self, asked: Asked, placed: Sequence[MeshInsertion]) -> Case:
        """The judged insertion, control or check; placed: what the recipe inserts or is a null of.

        Insertions of a check need not be detected; what is detected in place of a null's is a
        phantom. The distance of the last inserted object, in metres, is a measurement.
        """
        after = detections3d_in(asked.after)
        measured = {**asked.facts, **asked.after.measurements}
        if isinstance(asked.recipe, Null3D):
            events = self._unchanged(after, placed, measured, there=False)
        elif asked.role.startswith((CONTROL, CHECK)):
            events = self._unchanged(after, placed, measured)
        else:
            if placed:
                measured["distance"] = round(math.hypot(*placed[-1].box[:2]), 3)
            events = self.events(after, placed, measured)
        status = status_of(events)
        return Case(
            asked.recipe, asked.role, status, after, self.before, events, measured, asked.parent
        )

    def events(
        self, after: Detections3D, placed: Sequence[MeshInsertion], measured: Mapping[str, float]
    ) -> tuple[Event, ...]:
        """The events: first of existing objects, then of inserted ones."""
        missed = self._missed(after, placed, measured)
        return (*self._unchanged(after, placed, measured), *missed)

    def misses(self, after: Detections3D, one: MeshInsertion, *, in_image: bool = False) -> bool:
        """Whether an inserted object is not detected in 3D, or in the image."""
        events = self._missing(after, [one])
        hard = [event for event in events if event.severity == Severity.HARD]
        return any((event.solid is None) == in_image for event in hard)

    def visibility(
        self, placed: Sequence[MeshInsertion], measured: Mapping[str, float]
    ) -> ObjectVisibility:
        """What a case leaves visible."""
        return ObjectVisibility(self.options, self.truth, self.before, placed, measured)

    def _unchanged(
        self,
        after: Detections3D,
        placed: Sequence[MeshInsertion],
        measured: Mapping[str, float],
        *,
        there: bool = True,
    ) -> tuple[Event, ...]:
        """The events of existing objects; there: whether the insertions may be detected."""
        excused = self.visibility(placed, measured).excused
        if not there:
            taken = overlap3d(self.before.boxes, boxes_of(placed)).max(axis=1, initial=0.0)
            excused |= taken >= TOUCHING
        events = compare_solid(
            self.before,
            after,
            score=self.score,
            iou=self.options.iou,
            image_iou=self.options.image_iou if min(self.size) > 0 else None,
            hysteresis=self.options.hysteresis,
            excused=excused,
            inserted=self._inserted(placed if there else ()),
            ignored=self.truth.regions,
        )
        return tuple(event for event in events if not self._right(event, after))

    def _missed(
        self, after: Detections3D, placed: Sequence[MeshInsertion], measured: Mapping[str, float]
    ) -> tuple[Event, ...]:
        if self.options.sensors != Sensors.BOTH:
            return ()
        visible = self.visibility(placed, measured)
        return self._missing(after, [one for k, one in enumerate(placed) if visible.demanded(k)])

    def _missing(self, after: Detections3D, asked: Sequence[MeshInsertion]) -> tuple[Event, ...]:
        """The events of inserted objects that are not detected."""
        return missed_insertion(
            after,
            self._inserted(asked),
            score=self.score,
            iou=self.options.iou,
            image_iou=self.options.image_iou if min(self.size) > 0 else None,
            hysteresis=self.options.hysteresis,
            taken=self._old(after),
        )

    def _old(self, after: Detections3D) -> Bools:
        """(M,) detections after that match existing objects, so not inserted ones."""
        flags = np.zeros(len(after), dtype=np.bool_)
        pairs = same_in_space(self.before, after, score=self.score, iou=self.options.iou)
        flags[[new for _, new in pairs]] = True
        return flags

    def _inserted(self, placed: Sequence[MeshInsertion]) -> InsertedSolids:
        boxes = boxes_of(placed)
        labels = np.array([one.label for one in placed], dtype=np.int64)
        return InsertedSolids(boxes, labels, image_boxes(boxes, self.frames, self.size))

    def _right(self, event: Event, after: Detections3D) -> bool:
        """Whether what appeared is a labelled object that was missed before: not an error."""
        if event.kind != EventKind.APPEARED or event.after is None or not len(self.truth.boxes):
            return False
        [share] = overlap3d(after.boxes[[event.after]], self.truth.boxes)
        return bool(share.max() >= self.options.iou)


def detections3d_in(answer: Answer) -> Detections3D:
    """The 3D detections of an answer."""
    assert isinstance(answer.prediction, Detections3D)
    return answer.prediction

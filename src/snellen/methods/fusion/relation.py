"""The relation: existing objects are detected as before, and inserted ones are detected."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from snellen.contract.asked import Asked
from snellen.contract.questions import Answer
from snellen.contract.verdict import CONTROL, Case, status_of
from snellen.methods.fusion.fitness import fitness
from snellen.methods.fusion.frame_truth import UNKNOWN, FrameTruth, remaining_visibility
from snellen.methods.fusion.options import FusionOptions, Sensors
from snellen.methods.fusion.prepared_frame import MeshInsertion, boxes_of
from snellen.vision.arrays import Bools
from snellen.vision.detections3d import Detections3D
from snellen.vision.events import Event, EventKind
from snellen.vision.solids.bearing_occlusion import hidden_shares
from snellen.vision.solids.coordinate_frames import CoordinateFrames
from snellen.vision.solids.insertions import InsertedSolids, missed_insertion
from snellen.vision.solids.overlap3d import overlap3d
from snellen.vision.solids.projected_boxes import image_boxes
from snellen.vision.solids.solid_events import compare_solid, same_in_space

LABELLED = 0.1
"""3D IoU threshold at which a detection is matched to a labelled object."""
FEWEST = 5
"""LiDAR returns below which an existing object need not be detected."""


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
        there = ~self._gone(measurements) & (self.truth.labels != UNKNOWN)
        asked = [one for k, one in enumerate(placed) if self._demanded(k, measurements)]
        boxes = np.concatenate([self.truth.boxes[there], boxes_of(asked)])
        unasked = [one for k, one in enumerate(placed) if not self._demanded(k, measurements)]
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
        """The judged insertion or control; placed: what the recipe inserts.

        Insertions of a control need not be detected. The distance of the last inserted object, in
        metres, is a measurement.
        """
        after, measured = detections3d_in(asked.after), dict(asked.after.measurements)
        if asked.role.startswith(CONTROL):
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

    def _unchanged(
        self, after: Detections3D, placed: Sequence[MeshInsertion], measured: Mapping[str, float]
    ) -> tuple[Event, ...]:
        events = compare_solid(
            self.before,
            after,
            score=self.score,
            iou=self.options.iou,
            image_iou=self.options.image_iou if min(self.size) > 0 else None,
            hysteresis=self.options.hysteresis,
            excused=self._excused(placed, measured),
            inserted=self._inserted(placed),
            ignored=self.truth.regions,
        )
        return tuple(event for event in events if not self._right(event, after))

    def _missed(
        self, after: Detections3D, placed: Sequence[MeshInsertion], measured: Mapping[str, float]
    ) -> tuple[Event, ...]:
        if self.options.sensors != Sensors.BOTH:
            return ()
        asked = [one for k, one in enumerate(placed) if self._demanded(k, measured)]
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

    def _demanded(self, place: int, measured: Mapping[str, float]) -> bool:
        """Whether enough of an inserted object is visible that it must be detected."""
        left = remaining_visibility(measured, self.truth.count + place)
        return left.points >= self.options.demanded_points and (
            left.image >= self.options.demanded_share
        )

    def _gone(self, measured: Mapping[str, float]) -> Bools:
        """(K,) labelled objects of which too little remains visible."""
        least = 1.0 - self.options.hidden
        lefts = [remaining_visibility(measured, int(place)) for place in self.truth.places]
        return np.array(
            [left.points < FEWEST or min(left.lidar, left.image) <= least for left in lefts],
            dtype=np.bool_,
        )

    def _excused(self, placed: Sequence[MeshInsertion], measured: Mapping[str, float]) -> Bools:
        """(N,) detections before that may change: their object is now hidden or behind another.

        The case measures the visibility of labelled objects. An unlabelled one is excused where an
        insertion covers more than half of it.
        """
        match = overlap3d(self.before.boxes, self.truth.boxes)
        labelled = match.max(axis=1, initial=0.0) >= LABELLED
        behind = hidden_shares(self.before.boxes, boxes_of(placed)).max(axis=1, initial=0.0) > 0.5
        excused = np.asarray(~labelled & behind)
        if labelled.any():
            thing = match.argmax(axis=1)
            excused[labelled] = self._gone(measured)[thing[labelled]]
        return excused

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

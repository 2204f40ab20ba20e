"""What annotations say about the place of a detection."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from snellen.vision.annotations import Annotations
from snellen.vision.arrays import Bools, Ints
from snellen.vision.boxes.box_coverage import MOST, covered_share, merged_boxes
from snellen.vision.boxes.box_geometry import iou as box_iou
from snellen.vision.boxes.box_geometry import overlap
from snellen.vision.boxes.matching import match
from snellen.vision.detections import Detections

NEAR = 0.1
"""The IoU with an annotation of its label from which on a box is not called a mistake."""


@dataclass(frozen=True, eq=False)
class AnnotatedObjects:
    """What is known to be in an image.

    annotations: with the subject's labels. annotated: (C,) bool, for each class of the subject,
    whether the data set annotates it.
    """

    annotations: Annotations
    annotated: Bools

    @cached_property
    def counted(self) -> Bools:
        """(M,) the annotations that must be found: neither crowds nor ignored."""
        return np.asarray(~(self.annotations.crowd | self.annotations.ignore))

    def overlapping(self, box: npt.ArrayLike, iou: float, label: int | None = None) -> Ints:
        """Indices of the counted objects with at least this IoU, best first; label: only of it."""
        ious = box_iou(self.annotations.boxes, box)[:, 0]
        fits = self._of(label) & (ious >= iou)
        order = np.argsort(-ious, kind="stable")
        return order[fits[order]]

    def pieces(self, box: npt.ArrayLike, label: int) -> Ints:
        """Indices of the counted objects of a label that a box shows a part of, or merges."""
        own: Ints = np.flatnonzero(self._of(label))
        boxes = self.annotations.boxes[own]
        if covered_share(box, boxes) >= MOST:
            return np.asarray(own[overlap(box, boxes)[0] > 0])
        return np.asarray(own[merged_boxes(box, boxes)])

    def in_crowd(self, box: npt.ArrayLike, label: int) -> bool:
        """Whether most of a box lies in a crowd of its label."""
        crowd = self.annotations.crowd & (self.annotations.labels == label)
        return covered_share(box, self.annotations.boxes[crowd]) >= MOST

    def nothing_at(self, box: npt.ArrayLike, label: int, iou: float) -> bool:
        """Whether nothing is annotated that a box of this label could show.

        False too where that is unknown: if the data set does not annotate the label, or most of the
        box lies in a crowd or an ignored object.
        """
        if not self.annotated[label] or len(self.overlapping(box, iou)):
            return False
        unknown = self.annotations.boxes[~self.counted]
        return (
            covered_share(box, unknown) < MOST
            and not len(self.overlapping(box, NEAR, label))
            and not len(self.pieces(box, label))
        )

    def _of(self, label: int | None) -> Bools:
        return self.counted if label is None else self.counted & (self.annotations.labels == label)


class ReportedObjects:
    """Which annotated objects one answer reports.

    taken: the annotation that each detection reports, by its index, one to one. found: (M,) whether
    each annotation is reported with its label. covered: (M,) whether there is a detection of any
    label in its place.
    """

    def __init__(
        self, detections: Detections, objects: Ints, known: AnnotatedObjects, iou: float
    ) -> None:
        """objects: the indices of the detections that count."""
        chosen = detections[objects]
        found = match(chosen, known.annotations, iou=iou)
        self.taken = {int(objects[i]): t for i, t in found.pairs if known.counted[t]}
        self.found: Bools = np.isin(np.arange(len(known.annotations)), [*self.taken.values()])
        ious = box_iou(chosen.boxes, known.annotations.boxes)
        self.covered: Bools = np.asarray((ious >= iou).any(axis=0))

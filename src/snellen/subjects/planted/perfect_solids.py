"""A fusion subject that is always right: it reads the labels of a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from snellen.errors import UserError
from snellen.scenes.frame import Frame, LabelledObject
from snellen.scenes.kitti.lidar_boxes import lidar_boxes
from snellen.scenes.kitti.reader import TYPES
from snellen.subjects.subject import ShownSubject, Task
from snellen.vision.arrays import Bools
from snellen.vision.detections3d import Detections3D

VERSION = "1"  # Increment it whenever the same frame gives a different answer.


class TrueDetections(NamedTuple):
    """The correct detections of a frame, and which of them were inserted, shape (N,)."""

    detections: Detections3D
    inserted: Bools


@dataclass(repr=False)
class PerfectSolids(ShownSubject):
    """Reports each sufficiently visible object with a 3D box exactly, all with the same score.

    classes: types of KITTI's labels; others are not reported. points, share: minimum number of
    returns and minimum visible share of its pixels for an object to be reported.
    """

    classes: tuple[str, ...] = TYPES
    score: float = 0.5
    confidence: float = 0.9
    points: int = 5
    share: float = 0.1
    batch: int = 8
    name: str = "perfect in 3D"
    task: Task = Task.DETECTION_3D
    deterministic: bool = True
    tolerance: float = 0.0

    fingerprint: str = field(init=False)

    def __post_init__(self) -> None:
        parameters = (self.classes, self.confidence, self.points, self.share)
        self.fingerprint = f"perfect-3d-{VERSION}-{parameters!r}"

    def predict(self, images: Sequence[Frame]) -> Sequence[Detections3D]:
        """The correct detections of each frame."""
        return [self.true_detections(frame).detections for frame in images]

    def true_detections(self, frame: Frame) -> TrueDetections:
        """The correct detections of one frame, and which of them were inserted."""
        visible = [one for one in _labelled_objects(frame) if self._sees(one)]
        rows = [one.row for one in visible]
        shown = np.array([row.box for row in rows]).reshape(-1, 4) * (frame.image is not None)
        detections = Detections3D(
            lidar_boxes(rows, frame.frames),
            np.array([self.classes.index(row.type) for row in rows], dtype=np.int64),
            np.full(len(rows), self.confidence, dtype=np.float32),
            shown.astype(np.float32),
        )
        return TrueDetections(
            detections, np.array([one.inserted is not None for one in visible], dtype=bool)
        )

    def _sees(self, one: LabelledObject) -> bool:
        return (
            one.row.solid
            and one.row.type in self.classes
            and one.points >= self.points
            and one.image_visible >= self.share
        )

    def close(self) -> None:
        """Nothing to release."""


def _labelled_objects(frame: Frame) -> tuple[LabelledObject, ...]:
    if frame.truth is None:
        raise UserError(
            "subject.kind: found a frame without labels, but 'planted-3d' reads the labels. "
            "Use scenes of kind kitti with labels: required."
        )
    return frame.truth

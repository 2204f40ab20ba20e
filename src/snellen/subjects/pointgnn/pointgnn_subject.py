"""Point-GNN as a subject: camera+LiDAR frames in, cars out. It uses only the image's size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.scenes.frame import Frame
from snellen.subjects.pointgnn.box_codes import as_camera_boxes
from snellen.subjects.pointgnn.camera_view import points_in_view, shares_outside
from snellen.subjects.pointgnn.graph_network import PointGnnNetwork
from snellen.subjects.pointgnn.vote_merge import car_votes, merge_votes, scores_of
from snellen.subjects.subject import ShownSubject, Task
from snellen.vision.detections3d import Detections3D
from snellen.vision.solids.boxes3d import boxes_from_camera
from snellen.vision.solids.projected_boxes import image_boxes


@dataclass(frozen=True)
class VoteSettings:
    """How votes become detections.

    overlap: IoU above which two votes are merged. outside: cars with more than this share outside
    the image are left out. size: height and width of the image in pixels, for frames without one.
    floor: the lowest score kept.
    """

    overlap: float
    outside: float
    size: tuple[int, int]
    floor: float


class PointGnnSubject(ShownSubject):
    """Point-GNN as a subject; see `Subject`. Frames are processed one by one."""

    def __init__(
        self,
        network: PointGnnNetwork,
        settings: VoteSettings,
        *,
        name: str,
        score: float,
        fingerprint: str,
    ) -> None:
        self._network, self._settings = network, settings
        self.name, self.score, self.fingerprint = name, score, fingerprint
        self.task = Task.DETECTION_3D
        self.classes: tuple[str, ...] = ("Car",)
        self.batch, self.deterministic, self.tolerance = 1, True, 0.0

    def predict(self, images: Sequence[Frame]) -> list[Detections3D]:
        """The cars in each frame, best first."""
        return [self._cars(frame) for frame in images]

    def close(self) -> None:
        """Nothing to release."""

    def _cars(self, frame: Frame) -> Detections3D:
        settings, frames = self._settings, frame.frames
        size = settings.size if frame.image is None else frame.size
        points, intensity = points_in_view(frame.points, frames, size)
        if not len(points):
            return Detections3D.empty()
        votes = car_votes(self._network.votes(points, intensity))
        found, weights = merge_votes(votes, settings.overlap)
        boxes = boxes_from_camera(as_camera_boxes(found), frames)
        seen = shares_outside(boxes, frames, size) <= settings.outside
        boxes, scores = boxes[seen], scores_of(weights[seen]).astype(np.float32)
        labels = np.zeros(len(boxes), dtype=np.int64)
        flat = image_boxes(boxes, frames, frame.size)
        return Detections3D(boxes, labels, scores, flat).above(settings.floor).ranked()

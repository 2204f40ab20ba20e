"""Small camera+LiDAR frames whose content is known, for tests of fusion subjects."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from snellen.scenes.frame import Frame, Known
from snellen.scenes.kitti_boxes import with_lidar_boxes
from snellen.scenes.kitti_calibration import Calibration
from snellen.scenes.kitti_labels import LabelRow
from snellen.vision.projected_boxes import image_boxes

SIZE = (370, 1224)
CAR = (4.0, 1.7, 1.5)


def calibration() -> Calibration:
    """A camera at the LiDAR's place that looks ahead."""
    lens = np.array([[720.0, 0, 610, 0], [0, 720.0, 175, 0], [0, 0, 1, 0]])
    ahead = np.array([[0.0, -1, 0, 0], [0, 0, -1, 0], [1, 0, 0, 0]])
    level = np.eye(3, 4)
    return Calibration(lens, lens, lens, lens, np.eye(3), ahead, level)


def car(x: float, y: float, yaw: float = 0.0, size: Sequence[float] = CAR) -> list[float]:
    """A box that stands on the ground 1.73 m below the LiDAR."""
    length, width, height = size
    return [x, y, -1.73 + height / 2, length, width, height, yaw]


def known(
    box: Sequence[float],
    kind: str = "Car",
    points: int = 100,
    image_visible: float = 1.0,
    inserted: int | None = None,
) -> Known:
    frames = calibration().frames()
    boxes = np.array([box], dtype=np.float64)
    corners = image_boxes(boxes, frames, SIZE)[0].tolist()
    row = LabelRow(kind, 0.0, 0, 0.0, (corners[0], corners[1], corners[2], corners[3]))
    [row] = with_lidar_boxes([row], boxes, frames)
    return Known(row, points, 1.0, image_visible, inserted)


def frame(
    things: Sequence[Known] | None, points: np.ndarray | None = None, *, image: bool = True
) -> Frame:
    cloud = np.zeros((1, 4), np.float32) if points is None else points.astype(np.float32)
    pixels = np.zeros((*SIZE, 3), np.uint8) if image else None
    return Frame(pixels, cloud, calibration(), None if things is None else tuple(things))

"""Small camera+LiDAR frames with known content, for tests of fusion subjects."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from snellen.scenes.frame import Frame, LabelledObject
from snellen.scenes.kitti.calibration_file import Calibration
from snellen.scenes.kitti.label_file import LabelRow
from snellen.scenes.kitti.lidar_boxes import with_lidar_boxes
from snellen.vision.solids.projected_boxes import image_boxes

SIZE = (370, 1224)
CAR = (4.0, 1.7, 1.5)


def calibration() -> Calibration:
    """A camera at the LiDAR's position that looks forward."""
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
) -> LabelledObject:
    frames = calibration().frames()
    boxes = np.array([box], dtype=np.float64)
    corners = image_boxes(boxes, frames, SIZE)[0].tolist()
    row = LabelRow(kind, 0.0, 0, 0.0, (corners[0], corners[1], corners[2], corners[3]))
    [row] = with_lidar_boxes([row], boxes, frames)
    return LabelledObject(row, points, 1.0, image_visible, inserted)


def frame(
    things: Sequence[LabelledObject] | None, points: np.ndarray | None = None, *, image: bool = True
) -> Frame:
    cloud = np.zeros((1, 4), np.float32) if points is None else points.astype(np.float32)
    pixels = np.zeros((*SIZE, 3), np.uint8) if image else None
    return Frame(pixels, cloud, calibration(), None if things is None else tuple(things))


def cloud(boxes: Sequence[Sequence[float]], step: float = 0.2, far: float = 80.0) -> np.ndarray:
    """(N, 4) the returns of a 64-beam LiDAR from a plane 1.73 m below it and from boxes on it."""
    rays = _rays(step)
    range_ = np.where(rays[:, 2] < 0, -1.73 / np.minimum(rays[:, 2], -1e-9), np.inf)
    for box in boxes:
        range_ = np.minimum(range_, _hits(rays, np.array(box, dtype=np.float64)))
    met = range_ < far
    return np.column_stack([rays[met] * range_[met, None], np.full(met.sum(), 0.3)])


def _rays(step: float) -> np.ndarray:
    elevation, azimuth = np.meshgrid(
        np.radians(np.linspace(-24.8, 2.0, 64)),
        np.radians(np.arange(-45, 45, step)),
        indexing="ij",
    )
    flat = np.cos(elevation)
    rays = [flat * np.cos(azimuth), flat * np.sin(azimuth), np.sin(elevation)]
    return np.stack(rays, axis=-1).reshape(-1, 3)


def _hits(rays: np.ndarray, box: np.ndarray) -> np.ndarray:
    """(N,) metres along each ray to a box, inf without a hit."""
    cos, sin = np.cos(box[6]), np.sin(box[6])
    turn = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]])
    directions, origin = rays @ turn.T, turn @ -box[:3]
    with np.errstate(divide="ignore"):
        ends = (np.array([-1, 1])[:, None, None] * box[3:6] / 2 - origin) / directions
    enter, leave = ends.min(axis=0).max(axis=1), ends.max(axis=0).min(axis=1)
    return np.where((enter <= leave) & (enter > 0), enter, np.inf)

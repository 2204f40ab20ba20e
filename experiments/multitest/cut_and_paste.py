"""Cut and paste: a real car's points and pixels, put into another frame as they are.

The published baseline: nothing is rendered anew. The points are moved and turned to the pose that
is asked for; the pixels cannot be turned, and are not scaled.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from experiments.multitest.frame_objects import Points, Thing, labelled_cars, measured
from snellen.changes.insert3d.modality_consistency import Box
from snellen.changes.insert3d.seed_frame import SeedFrame, seed_frame
from snellen.scenes.kitti.lidar_boxes import lidar_boxes
from snellen.scenes.scene import Scene
from snellen.vision.solids.coordinate_frames import LidarPoints

Floats = npt.NDArray[np.float64]
Pose = tuple[float, float, float, float]

WHOLE = 0.15
"""A car with more than this share outside of the image is not cut out."""


@dataclass(frozen=True, eq=False)
class CutCar:
    """A car cut from a frame.

    scene: the frame's id. points: (A, 4), x y z from the middle of its bottom face, turned to yaw
    0, and intensity. pixels: (h, w, 3); shape: (h, w) which of them are the car's, as far as its
    label and its 3D box tell. size: length, width, height in metres.
    """

    scene: str
    points: Points
    pixels: npt.NDArray[np.uint8]
    shape: npt.NDArray[np.bool_]
    size: tuple[float, float, float]


def cut_cars(scene: Scene) -> list[CutCar]:
    """The cars of a scene that can be cut out: whole, and hidden by nothing."""
    seed = seed_frame(scene)
    assert seed.image is not None
    rows = list(seed.rows or ())
    cars = []
    for row, own in labelled_cars(seed):
        if row.occluded > 0 or row.truncated > WHOLE:
            continue
        [box] = lidar_boxes([row], seed.frames)
        region = seed.own_regions[rows.index(row)]
        points = seed.points[own].copy()
        points[:, :3] = _turned(points[:, :3] - _foot(box), -box[6])
        pixels = seed.image[region.rows, region.columns]
        cars.append(CutCar(scene.id, points, pixels, region.shape, tuple(box[3:6].tolist())))
    return cars


def pasted(scene: Scene, car: CutCar, pose: Pose) -> Thing:
    """The car in another scene. pose: x, y, z of the ground and yaw in the LiDAR frame.

    No background point is removed, and the crop lies over whatever the image shows.
    """
    seed = seed_frame(scene)
    returns = car.points.copy()
    returns[:, :3] = _turned(returns[:, :3], pose[3]) + np.array(pose[:3])
    image, box = _pasted_pixels(seed, car, pose)
    points = np.concatenate([seed.points, returns])
    return measured(image, points, box, returns, seed.frames)


def _pasted_pixels(
    seed: SeedFrame, car: CutCar, pose: Pose
) -> tuple[npt.NDArray[np.uint8], Box | None]:
    """The image with the crop's lower edge where the pose meets the ground, and its box there."""
    assert seed.image is not None
    image = seed.image.copy()
    [[u, v, depth]] = seed.frames.lidar_to_image(LidarPoints(np.array([pose[:3]])))
    height, width = car.shape.shape
    left, top = round(u - width / 2), round(v - height)
    x1, x2 = np.clip([left, left + width], 0, image.shape[1]).tolist()
    y1, y2 = np.clip([top, top + height], 0, image.shape[0]).tolist()
    if depth <= 0 or x1 >= x2 or y1 >= y2:
        return image, None
    window = slice(y1 - top, y2 - top), slice(x1 - left, x2 - left)
    shape = car.shape[window]
    image[y1:y2, x1:x2][shape] = car.pixels[window][shape]
    return image, (float(x1), float(y1), float(x2), float(y2))


def _foot(box: Floats) -> Floats:
    return np.array([box[0], box[1], box[2] - box[5] / 2])


def _turned(places: npt.NDArray[np.floating], yaw: float) -> Floats:
    """Places (N, 3) turned about z, counter-clockwise."""
    cos, sin = np.cos(yaw), np.sin(yaw)
    turn = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
    return np.asarray(places @ turn.T, dtype=np.float64)

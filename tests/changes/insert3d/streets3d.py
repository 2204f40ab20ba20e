"""Frames for tests of insertion in 3D: from KITTI, and a ray-traced plane with cars."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from snellen.changes.recipe import Materials
from snellen.objects.meshes.mesh_set import ParametricMeshes
from snellen.scenes.kitti.calibration_file import Calibration
from snellen.scenes.kitti.label_file import LabelRow
from snellen.scenes.kitti.lidar_boxes import with_lidar_boxes
from snellen.scenes.kitti.reader import KittiOptions, read_kitti
from snellen.scenes.scene import PictureArray, Scene
from snellen.scenes.sweep import SweepArrays
from snellen.vision.arrays import F32
from snellen.vision.lidar.presets import preset
from snellen.vision.lidar.ray_hits import hits
from snellen.vision.lidar.scan import scan_of
from snellen.vision.solids.boxes3d import corners
from snellen.vision.solids.coordinate_frames import LidarPoints

SIZE = (370, 1224)
GROUND = -1.73
MATERIALS: Materials = {"meshes": ParametricMeshes()}


def kitti(shared: Callable[[str], Path], frame: str) -> Scene:
    """One of KITTI's frames."""
    root = shared("kitti")
    scenes = read_kitti(KittiOptions(root=root), Path("/"), False)
    return next(scene for scene in scenes if scene.id == frame)


def calibration() -> Calibration:
    """A camera at the position of the LiDAR that looks ahead."""
    lens = np.array([[720.0, 0, 610, 0], [0, 720.0, 175, 0], [0, 0, 1, 0]])
    ahead = np.array([[0.0, -1, 0, 0], [0, 0, -1, 0], [1, 0, 0, 0]])
    return Calibration(lens, lens, lens, lens, np.eye(3), ahead, np.eye(3, 4))


def street(boxes: Sequence[tuple[float, ...]] = ()) -> Scene:
    """A plane that an HDL-64E sees, with boxes (x y z length width height yaw) labelled Car."""
    cloud, rows = _cloud(boxes), _rows(boxes)
    noise = np.random.default_rng(7).integers(90, 120, (*SIZE, 3), dtype=np.uint8)
    noise[: SIZE[0] // 2] += 90
    sweep = SweepArrays(cloud, calibration(), rows)
    return Scene(f"street {boxes}", PictureArray(noise), SIZE, sweep=sweep)


def car(x: float, y: float, yaw: float = 0.0) -> tuple[float, ...]:
    """A box of the size of a car on the ground of the street."""
    return (x, y, GROUND + 0.75, 4.0, 1.7, 1.5, yaw)


def _cloud(boxes: Sequence[tuple[float, ...]]) -> F32:
    beams = preset("HDL-64E")
    empty = scan_of(np.zeros((0, 4), np.float32), np.zeros(0, np.int32), beams)
    slope = np.minimum(empty.directions[:, 2], -1e-9)
    away = np.where(slope < -1e-3, (GROUND - beams.heights[empty.rings]) / slope, np.inf)
    for box in boxes:
        vertices = corners(np.array([box]))[0]
        found = hits(empty, vertices, _FACES)
        away[found.rays] = np.minimum(away[found.rays], found.distances)
    near = away < 80
    places = empty.directions[near] * away[near][:, None]
    places[:, 2] += beams.heights[empty.rings[near]]
    return np.column_stack([places, np.full(len(places), 0.3)]).astype(np.float32)


_QUADS = [(3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
_FACES = np.array([f for a, b, c, d in _QUADS for f in ((a, b, c), (a, c, d))], dtype=np.int32)


def _rows(boxes: Sequence[tuple[float, ...]]) -> tuple[LabelRow, ...]:
    frames, rows = calibration().frames(), []
    for box in boxes:
        u, v, _ = frames.lidar_to_image(LidarPoints(corners(np.array([box]))[0])).T
        flat = (float(u.min()), float(v.min()), float(u.max()), float(v.max()))
        [row] = with_lidar_boxes([LabelRow("Car", 0.0, 0, 0.0, flat)], np.array([box]), frames)
        rows.append(row)
    return tuple(rows)

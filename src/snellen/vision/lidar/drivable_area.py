"""The drivable area: level, free ground that is connected to the ground ahead."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from snellen.vision.arrays import F32, F64, Bools, Bytes, Floating, Ints
from snellen.vision.compilation import read_only
from snellen.vision.lidar.ground_surface import CELL as SURFACE_CELL
from snellen.vision.lidar.ground_surface import GroundSurface
from snellen.vision.solids.coordinate_frames import CoordinateFrames, LidarPoints

CELL = 0.25
BINS = 256
COLUMNS = 720
OBSTACLE = 0.2
CLEARANCE = 2.0
KERB, KERB_BASE = 0.05, 0.4
LEDGE, LEDGE_BINS = 0.09, 2
SHADOW, BODY = 5.0, 5.0
PASSAGE = 9
AHEAD = slice(BINS + int(4 / CELL), BINS + int(14 / CELL))
BESIDE = slice(BINS - int(2 / CELL), BINS + int(2 / CELL))


@dataclass(frozen=True, eq=False)
class DrivableArea:
    """The ground around the LiDAR, in cells of 0.25 m, [x, y], from -64 m to 64 m on each axis.

    road: (512, 512) where a vehicle could drive to from the LiDAR. ground: (512, 512) level, free
    ground, connected or not, such as pavements. lowest: (512, 512) metres above the ground of the
    lowest obstacle more than 0.2 m above it, inf without any. surface: height of the ground.
    """

    road: Bools
    ground: Bools
    lowest: F32
    surface: GroundSurface


def drivable_area(
    points: Floating,
    ground: Bools,
    surface: GroundSurface,
    denied: Bools | None = None,
    behind: float = np.inf,
) -> DrivableArea:
    """The drivable area of a sweep: points (N, 3 or more), their ground mask (N,), the surface.

    Ground counts as visible between rings, whatever their spacing, and from 5 m behind objects on,
    in shadows narrower than 5 m between visible ground. It ends at obstacles of 0.2 m, at kerbs of
    5 cm that rings cross, and at passages narrower than 2.25 m. denied: (512, 512) cells that are
    not road by other evidence, such as `not_road`. behind: metres that the area extends backwards.
    """
    from snellen.vision.lidar.drivable_area_kernels import (
        binned_points,
        blocked,
        filled_shadows,
        ledges,
        ring_spacing,
        visible_ground,
    )
    from snellen.vision.lidar.kerb_kernels import linked_cells, step_points

    cloud = read_only(np.asarray(points, dtype=np.float32))
    grid = (COLUMNS, BINS, CELL, OBSTACLE, -behind)
    heights, obstacles, fans, lowest = binned_points(
        cloud, ground, surface.heights, SURFACE_CELL, *grid
    )
    spacing = ring_spacing(heights, CELL)
    visible = visible_ground(heights, obstacles, CELL, spacing)
    steps = ledges(heights, visible, LEDGE_BINS, LEDGE)
    level = visible & (1 - steps)
    bars = blocked(obstacles, visible, int(BODY / CELL)) | steps
    whole = filled_shadows(level, bars, heights, CELL, SHADOW)
    kerbs = linked_cells(fans, step_points(fans, KERB_BASE, KERB), CELL, BINS, spacing)
    free = _to_cells(whole) & (lowest > CLEARANCE)
    if denied is not None:
        free &= ~(denied & (_to_cells(level) > 0))
    return DrivableArea(_connected(free, kerbs), free.astype(bool), lowest, surface)


def not_road(road: Bools, frames: CoordinateFrames, surface: GroundSurface) -> Bools:
    """(512, 512) cells whose ground is in the camera image, but not on its road (H, W)."""
    x, y = cell_centres()
    points = np.stack([x, y, surface(x, y)], axis=-1).reshape(-1, 3)
    u, v, depth = frames.lidar_to_image(LidarPoints(points)).T
    seen = (depth > 0) & (u >= 0) & (v >= 0) & (u < road.shape[1]) & (v < road.shape[0])
    denied = np.zeros(len(points), dtype=bool)
    denied[seen] = ~road[v[seen].astype(int), u[seen].astype(int)]
    return denied.reshape(x.shape)


@lru_cache(maxsize=1)
def cell_centres() -> tuple[F64, F64]:
    """The x and the y (512, 512) of the centres of the cells, metres."""
    along = (np.arange(2 * BINS) - BINS + 0.5) * CELL
    x, y = np.meshgrid(along, along, indexing="ij")
    x.flags.writeable = y.flags.writeable = False
    return x, y


def _to_cells(bins: Bytes) -> Bytes:
    """(512, 512) the value of each cell, from columns and bins."""
    return np.asarray(np.take(bins, _cell_bins()))


@lru_cache(maxsize=1)
def _cell_bins() -> Ints:
    """(512, 512) the flat index of the bin of each cell; cells beyond the last bin take that."""
    x, y = cell_centres()
    column = ((np.arctan2(y, x) / (2 * np.pi) + 0.5) * COLUMNS).astype(np.intp) % COLUMNS
    return column * BINS + np.minimum((np.hypot(x, y) / CELL).astype(np.intp), BINS - 1)


def _connected(free: Bytes, kerbs: Bytes) -> Bools:
    """The free cells that a car can reach from the ground ahead without crossing kerbs."""
    import cv2

    dot = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (PASSAGE, PASSAGE))
    open_cells = cv2.morphologyEx(free.astype(np.uint8), cv2.MORPH_CLOSE, dot) & (1 - kerbs)
    _, parts = cv2.connectedComponents(cv2.erode(open_cells, disc), connectivity=4)
    ahead = np.bincount(parts[AHEAD, BESIDE].ravel())
    ahead[0] = 0
    mine = (parts == ahead.argmax()) if ahead.any() else np.zeros_like(parts, dtype=bool)
    return np.asarray(cv2.dilate(mine.astype(np.uint8), disc) & open_cells, dtype=bool)

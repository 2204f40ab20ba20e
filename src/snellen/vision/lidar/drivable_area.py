"""Where a vehicle could drive: level, free ground that is joined to the ground ahead."""

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
    """The ground around the LiDAR, in cells of 0.25 m, [x, y], from -64 m to 64 m on either axis.

    road: (512, 512) where a vehicle could drive from where the LiDAR is. ground: (512, 512) level
    ground with nothing on it, joined or not, such as pavements. lowest: (512, 512) how far above
    the ground the lowest thing lies that is more than 0.2 m above it, metres, inf without any.
    surface: how high the ground is.
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
    """The drivable area of a sweep: points (N, 3 or more), which (N,) are ground, how high it is.

    Ground counts as seen between rings, however far apart the sensor sets them, and from 5 m
    behind things on, in shadows narrower than 5 m between seen ground. It ends at obstacles of
    0.2 m, at kerbs of 5 cm where rings cross them, and at passages narrower than 2.25 m. denied:
    (512, 512) cells that are no road by other evidence, such as `not_road`. behind: how far back
    the area is wanted, metres.
    """
    from snellen.vision.lidar.drivable_area_kernels import (
        barred,
        bridged,
        rings_apart,
        sorted_in,
        stepped,
        walked,
    )
    from snellen.vision.lidar.kerb_kernels import linked, on_steps

    cloud = read_only(np.asarray(points, dtype=np.float32))
    grid = (COLUMNS, BINS, CELL, OBSTACLE, -behind)
    heights, obstacles, fans, lowest = sorted_in(
        cloud, ground, surface.heights, SURFACE_CELL, *grid
    )
    apart = rings_apart(heights, CELL)
    seen = walked(heights, obstacles, CELL, apart)
    ledges = stepped(heights, seen, LEDGE_BINS, LEDGE)
    level = seen & (1 - ledges)
    bars = barred(obstacles, seen, int(BODY / CELL)) | ledges
    whole = bridged(level, bars, heights, CELL, SHADOW)
    kerbs = linked(fans, on_steps(fans, KERB_BASE, KERB), CELL, BINS, apart)
    free = _spread(whole) & (lowest > CLEARANCE)
    if denied is not None:
        free &= ~(denied & (_spread(level) > 0))
    return DrivableArea(_joined(free, kerbs), free.astype(bool), lowest, surface)


def not_road(road: Bools, frames: CoordinateFrames, surface: GroundSurface) -> Bools:
    """(512, 512) the cells whose ground is in the camera's image, but not in its road (H, W)."""
    x, y = cell_centres()
    points = np.stack([x, y, surface(x, y)], axis=-1).reshape(-1, 3)
    u, v, depth = frames.lidar_to_image(LidarPoints(points)).T
    seen = (depth > 0) & (u >= 0) & (v >= 0) & (u < road.shape[1]) & (v < road.shape[0])
    denied = np.zeros(len(points), dtype=bool)
    denied[seen] = ~road[v[seen].astype(int), u[seen].astype(int)]
    return denied.reshape(x.shape)


@lru_cache(maxsize=1)
def cell_centres() -> tuple[F64, F64]:
    """The x and the y (512, 512) of the cells' middles, metres."""
    along = (np.arange(2 * BINS) - BINS + 0.5) * CELL
    x, y = np.meshgrid(along, along, indexing="ij")
    x.flags.writeable = y.flags.writeable = False
    return x, y


def _spread(bins: Bytes) -> Bytes:
    """(512, 512) of each cell its bin's value, from columns and bins."""
    return np.asarray(np.take(bins, _bins()))


@lru_cache(maxsize=1)
def _bins() -> Ints:
    """(512, 512) the flat index of the bin that a cell lies in; corners take the last of theirs."""
    x, y = cell_centres()
    column = ((np.arctan2(y, x) / (2 * np.pi) + 0.5) * COLUMNS).astype(np.intp) % COLUMNS
    return column * BINS + np.minimum((np.hypot(x, y) / CELL).astype(np.intp), BINS - 1)


def _joined(free: Bytes, kerbs: Bytes) -> Bools:
    """The part of the free cells that a car gets to from the ground ahead, kerbs not crossed."""
    import cv2

    dot = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (PASSAGE, PASSAGE))
    open_cells = cv2.morphologyEx(free.astype(np.uint8), cv2.MORPH_CLOSE, dot) & (1 - kerbs)
    _, parts = cv2.connectedComponents(cv2.erode(open_cells, disc), connectivity=4)
    ahead = np.bincount(parts[AHEAD, BESIDE].ravel())
    ahead[0] = 0
    mine = (parts == ahead.argmax()) if ahead.any() else np.zeros_like(parts, dtype=bool)
    return np.asarray(cv2.dilate(mine.astype(np.uint8), disc) & open_cells, dtype=bool)

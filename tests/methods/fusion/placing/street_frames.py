"""Made-up frames to place things in."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from snellen.methods.fusion.placing.frame_places import FramePlaces
from snellen.methods.fusion.placing.limits import PlaceLimits
from snellen.vision.arrays import F64
from snellen.vision.solids.coordinate_frames import CoordinateFrames
from tests.vision.lidar.street_sweeps import Ground, ground_of, sweep, with_boxes

CAR = (4.2, 1.8, 1.5)
BUS = (11.0, 2.5, 3.2)
PERSON = (0.8, 0.6, 1.75)
SIZE = (375, 1242)
AHEAD = CoordinateFrames(
    np.array([[0, -1, 0, 0], [0, 0, -1, 0], [1, 0, 0, 0], [0, 0, 0, 1]]),
    np.array([[720, 0, 610, 0], [0, 720, 172, 0], [0, 0, 1, 0]]),
)
OTHER = (24.0, 1.0, -0.98, 4.2, 1.8, 1.5, 0.0)
KERB, WALL = 0.13, 2.0


def street(x: F64, y: F64) -> F64:
    """Two lanes to the left of ours and a kerb: road from -2.5 to 8 m, pavements, then walls."""
    up = np.where((y < -2.5) | (y > 8), KERB, 0.0)
    return np.asarray(np.where((y < -6) | (y > 11), WALL, up))


def plaza(x: F64, y: F64) -> F64:
    """Level ground in all directions."""
    return np.asarray(np.zeros_like(x))


def turned(angle: float) -> Ground:
    """A road 8 m wide that runs at this angle from us on, between walls."""

    def world(x: F64, y: F64) -> F64:
        across = y * np.cos(angle) - x * np.sin(angle)
        return np.asarray(np.where(np.abs(across + 0.0) > 4, WALL, 0.0))

    return world


@lru_cache(maxsize=16)
def _swept(above: Ground, cars: tuple[tuple[float, ...], ...]) -> tuple[F64, Any]:
    world = with_boxes(above, *((c[0], c[1], c[3], c[4], c[5]) for c in cars))
    points = sweep(world)
    return points, ground_of(points, world)


def placing(
    above: Ground = street, cars: tuple[tuple[float, ...], ...] = (OTHER,), **limits: Any
) -> FramePlaces:
    """Places among cars x y z length width height yaw; those with yaw 0 are seen by the LiDAR."""
    points, ground = _swept(above, tuple(car for car in cars if car[6] == 0))
    return FramePlaces(
        points, ground, np.array(cars).reshape(-1, 7), AHEAD, SIZE, PlaceLimits(**limits)
    )


def cloud(above: Ground = street, cars: tuple[tuple[float, ...], ...] = (OTHER,)) -> F64:
    """(N, 3) the points above the ground."""
    points, ground = _swept(above, cars)
    return points[~ground, :3]

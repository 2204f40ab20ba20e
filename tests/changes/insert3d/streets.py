"""A street of known geometry: level ground, a camera, LiDAR points, and walls if wanted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.changes.insert3d.camera_insertion import CameraSeed, camera_seed
from snellen.vision.arrays import F32, F64, Bools, Bytes
from snellen.vision.solids.coordinate_frames import CoordinateFrames, LidarPoints

AHEAD = np.array([[0.0, -1, 0, 0], [0, 0, -1, -0.08], [1, 0, 0, -0.27], [0, 0, 0, 1]])
LENS = np.array([[700.0, 0, 600, 45], [0, 700, 170, 0.2], [0, 0, 1, 0.003]])
FRAMES = CoordinateFrames(AHEAD, LENS)
SHAPE = (375, 1242)
GROUND = -1.7
ROAD, SKY, WALL = (90, 90, 90), (150, 190, 230), (190, 60, 40)


@dataclass(frozen=True)
class Wall:
    """An upright sheet across the road, in metres."""

    x: float
    left: float
    right: float
    top: float

    def outline(self, frames: CoordinateFrames = FRAMES) -> F64:
        """Left, top, right, bottom in the image."""
        corners = [[self.x, self.left, self.top], [self.x, self.right, GROUND]]
        (u0, v0, _), (u1, v1, _) = frames.lidar_to_image(LidarPoints(np.array(corners)))
        return np.array([u0, v0, u1, v1])


@dataclass(frozen=True, eq=False)
class Street:
    """An image, LiDAR points of the same street, and which of them are ground."""

    image: Bytes
    points: F32
    ground: Bools

    def seed(self) -> CameraSeed:
        return camera_seed(self.image, self.points, self.ground, FRAMES)


def street(
    *walls: Wall,
    noise: float = 0.0,
    road: tuple[int, int, int] = ROAD,
    gain: float = 1.0,
) -> Street:
    """A street with these walls. noise: its standard deviation in the image; gain: exposure."""
    ways = beams()
    reach = np.where(ways[:, 2] < 0, GROUND / np.minimum(ways[:, 2], -1e-9), np.inf)
    owner = np.full(len(ways), -1)
    for index, wall in enumerate(walls):
        at = wall.x / np.maximum(ways[:, 0], 1e-9)
        y, z = ways[:, 1] * at, ways[:, 2] * at
        met = (at < reach) & (y <= wall.left) & (y >= wall.right) & (z <= wall.top) & (z >= GROUND)
        reach[met], owner[met] = at[met], index
    kept = (reach < 70) & (reach > 2)
    points = (ways * np.where(kept, reach, 0.0)[:, None])[kept]
    cloud = np.column_stack([points, np.full(len(points), 0.3)]).astype(np.float32)
    return Street(_picture(walls, road, noise, gain), cloud, owner[kept] < 0)


def beams() -> F64:
    """(N, 3) unit directions of a LiDAR with 64 rings, the front half."""
    rise = np.radians(np.linspace(-24.8, 2.0, 64))
    turn = np.radians(np.arange(-60.0, 60.0, 0.16))
    up, around = np.meshgrid(rise, turn, indexing="ij")
    ways = np.stack([np.cos(up) * np.cos(around), np.cos(up) * np.sin(around), np.sin(up)], axis=2)
    return np.asarray(ways.reshape(-1, 3))


def _picture(
    walls: tuple[Wall, ...], road: tuple[int, int, int], noise: float, gain: float
) -> Bytes:
    image = np.empty((*SHAPE, 3))
    image[:] = SKY
    image[171:] = road
    for wall in sorted(walls, key=lambda each: -each.x):
        left, top, right, bottom = np.rint(wall.outline()).astype(int)
        image[max(top, 0) : bottom + 1, max(left, 0) : right + 1] = WALL
    image *= gain
    image += noise * np.random.default_rng(7).standard_normal(image.shape)
    return np.clip(image + 0.5, 0, 255).astype(np.uint8)

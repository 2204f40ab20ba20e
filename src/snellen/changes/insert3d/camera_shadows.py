"""Shadows of inserted meshes on the ground of an image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
from cachetools import LRUCache, cached

from snellen.changes.insert3d.camera_seed import CameraSeed
from snellen.objects.meshes.mesh import Mesh
from snellen.vision.arrays import F32, F64, Bytes, Image
from snellen.vision.rendering.shadows import CELL, SkyOcclusion, cast_shadow, sky_occlusion
from snellen.vision.solids.coordinate_frames import CoordinateFrames

Pose = tuple[float, float, float, float]
Window = tuple[int, int, int, int]

BESIDE = 0.15
SHADE_TO_SUN = 1.25, 0.8
PENUMBRA = 0.6, 0.015
"""Standard deviation of the soft edge of a shadow: in pixels, and in metres on the ground."""


@dataclass(frozen=True, eq=False)
class GroundShadow:
    """The light that one mesh blocks from the ground in a window of the image.

    window: left, top, right, bottom (exclusive). sky, sun: (h, w) shares blocked, 0 to 1. lit: (h,
    w) share of sunlight in the original image, 0 to 1. around: its mean on the ground next to the
    mesh.
    """

    window: Window
    sky: F32
    sun: F32
    lit: F32
    around: float


def ground_shadow(image: Image, seed: CameraSeed, mesh: Mesh, pose: Pose) -> GroundShadow:
    """The shadow of a mesh at a pose; shadows fall only on the ground."""
    closed = mesh.closed_share == 1.0
    cast = cast_shadow(
        mesh.placed(*pose), mesh.faces, pose[2], seed.lit.light.sun_direction, seed.frames,
        seed.shape, closed=closed,
    )  # fmt: skip
    below = _sky_occlusion(mesh)
    corner = cast.left, cast.top, cast.left + cast.share.shape[1], cast.top + cast.share.shape[0]
    window = _joined([corner, _footprint(below, pose, seed)], seed.shape)
    left, top, right, bottom = window
    sky, sun = (np.zeros((bottom - top, right - left), np.float32) for _ in range(2))
    if not sky.size:
        return GroundShadow(window, sky, sun, sky, 1.0)
    if cast.share.size:  # not if the whole shadow falls outside the image
        rows, columns = cast.share.shape
        sun[cast.top - top :, cast.left - left :][:rows, :columns] = cast.share
    sky[:] = below.at(*_level_places(window, pose, seed.frames))
    ground = seed.depth.ground[top:bottom, left:right]
    lit = _sunlit(image[top:bottom, left:right], seed)
    beside = lit[ground & (sky > BESIDE)]
    sky *= ground
    sun = _soft(sun, pose, seed) * ground
    around = float(beside.mean()) if beside.size > 8 else 1.0
    return GroundShadow(window, sky, sun, lit, around)


@cached(LRUCache(256), key=lambda mesh: mesh.id, lock=Lock())
def _sky_occlusion(mesh: Mesh) -> SkyOcclusion:
    return sky_occlusion(mesh.vertices, mesh.faces, closed=mesh.closed_share == 1.0)


def _sunlit(part: Bytes, seed: CameraSeed) -> F32:
    """(h, w) share of sunlight on each pixel of ground, 0 to 1, from its brightness."""
    import cv2

    lit = seed.lit
    low = np.log(SHADE_TO_SUN[0] * lit.shaded.mean())
    high = max(np.log(SHADE_TO_SUN[1] * lit.lit.mean()), low + 0.1)
    glow = lit.sensor.gamma * np.log(np.maximum(np.arange(256), 0.5) / 255)
    table = np.clip((glow - low) / (high - low), 0, 1).astype(np.float32)
    grey = cv2.blur(cv2.cvtColor(np.ascontiguousarray(part), cv2.COLOR_RGB2GRAY), (5, 5))
    return np.asarray(table[grey], dtype=np.float32)


def _soft(sun: F32, pose: Pose, seed: CameraSeed) -> F32:
    import cv2

    depth = max(float(np.hypot(pose[0], pose[1])), 2.0)
    width = PENUMBRA[0] + PENUMBRA[1] * float(seed.frames.projection[0, 0]) / depth
    return np.asarray(cv2.GaussianBlur(sun, (0, 0), width), dtype=np.float32)


def _to_picture(frames: CoordinateFrames, ground: float) -> F64:
    """(3, 3) from x, y, 1 on level ground at this height to u, v, 1 times the depth."""
    matrix = frames.projection @ frames.camera_from_lidar
    return np.column_stack([matrix[:, 0], matrix[:, 1], matrix[:, 2] * ground + matrix[:, 3]])


def _level_places(window: Window, pose: Pose, frames: CoordinateFrames) -> tuple[F64, F64]:
    """X and y, (h, w) each, in the frame of the mesh, where the ray of each pixel meets the ground.

    Rays that do not meet it get a point far away.
    """
    left, top, right, bottom = window
    back = np.linalg.inv(_to_picture(frames, pose[2]))
    u, v = np.arange(left, right)[None, :], np.arange(top, bottom)[:, None]
    x, y, scale = (row[0] * u + row[1] * v + row[2] for row in back)
    ahead = scale > 1e-9
    safe = np.where(ahead, scale, 1.0)
    dx, dy = x / safe - pose[0], y / safe - pose[1]
    cos, sin = np.cos(pose[3]), np.sin(pose[3])
    far = np.where(ahead, 0.0, 1e4)
    return cos * dx + sin * dy + far, cos * dy - sin * dx + far


def _footprint(below: SkyOcclusion, pose: Pose, seed: CameraSeed) -> Window:
    """The window of the image with the ground around the mesh."""
    size = np.array(below.share.shape) * CELL
    corners = np.array(below.start) + size * [[0, 0], [0, 1], [1, 0], [1, 1]]
    cos, sin = np.cos(pose[3]), np.sin(pose[3])
    level = corners @ np.array([[cos, sin], [-sin, cos]]) + pose[:2]
    u, v, depth = _to_picture(seed.frames, pose[2]) @ np.column_stack([level, np.ones(4)]).T
    height, width = seed.shape
    if depth.max() <= 0.3:
        return 0, 0, 0, 0
    if depth.min() <= 0.3:
        return 0, height // 2, width, height
    u, v = u / depth, v / depth
    return int(u.min()), int(v.min()), int(u.max()) + 2, int(v.max()) + 2


def _joined(windows: Sequence[Window], shape: tuple[int, int]) -> Window:
    """The smallest window inside the image that contains those that are not empty."""
    kept = [w for w in windows if w[2] > w[0] and w[3] > w[1]]
    if not kept:
        return 0, 0, 0, 0
    left, top = min(w[0] for w in kept), min(w[1] for w in kept)
    right, bottom = max(w[2] for w in kept), max(w[3] for w in kept)
    height, width = shape
    box = max(left, 0), max(top, 0), min(right, width), min(bottom, height)
    return box if box[2] > box[0] and box[3] > box[1] else (0, 0, 0, 0)

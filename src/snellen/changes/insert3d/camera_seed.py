"""What all insertions into one image share: its depth, light and camera."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.errors import UserError
from snellen.vision.arrays import Bools, Floating, Image
from snellen.vision.lidar.dense_depth import DenseDepth, dense_depth
from snellen.vision.lidar.ground_surface import GroundSurface, ground_height
from snellen.vision.lidar.points_in_view import points_in_view
from snellen.vision.rendering.frame_light import FrameLight, frame_light
from snellen.vision.solids.coordinate_frames import CoordinateFrames


@dataclass(frozen=True, eq=False)
class CameraSeed:
    """An image prepared for insertions.

    frames: LiDAR to camera to image. shape: height and width in pixels. depth: of every pixel. lit:
    the light, the ground in sun and shade, and the response, noise and blur of the camera.
    """

    frames: CoordinateFrames
    shape: tuple[int, int]
    depth: DenseDepth
    lit: FrameLight


def camera_seed(
    image: Image,
    points: Floating,
    ground: Bools,
    frames: CoordinateFrames,
    surface: GroundSurface | None = None,
) -> CameraSeed:
    """The image (H, W, 3) prepared for insertions.

    points: (N, 3 or more), the full sweep in the LiDAR frame. ground: (N,) which of them are on the
    ground. surface: the height of the ground; by default estimated from these points.
    """
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
        raise UserError(
            f"image: {image.dtype} of shape {image.shape}, expected uint8 of shape (height, "
            "width, 3), RGB. Convert it first."
        )
    if ground.shape != (len(points),):
        raise UserError(
            f"ground: shape {ground.shape} for {len(points)} points, expected ({len(points)},). "
            "Use the mask of the same sweep."
        )
    shape = image.shape[0], image.shape[1]
    level = surface or ground_height(points, ground)
    seen = points_in_view(points, ground, level, frames, shape)
    depth = dense_depth(image, seen)
    lit = frame_light(image, points, ground, level, seen, depth, frames)
    return CameraSeed(frames, shape, depth, lit)

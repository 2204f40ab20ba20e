"""What a null must leave as it was: the pixels and points of objects that must be detected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.changes.insert3d.seed_frame import SeedFrame
from snellen.vision.arrays import F64, Bools
from snellen.vision.solids.projected_boxes import image_boxes

ProtectedBox = tuple[float, ...]
"""x y z length width height yaw in the LiDAR frame, then x1 y1 x2 y2 in pixels."""


@dataclass(frozen=True, eq=False)
class ProtectedRegions:
    """The pixels (H, W) and the points (N,) of a frame that must not change."""

    pixels: Bools
    points: Bools


def protected_regions(seed: SeedFrame, kept: Sequence[ProtectedBox]) -> ProtectedRegions:
    """Those of all labels, DontCare included, and of further objects."""
    from snellen.changes.insert3d.box_points_kernels import points_in_boxes

    boxes = np.array(kept, dtype=np.float64).reshape(-1, 11)
    pixels, points = np.zeros(seed.size, np.bool_), np.zeros(len(seed.points), np.bool_)
    for own in seed.own_points:
        points[own] = True
    points |= points_in_boxes(seed.points, np.ascontiguousarray(boxes[:, :7])).any(axis=0)
    if pixels.size:
        for region in seed.own_regions:
            pixels[region.rows, region.columns] |= region.shape
        shown = image_boxes(boxes[:, :7], seed.frames, seed.size)
        _fill(pixels, np.concatenate([boxes[:, 7:], shown]))
    return ProtectedRegions(pixels, points)


def _fill(pixels: Bools, boxes: F64) -> None:
    for x1, y1, x2, y2 in np.maximum(boxes, 0).tolist():
        pixels[int(y1) : int(np.ceil(y2)), int(x1) : int(np.ceil(x2))] = True

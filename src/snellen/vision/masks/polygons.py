"""Conversion of polygons to masks and back, with the same pixels as COCO's own tools."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import F64, Bools, Runs
from snellen.vision.masks.rle_masks import Masks


def masks_of_polygons(objects: Sequence[Sequence[npt.ArrayLike]], size: tuple[int, int]) -> Masks:
    """One mask per object, the union of its polygons. size: (height, width) in pixels.

    A polygon is x1 y1 x2 y2 ... in pixels, flat as in COCO files or as (K, 2), K >= 3.

    >>> square = [[1, 1, 3, 1, 3, 3, 1, 3]]
    >>> masks_of_polygons([square], (4, 4)).areas().tolist()
    [4]
    """
    return Masks(size, tuple(_runs_of_object(polygons, size) for polygons in objects))


def polygons_of_masks(masks: Masks, *, tolerance: float = 0.0) -> list[list[F64]]:
    """The outlines of each mask: a list of (K, 2) float64 polygons, x y in pixels, half-open.

    Corners lie on pixel borders, so `masks_of_polygons` restores the mask, with holes filled.
    tolerance: largest distance in pixels by which an outline may be simplified.
    """
    return [_outlines(mask, tolerance) for mask in masks.to_array()]


def _runs_of_object(polygons: Sequence[npt.ArrayLike], size: tuple[int, int]) -> Runs:
    from snellen.vision.masks.mask_kernels import union_runs
    from snellen.vision.masks.polygon_kernels import polygon_marks, runs_between

    height, width = size
    parts = []
    for polygon in polygons:
        flat = np.asarray(polygon, dtype=np.float64).ravel()
        if len(flat) < 6 or len(flat) % 2:
            raise ValueError(
                f"a polygon has {len(flat)} numbers; it needs x and y of at least 3 corners"
            )
        marks = np.sort(polygon_marks(flat.reshape(-1, 2), height, width))
        parts.append(runs_between(marks, height * width))
    if len(parts) == 1:
        return parts[0]
    bounds = np.cumsum([0] + [len(part) for part in parts])
    runs = np.concatenate([*parts, np.zeros(0, np.uint32)]).astype(np.uint32)
    return union_runs(runs, bounds, height * width)


def _outlines(mask: Bools, tolerance: float) -> list[F64]:
    """Outer borders of the parts of a mask.

    OpenCV's contours run through pixel centres. At twice the size, with each pixel a 2 x 2 block,
    they run within half a pixel of the border, and the corners are moved to it.
    """
    import cv2

    large = np.kron(mask.astype(np.uint8), np.ones((2, 2), np.uint8))
    found, _ = cv2.findContours(large, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    outlines = []
    for contour in found:
        corners = (contour[:, 0].astype(np.float64) + 1) // 2
        if tolerance > 0:
            corners = cv2.approxPolyDP(corners.astype(np.float32)[:, None], tolerance, True)[:, 0]
        if len(corners) >= 3:
            outlines.append(corners.astype(np.float64))
    return outlines

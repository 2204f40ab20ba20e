"""What people outlined, as a mask."""

from __future__ import annotations

import numpy as np

from snellen.study.trial import OutlineAnswer, Stroke
from snellen.vision.arrays import F64, Bools
from snellen.vision.masks.polygons import masks_of_polygons


def outline_mask(outline: OutlineAnswer, size: tuple[int, int]) -> Bools:
    """(H, W) the pixels inside a polygon or painted by a stroke. size: (height, width) in pixels.

    Polygons are filled as in COCO. Strokes follow in the order drawn: a stroke of a round brush
    covers what lies within its radius of its line; an erasing one removes what was covered by then.
    """
    polygons = [[np.asarray(one, dtype=np.float64).ravel() for one in outline.polygons]]
    filled = masks_of_polygons(polygons, size).to_array()[0] if outline.polygons else None
    mask = np.zeros(size, np.uint8) if filled is None else filled.astype(np.uint8)
    for stroke in outline.strokes:
        mask[_painted(stroke, size)] = 0 if stroke.erases else 1
    return np.asarray(mask, dtype=bool)


def mask_iou(one: Bools, other: Bools) -> float:
    """The IoU of two masks, 0 if they have different sizes or both are empty."""
    if one.shape != other.shape:
        return 0.0
    union = int(np.count_nonzero(one | other))
    return int(np.count_nonzero(one & other)) / union if union else 0.0


def _painted(stroke: Stroke, size: tuple[int, int]) -> Bools:
    """(H, W) where the brush passed: pixels whose centre is within its radius of the line.

    Only the distances in the stroke's own surroundings are computed.
    """
    points = np.asarray(stroke.points, dtype=np.float64)
    found = np.zeros(size, bool)
    starts, ends = (points[:-1], points[1:]) if len(points) > 1 else (points, points)
    for start, end in zip(starts, ends, strict=True):
        low = np.floor(np.minimum(start, end) - stroke.radius).astype(int)
        high = np.ceil(np.maximum(start, end) + stroke.radius).astype(int)
        x1, y1 = np.clip(low, 0, (size[1], size[0]))
        x2, y2 = np.clip(high, 0, (size[1], size[0]))
        rows, columns = np.mgrid[y1:y2, x1:x2] + 0.5
        near = _squared_distance(columns, rows, start, end) <= stroke.radius**2
        found[y1:y2, x1:x2][near] = True
    return found


def _squared_distance(x: F64, y: F64, start: F64, end: F64) -> F64:
    """Of points to a segment."""
    along = end - start
    length = float(along @ along)
    share = ((x - start[0]) * along[0] + (y - start[1]) * along[1]) / length if length else 0 * x
    share = np.clip(share, 0, 1)
    away = (x - start[0] - share * along[0]) ** 2 + (y - start[1] - share * along[1]) ** 2
    return np.asarray(away)

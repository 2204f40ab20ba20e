"""Contours of salient regions, and distances of rectangles from them.

Frame: pixels, origin top-left, x right, y down; a contour runs along pixel borders.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import F64, Bools
from snellen.vision.masks.polygons import polygons_of_masks
from snellen.vision.masks.rle_masks import Masks

COUNT = 64
"""The number of points of a contour."""
WARM = 0.5
"""The share of the highest value of a heat map from which on a pixel is warm."""


def warm_region(heat: npt.ArrayLike, threshold: float | Literal["otsu"] = WARM) -> Bools:
    """The warm region of a heat map, (H, W) bool; empty if the map is 0 everywhere.

    heat: (H, W), 0 or more. threshold: the share of its highest value, 0 to 1, or `otsu`, the value
    that best splits its histogram of 256 levels in two (Otsu 1979).

    >>> warm_region([[0.1, 0.4, 0.8]]).tolist()
    [[False, True, True]]
    """
    values = np.asarray(heat, dtype=np.float64)
    highest = values.max(initial=0.0)
    if highest <= 0:
        return np.zeros(values.shape, dtype=bool)
    share = _otsu(values / highest) if threshold == "otsu" else float(threshold)
    if not 0 < share <= 1:
        raise ValueError(
            f"the threshold of a warm region is a share above 0, at most 1; found {share}"
        )
    return np.asarray(values >= share * highest)


def parts_in(region: Bools, box: Sequence[float]) -> Bools:
    """The connected parts of a region that overlap a box, (H, W) bool; all if none does.

    box: x1 y1 x2 y2. Random masks leave specks of heat; this keeps the parts on the object.
    """
    from scipy import ndimage

    parts, _ = ndimage.label(region, structure=np.ones((3, 3)))
    x1, y1, x2, y2 = (max(0, round(float(side))) for side in box)
    inside = np.unique(parts[y1:y2, x1:x2])
    kept = inside[inside > 0]
    return np.asarray(np.isin(parts, kept)) if len(kept) else np.asarray(region)


def contour_points(mask: npt.ArrayLike, count: int = COUNT) -> F64:
    """Points along the outer borders of a mask, (count, 2) x y, evenly spaced; (0, 2) if empty.

    mask: (H, W) bool. Several parts get points in proportion to their length.

    >>> contour_points(np.ones((2, 2), bool), 8)[:3].tolist()
    [[0.0, 0.0], [0.0, 1.0], [0.0, 2.0]]
    """
    [outlines] = polygons_of_masks(Masks.from_array(np.asarray(mask, dtype=bool)[None]))
    return points_along(outlines, count)


def box_contour(box: Sequence[float], count: int = COUNT) -> F64:
    """Points along the border of a box x1 y1 x2 y2, (count, 2) x y, evenly spaced.

    >>> box_contour([0, 0, 2, 2], 4).tolist()
    [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]
    """
    x1, y1, x2, y2 = (float(side) for side in box)
    return points_along([np.array([[x1, y1], [x2, y1], [x2, y2], [x1, y2]])], count)


def points_along(outlines: Sequence[F64], count: int) -> F64:
    """Points along closed polygons, (count, 2) x y, evenly spaced; (0, 2) without polygons."""
    if not outlines:
        return np.zeros((0, 2))
    starts = np.concatenate(outlines)
    steps = np.concatenate([np.roll(one, -1, axis=0) for one in outlines]) - starts
    lengths = np.hypot(*steps.T)
    ends = np.cumsum(lengths)
    places = np.arange(count) * (ends[-1] / count)
    edge = np.minimum(np.searchsorted(ends, places, "right"), len(ends) - 1)
    share = (places - ends[edge] + lengths[edge]) / np.where(lengths[edge] > 0, lengths[edge], 1)
    return np.asarray(starts[edge] + share[:, None] * steps[edge])


def distance_to(
    points: npt.ArrayLike, boxes: npt.ArrayLike, region: npt.ArrayLike | None = None
) -> F64:
    """Distance in pixels from each rectangle to the nearest contour point, (N,); 0 if inside.

    points: (K, 2) x y. boxes: (N, 4) xyxy. region: (H, W) bool, the region of the contour; a
    rectangle that covers part of it, between two points or completely inside, also has distance 0.

    >>> distance_to([[0, 0], [10, 0]], [[13, 4, 20, 8], [-1, -1, 1, 1]]).tolist()
    [5.0, 0.0]
    """
    contour = np.asarray(points, dtype=np.float64).reshape(-1, 2)
    corners = np.asarray(boxes, dtype=np.float64).reshape(-1, 4)
    if not len(contour):
        raise ValueError("a contour without points has no distance; use the contour of the box")
    before = corners[:, None, :2] - contour[None]
    after = contour[None] - corners[:, None, 2:]
    gaps = np.maximum(np.maximum(before, after), 0.0)
    nearest = np.sqrt((gaps**2).sum(axis=2).min(axis=1))
    if region is not None:
        nearest[covers(region, corners)] = 0.0
    return np.asarray(nearest)


def covers(region: npt.ArrayLike, boxes: npt.ArrayLike) -> Bools:
    """Whether each rectangle covers part of a region, (N,): a pixel that both overlap.

    region: (H, W) bool. boxes: (N, 4) xyxy; parts outside the image cover nothing.
    """
    mask = np.asarray(region, dtype=bool)
    height, width = mask.shape
    sums = np.zeros((height + 1, width + 1), dtype=np.int64)
    sums[1:, 1:] = mask.cumsum(axis=0).cumsum(axis=1)
    corners = np.asarray(boxes, dtype=np.float64).reshape(-1, 4)
    x1, y1 = (np.floor(corners[:, side]) for side in (0, 1))
    x2, y2 = (np.ceil(corners[:, side]) for side in (2, 3))
    left, right = (np.clip(x, 0, width).astype(np.int64) for x in (x1, x2))
    top, bottom = (np.clip(y, 0, height).astype(np.int64) for y in (y1, y2))
    inside = sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
    return np.asarray((inside > 0) & (right > left) & (bottom > top))


def _otsu(shares: F64) -> float:
    """The share between two of 256 levels with the largest between-class variance."""
    counts, edges = np.histogram(shares, bins=256, range=(0.0, 1.0))
    middles = (edges[:-1] + edges[1:]) / 2
    below, above = np.cumsum(counts)[:-1], np.cumsum(counts[::-1])[::-1][1:]
    sums = np.cumsum(counts * middles)
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = sums[:-1] / below - (sums[-1] - sums[:-1]) / above
    between = np.where((below > 0) & (above > 0), below * above * gap**2, -1.0)
    return float(edges[1:-1][np.argmax(between)])

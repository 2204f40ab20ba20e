"""Compiled loops over boxes. Coordinates are four planes, so that memory is read in sequence."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F64, AnyArray, Bools, Boxes, Ints, Ints32
from snellen.vision.compilation import compiled


@compiled
def overlap_ratio(a: AnyArray, b: AnyArray, crowd: Bools, out: AnyArray) -> None:
    """Fill out[i, j] with intersection over union, or over the area of a if crowd[j].

    a: (4, N) and b: (4, M) planes x1 y1 x2 y2. out: (N, M), of the same dtype.
    """
    area_b, any_crowd = np.empty(b.shape[1], b.dtype), False
    for j in range(b.shape[1]):
        area_b[j] = (b[2, j] - b[0, j]) * (b[3, j] - b[1, j])
        any_crowd = any_crowd or crowd[j]
    for i in range(a.shape[1]):
        x1, y1, x2, y2 = a[0, i], a[1, i], a[2, i], a[3, i]
        area = (x2 - x1) * (y2 - y1)
        row = out[i]
        for j in range(b.shape[1]):
            right = x2 if x2 < b[2, j] else b[2, j]
            left = x1 if x1 > b[0, j] else b[0, j]
            bottom = y2 if y2 < b[3, j] else b[3, j]
            top = y1 if y1 > b[1, j] else b[1, j]
            width = right - left
            height = bottom - top
            inside = width * height
            ratio = inside / (area + area_b[j] - inside)
            row[j] = ratio if (width > 0) & (height > 0) else area * 0
        if any_crowd:
            for j in range(b.shape[1]):
                if crowd[j] and row[j] > 0:
                    width = min(x2, b[2, j]) - max(x1, b[0, j])
                    row[j] = width * (min(y2, b[3, j]) - max(y1, b[1, j])) / area


@compiled
def pair_ratio(
    boxes: Boxes,
    others: Boxes,
    crowd: Bools,
    first: Ints32,
    starts: Ints,
) -> F64:
    """IoUs of each box d with others first[d], first[d] + 1, ..., concatenated.

    boxes: (D, 4), others: (G, 4) xyxy. starts: (D + 1,), where the pairs of d begin in the result.
    If the other is a crowd, the intersection is divided by the area of the box, not the union.
    """
    out = np.zeros(starts[-1])
    for d in range(len(boxes)):
        x1, y1 = np.float64(boxes[d, 0]), np.float64(boxes[d, 1])
        x2, y2 = np.float64(boxes[d, 2]), np.float64(boxes[d, 3])
        area = (x2 - x1) * (y2 - y1)
        for p in range(starts[d], starts[d + 1]):
            g = first[d] + p - starts[d]
            u1, v1 = np.float64(others[g, 0]), np.float64(others[g, 1])
            u2, v2 = np.float64(others[g, 2]), np.float64(others[g, 3])
            width = min(x2, u2) - max(x1, u1)
            height = min(y2, v2) - max(y1, v1)
            if width > 0 and height > 0:
                inside = width * height
                union = area if crowd[g] else area + (u2 - u1) * (v2 - v1) - inside
                out[p] = inside / union
    return out

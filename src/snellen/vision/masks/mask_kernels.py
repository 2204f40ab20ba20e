"""Compiled loops over run-length masks; the runs of all masks are concatenated in one array."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F64, Bools, Ints, Ints32, Runs
from snellen.vision.compilation import compiled


@compiled
def areas_and_boxes(runs: Runs, bounds: Ints, height: Ints) -> tuple[Ints, Ints]:
    """Areas in pixels (N,) and tight boxes (N, 4) xyxy of masks; height: (N,) of their images.

    An empty mask has the box 0 0 0 0.
    """
    count = len(bounds) - 1
    areas = np.zeros(count, np.int64)
    boxes = np.zeros((count, 4), np.int64)
    for n in range(count):
        h, at = height[n], np.int64(0)
        left, top, right, bottom = np.int64(1) << 60, h, np.int64(0), np.int64(0)
        for r in range(bounds[n], bounds[n + 1]):
            run = np.int64(runs[r])
            if (r - bounds[n]) % 2 == 1 and run > 0:
                areas[n] += run
                x1, x2 = at // h, (at + run - 1) // h
                y1, y2 = (at % h, (at + run - 1) % h) if x1 == x2 else (0, h - 1)
                left, right = min(left, x1), max(right, x2 + 1)
                top, bottom = min(top, y1), max(bottom, y2 + 1)
            at += run
        if areas[n] > 0:
            boxes[n] = (left, top, right, bottom)
    return areas, boxes


@compiled
def common_pixels(a: Runs, b: Runs) -> int:
    """Number of pixels that two masks of the same image share; runs of ones are at odd indices."""
    shared = 0
    i = j = 1
    if len(a) < 2 or len(b) < 2:
        return 0
    a_start, b_start = np.int64(a[0]), np.int64(b[0])
    a_end, b_end = a_start + a[1], b_start + b[1]
    while True:
        low, high = max(a_start, b_start), min(a_end, b_end)
        if high > low:
            shared += high - low
        if a_end <= b_end:
            i += 2
            if i >= len(a):
                return shared
            a_start = a_end + a[i - 1]
            a_end = a_start + a[i]
        else:
            j += 2
            if j >= len(b):
                return shared
            b_start = b_end + b[j - 1]
            b_end = b_start + b[j]


@compiled
def mask_pairs(
    runs: Runs,
    bounds: Ints,
    areas: Ints,
    boxes: Ints,
    other_runs: Runs,
    other_bounds: Ints,
    other_areas: Ints,
    other_boxes: Ints,
    crowd: Bools,
    first: Ints32,
    starts: Ints,
) -> F64:
    """IoUs of each mask d with others first[d], first[d] + 1, ..., concatenated.

    starts: (D + 1,), where the pairs of d begin in the result. If the other is a crowd, the
    intersection is divided by the area of the mask, not the union. Runs are read only if the boxes
    overlap.
    """
    out = np.zeros(starts[-1])
    for d in range(len(first)):
        mine = runs[bounds[d] : bounds[d + 1]]
        for p in range(starts[d], starts[d + 1]):
            g = first[d] + p - starts[d]
            if min(boxes[d, 2], other_boxes[g, 2]) <= max(boxes[d, 0], other_boxes[g, 0]) or min(
                boxes[d, 3], other_boxes[g, 3]
            ) <= max(boxes[d, 1], other_boxes[g, 1]):
                continue
            shared = common_pixels(mine, other_runs[other_bounds[g] : other_bounds[g + 1]])
            if shared > 0:
                union = areas[d] if crowd[g] else areas[d] + other_areas[g] - shared
                out[p] = shared / union
    return out


@compiled
def union_runs(runs: Runs, bounds: Ints, pixels: int) -> Runs:
    """Runs of the union of all masks; pixels: of the image."""
    change = np.zeros(pixels + 1, np.int32)
    for n in range(len(bounds) - 1):
        at, step = 0, -1
        for r in range(bounds[n], bounds[n + 1]):
            if at > 0 or step > 0:
                change[at] += step
            step = -step
            at += runs[r]
        if step > 0 and at < pixels:
            change[at] -= 1
    out = np.empty(pixels + 2, np.uint32)
    count, depth, begin = 0, 0, 0
    for at in range(pixels):
        before = depth
        depth += change[at]
        if (before > 0) != (depth > 0):
            out[count] = at - begin
            count, begin = count + 1, at
    out[count] = pixels - begin
    return out[: count + 1].copy()

"""Compiled loops over pairs of upright 3D boxes: their IoU.

The common area of two footprints is an integral along the length of the first: each edge of the
second, in the axes of the first, adds the area between it and the axis, clipped to the sides of the
first. No corner is classified as inside or outside, so equal, touching and parallel boxes are not
special cases, and rounding errors stay small.
"""

from __future__ import annotations

import math

import numpy as np

from snellen.vision.arrays import F64
from snellen.vision.compilation import compiled


@compiled
def all_ratios(a: F64, b: F64, solid: bool, out: F64) -> None:
    """Fill out[i, j] with the IoU of boxes a[i] and b[j]: of volumes if solid, else of footprints.

    a: (N, 7) and b: (M, 7), x y z length width height yaw.
    """
    reach = np.sqrt(b[:, 3] ** 2 + b[:, 4] ** 2) / 2
    for i in range(len(a)):
        mine = math.sqrt(a[i, 3] ** 2 + a[i, 4] ** 2) / 2
        for j in range(len(b)):
            away_x, away_y = b[j, 0] - a[i, 0], b[j, 1] - a[i, 1]
            near = mine + reach[j]
            if away_x * away_x + away_y * away_y < near * near:
                out[i, j] = _ratio(a[i], b[j], solid)
            else:
                out[i, j] = 0.0


@compiled
def _ratio(a: F64, b: F64, solid: bool) -> float:
    common, first, second = 1.0, a[3] * a[4], b[3] * b[4]
    if solid:
        top = min(a[2] + a[5] / 2, b[2] + b[5] / 2)
        common = top - max(a[2] - a[5] / 2, b[2] - b[5] / 2)
        first, second = first * a[5], second * b[5]
    if not (common > 0 and first > 0 and second > 0):
        return 0.0
    common *= _common_footprint(a, b)
    ratio: float = common / (first + second - common)
    return max(0.0, min(1.0, ratio))


@compiled
def _common_footprint(a: F64, b: F64) -> float:
    """Square metres that two footprints have in common."""
    cos, sin = math.cos(a[6]), math.sin(a[6])
    away_x, away_y = b[0] - a[0], b[1] - a[1]
    x, y = away_x * cos + away_y * sin, away_y * cos - away_x * sin
    turn = b[6] - a[6]
    cos, sin = math.cos(turn), math.sin(turn)
    ahead_x, ahead_y = b[3] / 2 * cos, b[3] / 2 * sin
    side_x, side_y = -b[4] / 2 * sin, b[4] / 2 * cos
    half, wide = a[3] / 2, a[4] / 2
    front_left_x, front_left_y = x + ahead_x + side_x, y + ahead_y + side_y
    back_left_x, back_left_y = x - ahead_x + side_x, y - ahead_y + side_y
    back_right_x, back_right_y = x - ahead_x - side_x, y - ahead_y - side_y
    front_right_x, front_right_y = x + ahead_x - side_x, y + ahead_y - side_y
    around = _under(front_left_x, front_left_y, back_left_x, back_left_y, half, wide)
    around += _under(back_left_x, back_left_y, back_right_x, back_right_y, half, wide)
    around += _under(back_right_x, back_right_y, front_right_x, front_right_y, half, wide)
    around += _under(front_right_x, front_right_y, front_left_x, front_left_y, half, wide)
    return -around


@compiled
def _under(x1: float, y1: float, x2: float, y2: float, half: float, wide: float) -> float:
    """The signed integral over x of the y of an edge, with x clipped to +-half and y to +-wide.

    The parts of the edge above, within and below +-wide are weighted by their shares of its rise.
    """
    run = x2 - x1
    start, end = max(-half, min(half, x1)), max(-half, min(half, x2))
    if start == end:
        return 0.0
    first = y1 + (start - x1) / run * (y2 - y1)
    last = y1 + (end - x1) / run * (y2 - y1)
    rise = last - first
    low, high = max(-wide, min(wide, first)), max(-wide, min(wide, last))
    if rise == 0.0:
        return (end - start) * low
    above = max(last, wide) - max(first, wide)
    below = min(last, -wide) - min(first, -wide)
    mean = ((high - low) * (low + high) / 2 + (above - below) * wide) / rise
    return (end - start) * mean

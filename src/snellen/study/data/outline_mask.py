"""The pixels inside an outline that a person drew."""

from __future__ import annotations

import numpy as np

from snellen.study.trial import OutlineAnswer
from snellen.vision.arrays import Bools
from snellen.vision.masks.polygons import masks_of_polygons

FRACTION = 4
"""Bits of the fractions of pixels that OpenCV is given."""


def outline_mask(answer: OutlineAnswer, size: tuple[int, int]) -> Bools:
    """(H, W) the pixels inside the polygons or painted by the strokes. size: (height, width).

    >>> square = OutlineAnswer(polygons=(((1, 1), (3, 1), (3, 3), (1, 3)),))
    >>> outline_mask(square, (4, 4)).sum()
    np.int64(4)
    """
    painted = np.zeros(size, dtype=bool)
    if answer.polygons:
        corners = [np.array(one, dtype=np.float64).ravel() for one in answer.polygons]
        painted |= masks_of_polygons([corners], size).to_array()[0]
    return _painted(painted, answer) if answer.strokes else painted


def _painted(ground: Bools, answer: OutlineAnswer) -> Bools:
    """The mask after the strokes of a round brush, in their order."""
    import cv2

    canvas = ground.astype(np.uint8)
    scale = 1 << FRACTION
    for stroke in answer.strokes:
        value = 0 if stroke.erases else 1
        # a pixel's centre is at half a pixel on the page, at a whole one in OpenCV
        points = np.round((np.array(stroke.points) - 0.5) * scale).astype(np.int32)
        if len(points) > 1:
            width = max(1, round(2 * stroke.radius))
            cv2.polylines(canvas, [points[:, None]], False, value, width, cv2.LINE_8, FRACTION)
        for x, y in points[[0, -1]].tolist():
            cv2.circle(
                canvas, (x, y), round(stroke.radius * scale), value, -1, cv2.LINE_8, FRACTION
            )
    return np.asarray(canvas != 0)

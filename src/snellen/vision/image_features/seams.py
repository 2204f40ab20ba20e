"""The visibility of the edge of a paste: how sharply the image changes across it.

A camera spreads an edge over several pixels; a bad paste jumps within one, or adds a fringe that
jumps twice. So along short lines across the edge the steepest step is divided by the total change,
and compared with the same share of lines anywhere in the scene, its normal sharpness.
"""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import Bools, Bytes, Image

REACH = 4
"""Pixels of a line on each side of the crossing."""


def step_share(image: Image, crossings: tuple[Bools, Bools] | None = None) -> float:
    """The steepest step of lines through an image as a share of their total change, 0 to 1.

    image: H x W x 3. crossings: positions of lines down ((H-1) x W) and across (H x (W-1)), each by
    the pixel before the crossing; everywhere if None. Lines have 8 pixels, clipped at the border;
    steps are between neighbours, up to two pixels from the crossing. Step and change are those of
    the channel with the largest, and lines are weighted by their change. An image without change
    has the share 0.

    >>> jump = np.zeros((10, 10, 3), np.uint8)
    >>> jump[:, 5:] = 200
    >>> slope = np.arange(0, 200, 20, dtype=np.uint8)[None, :, None].repeat(10, 0).repeat(3, 2)
    >>> round(step_share(jump), 2), round(step_share(slope), 2)
    (0.71, 0.18)
    """
    steps, changes = 0.0, 0.0
    for axis in (0, 1):
        if image.shape[axis] < 2:
            continue
        step, change = _steps_and_changes(image, axis)
        where = crossings[axis] if crossings is not None else np.True_
        steps += float(step.sum(where=where, dtype=np.float64))
        changes += float(change.sum(where=where, dtype=np.float64))
    return steps / changes if changes > 0 else 0.0


def seam(image: Image, inside: Bools, normal: float) -> float:
    """The excess sharpness of an image across the edge of a shape, 0 to 1.

    image: H x W x 3, with some pixels around the shape. inside: H x W. normal: the `step_share` of
    the whole scene. 0 is as sharp as the scene or softer; 1 is a jump within one pixel everywhere.
    """
    share = step_share(image, (inside[1:] != inside[:-1], inside[:, 1:] != inside[:, :-1]))
    return max(0.0, (share - normal) / (1 - normal)) if normal < 1 else 0.0


def _steps_and_changes(image: Image, axis: int) -> tuple[Bytes, Bytes]:
    """Steepest step and total change of the line down (0) or across (1) at each crossing."""
    import cv2

    def window(length: int) -> Bytes:
        return np.ones((length, 1) if axis == 0 else (1, length), dtype=np.uint8)

    first, second = (image[:-1], image[1:]) if axis == 0 else (image[:, :-1], image[:, 1:])
    step = cv2.absdiff(np.ascontiguousarray(second), np.ascontiguousarray(first)).max(axis=2)
    before = REACH - 1
    anchor = (0, before) if axis == 0 else (before, 0)
    line = window(2 * REACH)
    change = cv2.subtract(
        cv2.dilate(image, line, anchor=anchor), cv2.erode(image, line, anchor=anchor)
    )
    steepest = cv2.dilate(step, window(2 * before - 1))
    whole = change.max(axis=2)
    return steepest, whole[:-1] if axis == 0 else whole[:, :-1]

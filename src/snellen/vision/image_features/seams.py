"""How much a paste's edge stands out: by how sharply the picture changes across it.

A camera spreads an edge over some pixels; a bad paste jumps within one, or adds a fringe that jumps
twice. So along short lines across the edge the steepest step is set against the whole change, and
that share against the share of lines anywhere in the scene, which is its own normal sharpness.
"""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import Bools, Bytes, Image

REACH = 4
"""Pixels of a line on each side of the place it crosses."""


def step_share(image: Image, crossings: tuple[Bools, Bools] | None = None) -> float:
    """The steepest step of lines through an image as a share of all their change, 0 to 1.

    image: H x W x 3. crossings: where lines down ((H-1) x W) and across (H x (W-1)) are laid, each
    named by the pixel before the crossing; everywhere if None. Lines are of 8 pixels, cut off at
    the border; steps are between neighbours, up to two pixels from the crossing. Both step and
    change are those of the channel that has most, and a line counts as much as it changes. An image
    without change has the share 0.

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
        step, change = _along(image, axis)
        where = crossings[axis] if crossings is not None else np.True_
        steps += float(step.sum(where=where, dtype=np.float64))
        changes += float(change.sum(where=where, dtype=np.float64))
    return steps / changes if changes > 0 else 0.0


def seam(image: Image, inside: Bools, normal: float) -> float:
    """How much sharper than normal an image changes across the edge of a shape, 0 to 1.

    image: H x W x 3, with some pixels around the shape. inside: H x W. normal: the `step_share` of
    the whole scene. 0 is as in the scene itself or softer; 1 is a jump within one pixel all along.
    """
    share = step_share(image, (inside[1:] != inside[:-1], inside[:, 1:] != inside[:, :-1]))
    return max(0.0, (share - normal) / (1 - normal)) if normal < 1 else 0.0


def _along(image: Image, axis: int) -> tuple[Bytes, Bytes]:
    """Steepest step and whole change of the line down (0) or across (1) through each crossing."""
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

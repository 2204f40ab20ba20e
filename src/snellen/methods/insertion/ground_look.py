"""Where the ground of a picture looks like that under an object."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F32, Bools, Image

ALIKE = 16.0
"""The largest difference of mean colour and texture, in units of CIE L*a*b*."""
SHADED = 0.5
"""The weight of lightness, of which shadows take some away."""
TEXTURE = 1.0
"""The weight of texture: the standard deviation of lightness in a strip."""
STRIP = 0.06
"""Height of the strip at the feet of an object, as a share of its height; at least 2 pixels."""


def ground_like(pixels: Image, boxes: F32, target: int) -> Bools:
    """(H, W): whether colour and texture around a pixel are those at the feet of the target.

    boxes: (N, 4) xyxy. They are averaged over a strip as wide as a third of the target. The strip
    under the target and half its width beside it is what is compared with, without pixels of
    objects.
    """
    x1, y1, x2, y2 = (float(value) for value in boxes[target])
    deep = max(2, round(STRIP * (y2 - y1)))
    strip = _feet(pixels.shape[:2], boxes, target, deep)
    if not strip.any():
        return np.ones(pixels.shape[:2], dtype=bool)
    look = _look(pixels, max(3, round((x2 - x1) / 3)), 2 * deep + 1)
    away = np.sqrt(((look - np.median(look[strip], axis=0)) ** 2).sum(axis=2))
    return np.asarray(away <= ALIKE)


def _look(pixels: Image, wide: int, high: int) -> F32:
    """(H, W, 4): mean colour and texture in a strip around each pixel."""
    import cv2

    lab = cv2.cvtColor(pixels.astype(np.float32) / np.float32(255), cv2.COLOR_RGB2LAB)
    size, edge = (wide, high), cv2.BORDER_REPLICATE
    square = cv2.blur(lab[..., 0] ** 2, size, borderType=edge)
    mean = cv2.blur(lab, size, borderType=edge)
    texture = np.sqrt(np.maximum(square - mean[..., 0] ** 2, 0))
    mean[..., 0] *= np.float32(SHADED)
    return np.dstack([mean, np.float32(TEXTURE) * texture])


def _feet(size: tuple[int, ...], boxes: F32, target: int, deep: int) -> Bools:
    """(H, W): the ground under and beside the feet of the target, without objects."""
    x1, _, x2, y2 = (float(value) for value in boxes[target])
    half = (x2 - x1) / 2
    top, bottom = max(0, int(y2) - deep), min(size[0], int(y2) + 2 * deep)
    left, right = max(0, int(x1 - half)), min(size[1], int(x2 + half))
    strip = np.zeros(size, dtype=bool)
    strip[top:bottom, left:right] = True
    for a, b, c, d in boxes:
        strip[max(0, int(b)) : int(d), max(0, int(a)) : int(c)] = False
    return strip

"""The shadow at the base of a pasted object, where it touches the ground.

It is soft and has no direction, as under an overcast sky. A patch with the same mask casts the
same one, so that a control differs from its insertion in the object alone.
"""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F32, Bytes, Image

CONTACT = 0.12
"""How far above the base, as a share of the height, parts still touch the ground, such as the
underside of a car."""
SOFT = (0.05, 0.025)
"""Width of the blur as shares of the object's width and height."""
REACH = (0.06, 0.05)
"""How far it reaches beside and below the object, as shares of its width and height."""


def shadow_reach(width: int, height: int) -> tuple[int, int]:
    """Pixels that the shadow of an object of this size reaches beyond each side, and below it.

    >>> shadow_reach(100, 200)
    (6, 10)
    """
    return max(1, round(REACH[0] * width)), max(1, round(REACH[1] * height))


def with_shadow(
    image: Image, dark: F32, size: tuple[int, int], x: int, y: int, strength: float
) -> Image:
    """A copy of the image with the shadow of a shape, top-left corner at x, y.

    dark: by `base_shadow`. size: (height, width) of the shape. strength: the share of the light
    that is taken away where the shadow is darkest, 0 to 1.
    """
    beside, below = shadow_reach(size[1], size[0])
    rows, columns = image.shape[:2]
    top = y + size[0] + below - dark.shape[0]
    first, last = max(0, top), min(rows, top + dark.shape[0])
    left, right = max(0, x - beside), min(columns, x - beside + dark.shape[1])
    out = image.copy()
    if first >= last or left >= right:
        return out
    part = dark[first - top : last - top, left - x + beside : right - x + beside]
    view = out[first:last, left:right]
    light = np.float32(1) - np.float32(strength) * part
    view[...] = np.rint(view * np.repeat(light[..., None], 3, axis=2)).astype(np.uint8)
    return out


def base_shadow(alpha: Bytes) -> F32:
    """The shadow at the base of a shape with alpha (h, w), 0 to 1.

    It has all columns with a margin, the lowest rows and what is below; see `shadow_reach`.
    """
    import cv2

    height, width = alpha.shape
    beside, below = shadow_reach(width, height)
    depth = max(1, round(CONTACT * height))
    base = np.zeros((2 * depth + below, width + 2 * beside), np.float32)
    solid = alpha[max(0, height - 2 * depth) :] >= 128
    if solid.shape[0] < 2 * depth:
        solid = np.pad(solid, ((2 * depth - solid.shape[0], 0), (0, 0)))
    lowest = 2 * depth - 1 - np.argmax(solid[::-1], axis=0)
    touching = solid.any(axis=0) & (lowest >= depth)
    base[lowest[touching], np.flatnonzero(touching) + beside] = 1
    sigma = max(1.0, SOFT[0] * width), max(1.0, SOFT[1] * height)
    soft: F32 = cv2.GaussianBlur(
        base, (0, 0), sigma[0], sigmaY=sigma[1], borderType=cv2.BORDER_CONSTANT
    )
    peak = float(soft.max())
    return soft / np.float32(peak) if peak > 0 else soft

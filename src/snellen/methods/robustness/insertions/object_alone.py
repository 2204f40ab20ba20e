"""An object alone on grey, to see how the subject detects it without surroundings."""

from __future__ import annotations

import numpy as np

from snellen.methods.free_places import Box
from snellen.objects.cutouts.cutout import Cutout
from snellen.scenes.scene import PictureArray, Scene

SIDE = 416
FILLED = 0.5
"""The share of the canvas's side that the object's longer side takes."""
GREY = 124


def object_alone(cutout: Cutout) -> tuple[Scene, Box]:
    """A scene with the object in its middle, always the same, and the object's box."""
    import cv2

    height, width = cutout.size
    scale = FILLED * SIDE / max(height, width)
    size = max(1, round(width * scale)), max(1, round(height * scale))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    alpha = cutout.pixels[..., 3:].astype(np.float32) / 255
    # Colours weighted by opacity, so that none bleeds in from transparent pixels.
    planes = np.dstack([cutout.pixels[..., :3] * alpha, alpha])
    small = np.asarray(cv2.resize(planes, size, interpolation=way)).reshape(size[1], size[0], 4)
    canvas = np.full((SIDE, SIDE, 3), float(GREY), dtype=np.float32)
    x, y = (SIDE - size[0]) // 2, (SIDE - size[1]) // 2
    part = canvas[y : y + size[1], x : x + size[0]]
    part[:] = small[..., :3] + (1 - small[..., 3:]) * part
    pixels = np.rint(canvas).astype(np.uint8)
    scene = Scene(f"object {cutout.id}", PictureArray(pixels), (SIDE, SIDE))
    return scene, (x, y, x + size[0], y + size[1])

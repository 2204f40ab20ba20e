"""Small valid pictures, and what is read of a scene after its set was opened."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image as Pillow

from snellen.scenes.scene import SceneSet

SIZE = (24, 32)
"""(height, width) of the pictures."""


def encoded(pixels: np.ndarray, kind: str = "PNG") -> bytes:
    """An array as an image file."""
    buffer = io.BytesIO()
    Pillow.fromarray(pixels).save(buffer, kind)
    return buffer.getvalue()


def photograph(kind: str = "PNG") -> bytes:
    """A colour picture."""
    rows, columns = np.mgrid[: SIZE[0], : SIZE[1]]
    return encoded(np.stack([rows * 8, columns * 7, rows + columns], -1).astype(np.uint8), kind)


def mask(values: int = 3) -> bytes:
    """A mask image with vertical bands of the values from 0."""
    columns = np.mgrid[: SIZE[0], : SIZE[1]][1]
    return encoded((columns * values // SIZE[1]).astype(np.uint8))


def read_scenes(scenes: SceneSet) -> None:
    """Read what a test reads of each scene, but for its pixels."""
    for scene in scenes:
        known = scene.annotations
        if known is not None and known.masks is not None:
            known.masks.areas()
            known.masks.boxes()
        if scene.sweep is not None:
            scene.sweep.points()
            scene.sweep.labels()
            scene.sweep.calibration().frames()
            scene.sweep.digest()

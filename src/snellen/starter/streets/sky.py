"""The sky behind a street."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F32
from snellen.vision.rendering.light import Light
from snellen.vision.solids.coordinate_frames import CoordinateFrames

CLOUDS = 0.35


def sky(
    shape: tuple[int, int], frames: CoordinateFrames, light: Light, rng: np.random.Generator
) -> F32:
    """(H, W, 3) linear RGB: bright at the horizon, blue above, with soft clouds."""
    import cv2

    height, width = shape
    lens = frames.projection[:, :3]
    rows, columns = np.mgrid[0:height, 0:width]
    x, y = (columns - lens[0, 2]) / lens[0, 0], (rows - lens[1, 2]) / lens[1, 1]
    up = np.clip(-y / np.sqrt(1 + x * x + y * y), 0, 1)[..., None]
    _, _, zenith, horizon, _, _ = light.table()
    clear = horizon + (zenith - horizon) * np.sqrt(up)
    veil = np.zeros(shape, dtype=np.float32)
    for cells, weight in ((3, 1.0), (8, 0.6), (20, 0.35)):
        spots = rng.standard_normal((cells, 3 * cells)).astype(np.float32)
        veil += weight * cv2.resize(spots, (width, height), interpolation=cv2.INTER_CUBIC)
    cover = CLOUDS * np.clip(veil, 0, 1)[..., None]
    return np.asarray(clear * (1 - cover) + cover * 0.9, dtype=np.float32)

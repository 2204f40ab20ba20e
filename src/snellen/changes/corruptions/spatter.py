"""Spatter: drops of water on the lens, at higher levels mud."""

from __future__ import annotations

import numpy as np

from snellen.changes.corruptions.corruption import Corruption, Settings
from snellen.changes.corruptions.pixel_values import rounded
from snellen.changes.corruptions.random_fields import normal_field, seeded_generator
from snellen.vision.arrays import F32, Image

_WATER = np.array([175, 238, 238], np.float32)
_MUD = np.array([63, 42, 20], np.float32)


def spatter(image: Image, settings: Settings, seed: int) -> Image:
    """The image behind drops.

    settings: mean and standard deviation of the wetness field, its smoothing in pixels, the wetness
    above which there is a drop, the lightness of water, the smoothing of mud in pixels, and the
    opacity of mud, which covers the water.
    """
    mean, spread, smooth, threshold, light, smear, mud = settings
    field = normal_field(seeded_generator(seed, "spatter"), *image.shape[:2])
    wet = mean + spread * _blur(field, smooth) - np.float32(threshold)
    pixels = image.astype(np.float32)
    if light > 0:
        pixels += (light * _water_light(wet))[..., None] * _WATER
    if mud > 0:
        cover = np.float32(mud) * _mud_opacity(wet, smear)[..., None]
        pixels += cover * (_MUD - pixels)
    return rounded(pixels)


def _water_light(wet: F32) -> F32:
    """(H, W) light added by drops, 0 to 1: little on one side of a drop, much on the other."""
    import cv2

    inside = np.clip(wet * 300, 0, 1)
    depth = cv2.distanceTransform((wet > 0).astype(np.uint8), cv2.DIST_L2, 5)
    depth = cv2.blur(np.minimum(depth, 20) / 20, (3, 3))
    slope = cv2.filter2D(depth, -1, _EMBOSS)
    found: F32 = inside * cv2.blur(np.clip(0.15 + 1.5 * slope, 0, 1), (3, 3))
    return found


def _mud_opacity(wet: F32, smear: float) -> F32:
    """(H, W) opacity of the mud, 0 to 1; thin mud is dropped."""
    thick = _blur((wet > 0).astype(np.float32), smear)
    found: F32 = thick * np.clip((thick - np.float32(0.78)) * 25, 0, 1)
    return found


def _blur(field: F32, sigma: float) -> F32:
    import cv2

    found: F32 = cv2.GaussianBlur(field, (0, 0), sigma, borderType=cv2.BORDER_REPLICATE)
    return found


_EMBOSS = np.array([[-2, -1, 0], [-1, 1, 1], [0, 1, 2]], np.float32)

SPATTER = Corruption(
    "spatter",
    spatter,
    (
        (0.65, 0.3, 4.0, 0.70, 0.0, 1.5, 0.0),
        (0.65, 0.3, 4.0, 0.69, 0.38, 1.5, 0.0),
        (0.65, 0.3, 3.0, 0.68, 0.5, 1.5, 0.0),
        (0.65, 0.3, 2.0, 0.68, 0.57, 1.5, 0.0),
        (0.66, 0.3, 2.0, 0.67, 0.57, 1.5, 0.4),
        (0.67, 0.3, 2.0, 0.66, 0.57, 1.5, 0.8),
        (0.73, 0.35, 2.0, 0.65, 0.57, 1.5, 1.0),
    ),
    published=(
        (0.65, 0.3, 4.0, 0.69, 0.38, 1.5, 0.0),
        (0.65, 0.3, 3.0, 0.68, 0.5, 1.5, 0.0),
        (0.65, 0.3, 2.0, 0.68, 0.57, 1.5, 0.0),
        (0.65, 0.3, 1.0, 0.65, 0.0, 1.5, 1.0),
        (0.67, 0.4, 1.0, 0.65, 0.0, 1.5, 1.0),
    ),
)

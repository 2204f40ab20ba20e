"""JPEG artefacts, pixelation and elastic distortion."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from snellen.changes.corruptions.corruption import Corruption, Settings
from snellen.changes.corruptions.image_mixture import bracket, mix_blocks
from snellen.changes.corruptions.random_fields import seeded_generator, uniform_field
from snellen.vision.arrays import Image


def jpeg_compression(image: Image, settings: Settings, seed: int) -> Image:  # noqa: ARG001
    """The image encoded as JPEG; settings: quality, 1 to 100, or 101 for no encoding.

    Between two of `QUALITIES` their images are mixed by blocks. With more of them visual change
    would not be monotone: a photograph hardly changes at the quality with which it was encoded
    before.
    """
    (quality,) = settings
    finer, coarser, share = bracket(quality, QUALITIES)
    return mix_blocks(_encode(image, finer), lambda: _encode(image, coarser), share)


def _encode(image: Image, quality: int) -> Image:
    from PIL import Image as Pillow

    if quality > 100:
        return image
    buffer = io.BytesIO()
    Pillow.fromarray(image).save(buffer, "JPEG", quality=quality)
    with Pillow.open(buffer) as encoded:
        return np.array(encoded)


def pixelate(image: Image, settings: Settings, seed: int) -> Image:  # noqa: ARG001
    """The image in coarse pixels; settings: their number per side as a share of the original.

    Between two of `COARSENESS` their images are mixed by blocks, because the visibility of coarse
    pixels depends on their alignment with the fine ones and jumps from one number to the next.
    """
    (many,) = settings
    finer, coarser, share = bracket(many, COARSENESS)
    return mix_blocks(_coarsen(image, finer), lambda: _coarsen(image, coarser), share)


def _coarsen(image: Image, share: float) -> Image:
    """The image with this share of its pixels per side, counted as in ImageNet-C."""
    from PIL import Image as Pillow

    if share == 1:
        return image
    sides = image.shape[1::-1]
    few = [max(1, int(side * share)) for side in sides]
    small = Pillow.fromarray(image).resize(few, Pillow.Resampling.BOX)
    return np.array(small.resize(sides, Pillow.Resampling.NEAREST))


def elastic_transform(image: Image, settings: Settings, seed: int) -> Image:
    """The image warped by a smooth random field; settings: the strength as in ImageNet-C."""
    import cv2

    (strength,) = settings
    height, width = image.shape[:2]
    rng = seeded_generator(seed, "elastic_transform")
    rows, columns = np.indices((height, width), dtype=np.float32)
    columns += strength * _displacement(rng, height, width)
    rows += strength * _displacement(rng, height, width)
    found: Image = cv2.remap(image, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return found


def _displacement(rng: np.random.Generator, height: int, width: int) -> Any:
    """(H, W) displacements in pixels at strength 1: noise smoothed over 1% of each side."""
    import cv2

    noise = uniform_field(rng, height, width) * np.float32(0.005 * height)
    sides = [2 * int(0.03 * side + 0.5) + 1 for side in (width, height)]
    return cv2.GaussianBlur(
        noise, sides, 0.01 * width, sigmaY=0.01 * height, borderType=cv2.BORDER_REFLECT
    )


QUALITIES = (101, 88, 78, 68, 58, 48, 40, 33, 28, 25, 21, 18, 15, 12, 10, 8, 7, 5, 3, 1)
COARSENESS = (1.0, 0.6, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05)

JPEG_COMPRESSION = Corruption(
    "jpeg_compression",
    jpeg_compression,
    ((101.0,), (25.0,), (18.0,), (15.0,), (10.0,), (7.0,), (1.0,)),
)
PIXELATE = Corruption(
    "pixelate", pixelate, tuple((share,) for share in (1.0, 0.6, 0.5, 0.4, 0.3, 0.25, 0.05))
)
ELASTIC_TRANSFORM = Corruption(
    "elastic_transform",
    elastic_transform,
    tuple((250 * share,) for share in (0, 0.05, 0.065, 0.085, 0.1, 0.12, 0.4)),
)

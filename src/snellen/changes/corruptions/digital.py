"""What codecs and resampling do: coding, coarse pixels, and wobbling."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from snellen.changes.corruptions.corruption import Corruption, Image, Settings
from snellen.changes.corruptions.fields import dice, uniform_field
from snellen.changes.corruptions.mixing import mixed


def jpeg_compression(image: Image, settings: Settings, seed: int) -> Image:  # noqa: ARG001
    """The image coded as JPEG; settings: the quality, 1 to 100, and 101 for the image itself.

    Between two whole qualities their images are mixed.
    """
    (quality,) = settings
    finer = int(np.ceil(quality))
    return mixed(_coded(image, finer), lambda: _coded(image, finer - 1), finer - quality)


def _coded(image: Image, quality: int) -> Image:
    from PIL import Image as Pillow

    if quality > 100:
        return image
    buffer = io.BytesIO()
    Pillow.fromarray(image).save(buffer, "JPEG", quality=quality)
    with Pillow.open(buffer) as coded:
        return np.array(coded)


def pixelate(image: Image, settings: Settings, seed: int) -> Image:  # noqa: ARG001
    """The image in coarse pixels; settings: the severity, 0 to 6.

    Between two whole numbers of coarse pixels along the longer side their images are mixed.
    """
    (severity,) = settings
    numbers = _numbers(max(image.shape[:2]))
    many = float(np.interp(severity, range(7), numbers))
    finer = int(np.ceil(many))
    return mixed(_coarse(image, finer), lambda: _coarse(image, finer - 1), finer - many)


def _coarse(image: Image, longer: int) -> Image:
    """The image in so many coarse pixels along its longer side, in proportion along the other."""
    from PIL import Image as Pillow

    sides = image.shape[1::-1]
    of_longer = _numbers(max(sides))[::-1]
    few = [round(np.interp(longer, of_longer, _numbers(side)[::-1])) for side in sides]
    small = Pillow.fromarray(image).resize(few, Pillow.Resampling.BOX)
    return np.array(small.resize(sides, Pillow.Resampling.NEAREST))


def _numbers(side: int) -> list[int]:
    """How many coarse pixels a side has at each severity, in whole numbers as ImageNet-C counts."""
    return [max(1, int(side * share)) for share in COARSENESS]


def elastic_transform(image: Image, settings: Settings, seed: int) -> Image:
    """The image wobbled by a smooth random field; settings: how strongly, as ImageNet-C counts."""
    import cv2

    (strength,) = settings
    height, width = image.shape[:2]
    rng = dice(seed, "elastic_transform")
    rows, columns = np.indices((height, width), dtype=np.float32)
    columns += strength * _wobble(rng, height, width)
    rows += strength * _wobble(rng, height, width)
    found: Image = cv2.remap(image, columns, rows, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return found


def _wobble(rng: np.random.Generator, height: int, width: int) -> Any:
    """Shifts in pixels at strength 1: noise smoothed over a hundredth of each side."""
    import cv2

    noise = uniform_field(rng, height, width) * np.float32(0.005 * height)
    sides = [2 * int(0.03 * side + 0.5) + 1 for side in (width, height)]
    return cv2.GaussianBlur(
        noise, sides, 0.01 * width, sigmaY=0.01 * height, borderType=cv2.BORDER_REFLECT
    )


COARSENESS = (1.0, 0.6, 0.5, 0.4, 0.3, 0.25, 0.05)

JPEG_COMPRESSION = Corruption(
    "jpeg_compression",
    jpeg_compression,
    ((101.0,), (25.0,), (18.0,), (15.0,), (10.0,), (7.0,), (1.0,)),
)
PIXELATE = Corruption("pixelate", pixelate, tuple((float(step),) for step in range(7)))
ELASTIC_TRANSFORM = Corruption(
    "elastic_transform",
    elastic_transform,
    tuple((250 * share,) for share in (0, 0.05, 0.065, 0.085, 0.1, 0.12, 0.4)),
)

"""Perceptual hashes: 64 bits of the coarse structure of an image (pHash)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import Bytes, Image

SIDE, FINE = 8, 32
_BITS = np.uint64(1) << np.arange(SIDE * SIDE - 1, -1, -1, dtype=np.uint64)


def perceptual_hash(pixels: Bytes) -> int:
    """The hash of an H x W x 3 RGB image, or of an H x W x 4 cut-out on its own mean colour.

    The image in grey at 32 x 32 is cosine-transformed; each of the 8 x 8 lowest frequencies gives a
    bit, whether it is above their median. Rows top to bottom, highest bit first. The same bits as
    `imagehash.phash`.

    >>> ramp = np.repeat(np.arange(0, 256, 4, dtype=np.uint8)[None, :, None], 64, axis=0)
    >>> f"{perceptual_hash(np.repeat(ramp, 3, axis=2)):016x}"[:2]
    '80'
    """
    from PIL import Image as Pillow
    from scipy import fft

    grey = Pillow.fromarray(_flat(pixels)).convert("L")
    small = np.asarray(grey.resize((FINE, FINE), Pillow.Resampling.LANCZOS), dtype=np.float64)
    waves = fft.dct(fft.dct(small, axis=0), axis=1)[:SIDE, :SIDE]
    bits: Any = (waves > np.median(waves)).ravel()
    return int((bits * _BITS).sum(dtype=np.uint64))


def _flat(pixels: Bytes) -> Image:
    """The pixels as RGB, with the mean colour of the object where it is transparent."""
    if pixels.shape[2] == 3:
        return np.ascontiguousarray(pixels)
    alpha = pixels[..., 3:].astype(np.float64) / 255
    colours = pixels[..., :3].astype(np.float64)
    mean = (colours * alpha).sum(axis=(0, 1)) / max(float(alpha.sum()), 1e-6)
    return np.asarray(np.rint(alpha * colours + (1 - alpha) * mean), dtype=np.uint8)


def surroundings_of(image: Image, box: npt.ArrayLike) -> Image:
    """The crop around a box: enlarged by half of each side, clipped to the image."""
    x1, y1, x2, y2 = np.asarray(box, dtype=np.float64)
    height, width = image.shape[:2]
    dx, dy = (x2 - x1) / 2, (y2 - y1) / 2
    left, right = int(max(0, x1 - dx)), int(np.ceil(min(width, x2 + dx)))
    top, bottom = int(max(0, y1 - dy)), int(np.ceil(min(height, y2 + dy)))
    return image[top : max(bottom, top + 1), left : max(right, left + 1)]

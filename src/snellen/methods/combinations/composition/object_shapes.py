"""Shapes of objects at the sizes that the layout needs."""

from __future__ import annotations

from threading import Lock

import numpy as np
from cachetools import cached

from snellen.changes.byte_cache import byte_cache
from snellen.changes.compose.cutout_cache import cutout_pixels
from snellen.changes.paste.direct_paste import layers_at
from snellen.changes.paste.stencil import resized
from snellen.objects.library.library import Library
from snellen.vision.arrays import F32, Bytes

SMALL = 128
"""The longer side in pixels of an alpha channel for rough shapes."""

_HALF = 0.5
_MOST_BYTES = 16 * 2**20


def shape_at(library: Library, id: str, width: int, height: int) -> Bytes:
    """The shape of an object pasted at a size, H x W of 0 and 1.

    Where its alpha is one half or more, or half of its maximum if it never is. A fully transparent
    object counts as its rectangle.
    """
    return _shape(layers_at(cutout_pixels(library, id), width, height)[..., 3])


def rough_shape(library: Library, id: str, width: int, height: int) -> Bytes:
    """An approximation of `shape_at` from a small cached copy of the alpha channel."""
    alpha = _small_alpha(id, library)
    return _shape(resized(alpha.astype(np.float32) / np.float32(255), width, height))


def _shape(opacity: F32) -> Bytes:
    most = float(opacity.max())
    threshold = _HALF if most >= _HALF else most / 2
    shape: Bytes = (opacity >= threshold).astype(np.uint8)
    return shape


@cached(byte_cache(_MOST_BYTES), key=lambda id, *_: id, lock=Lock())
def _small_alpha(id: str, library: Library) -> Bytes:
    import cv2

    alpha = np.ascontiguousarray(cutout_pixels(library, id)[..., 3])
    rows, columns = alpha.shape
    factor = min(1.0, SMALL / max(rows, columns))
    size = max(1, round(columns * factor)), max(1, round(rows * factor))
    small: Bytes = cv2.resize(alpha, size, interpolation=cv2.INTER_AREA)
    return small

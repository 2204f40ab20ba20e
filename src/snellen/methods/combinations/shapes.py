"""Shapes of objects at any size, as the layout needs them."""

from __future__ import annotations

import numpy as np

from snellen.changes.cutouts import cutout_pixels
from snellen.changes.layout import Shape
from snellen.changes.stencil import binary, resized
from snellen.objects.library import Library


def shape_at(library: Library, id: str, width: int, height: int) -> Shape:
    """Where an object is, H x W of 0 and 1, when it is pasted so large.

    That is, where its alpha is one half or more; of its greatest half, where it never is. One that
    is nowhere at all counts as its rectangle.
    """
    alpha = cutout_pixels(library, id)[..., 3].astype(np.float32) / np.float32(255)
    shape: Shape = binary(resized(alpha, width, height)).astype(np.uint8)
    return shape if shape.any() else np.ones_like(shape)

"""Conversion of grey levels to pixels."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import AnyArray, Image


def rounded(values: AnyArray) -> Image:
    """The nearest uint8 of each grey level.

    >>> rounded(np.array([-3.0, 1.5, 99.7, 300.0])).tolist()
    [0, 2, 100, 255]
    """
    found: Image = np.clip(values + values.dtype.type(0.5), 0, 255).astype(np.uint8)
    return found

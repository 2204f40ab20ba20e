"""Conversion of heat maps from a layer's resolution to image pixels."""

from __future__ import annotations

import numpy as np

from snellen.subjects.model_file.letterbox import Letterbox
from snellen.vision.arrays import F32


def in_image(heat: F32, letterbox: Letterbox) -> F32:
    """The heat map (h, w) of a network input as (H, W) of the image in it, in [0, 1].

    It is resized bilinearly, the padding around a letterboxed image is removed, and the maximum is
    1 again.

    >>> frame = Letterbox(image=(4, 8), network=(8, 8), content=(4, 8), offset=(2, 0))
    >>> in_image(np.eye(2, dtype=np.float32), frame).shape
    (4, 8)
    """
    import cv2

    (tall, wide), (top, left) = letterbox.content, letterbox.offset
    whole = cv2.resize(heat, letterbox.network[::-1], interpolation=cv2.INTER_LINEAR)
    inside = whole[top : top + tall, left : left + wide]
    own = cv2.resize(inside, letterbox.image[::-1], interpolation=cv2.INTER_LINEAR)
    warmest = own.max(initial=0.0)
    return np.asarray(np.clip(own / warmest if warmest > 0 else own, 0, 1), dtype=np.float32)

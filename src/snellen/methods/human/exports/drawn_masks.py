"""The masks that people drew, decoded, and how published code compares them."""

from __future__ import annotations

import base64
import io

import numpy as np

from snellen.methods.human.exports.export_rows import Corners, DrawnMask, mask_mistake
from snellen.scenes.image_files.opened_image import TooManyPixelsError, opened_image
from snellen.vision.arrays import Bools


def decoded(mask: DrawnMask) -> Bools:
    """(H, W) the pixels that a person coloured."""
    try:
        data = base64.b64decode(mask.png, validate=True)
        with opened_image(io.BytesIO(data)) as image:
            values = np.asarray(image)
    except TooManyPixelsError as error:
        raise mask_mistake(mask, str(error)) from None
    except Exception:
        raise mask_mistake(mask, "is no image") from None
    return np.asarray(values != 0 if values.ndim == 2 else (values[..., :3] != 0).any(axis=2))


def mean_jaccard(one: Bools, other: Bools) -> float:
    """The mean IoU of foreground and background, 0 for either that both lack.

    >>> mean_jaccard(np.ones((2, 2), bool), np.ones((2, 2), bool))
    0.5
    """
    if one.shape != other.shape or not one.size:
        return 0.0
    shares = []
    for a, b in ((one, other), (~one, ~other)):
        union = int(np.count_nonzero(a | b))
        shares.append(int(np.count_nonzero(a & b)) / union if union else 0.0)
    return sum(shares) / 2


def published_crop(mask: Bools, box: Corners) -> Bools:
    """The mask in a box counted from 1, as published: nothing of a box that starts at 0."""
    x1, y1, x2, y2 = (int(side) for side in box)
    return mask[y1 - 1 : y2, x1 - 1 : x2]

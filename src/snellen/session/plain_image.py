"""Images in the forms that users have them, as H x W x 3 uint8 RGB arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from PIL import Image as Pillow

from snellen.errors import UserError
from snellen.subjects.answers.value_checks import detached
from snellen.vision.arrays import Image

EXPECTED = "expected height x width x 3 uint8 in RGB order"


def plain_image(value: Any, where: str) -> Image:
    """The image, H x W x 3 uint8 RGB; `where` starts each message.

    Grey images are repeated over the channels, Pillow images converted. Whether an array is RGB or
    BGR can't be seen, so it is taken as RGB.
    """
    if isinstance(value, Pillow.Image):
        return np.asarray(value.convert("RGB"))
    array = np.asarray(detached(value))
    if array.ndim == 3 and array.shape[2] == 1:
        array = array[..., 0]
    if array.ndim == 2 and array.dtype == np.uint8:
        array = np.repeat(array[..., None], 3, axis=2)
    problem = _problem(array)
    if problem:
        raise UserError(f"{where}: {problem}")
    return np.ascontiguousarray(array)


def _problem(array: np.ndarray[Any, Any]) -> str:
    """What is wrong with an array, and what to do; empty if it is an image."""
    found = f"found an array of shape {array.shape} and type {array.dtype}, {EXPECTED}."
    if array.ndim not in (2, 3) or array.size == 0 or array.dtype.kind not in "buif":
        return found
    if array.ndim == 3 and array.shape[0] in (1, 3) and array.shape[2] not in (3, 4):
        return f"{found} Channels are first: use image.transpose(1, 2, 0)."
    if array.ndim == 3 and array.shape[2] == 4:
        return f"{found} It has an alpha channel: use image[..., :3]."
    if array.ndim == 3 and array.shape[2] != 3:
        return found
    if array.dtype == np.uint8:
        return ""
    if array.dtype.kind == "f" and float(array.max()) <= 1:
        return f"{found} Values are 0 to 1: use (image * 255).round().astype('uint8')."
    return f"{found} If values are 0 to 255: use image.astype('uint8')."

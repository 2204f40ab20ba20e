"""Preprocessing of images: fit, channel order, scale, mean and standard deviation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from snellen.subjects.model_file.letterbox import InputFit, Letterbox, letterboxed
from snellen.vision.arrays import F32, Bytes

Triple = tuple[float, float, float]

IMAGENET_MEAN: Triple = (0.485, 0.456, 0.406)
IMAGENET_STD: Triple = (0.229, 0.224, 0.225)


@dataclass(frozen=True)
class Preprocessing:
    """From pixels to a network's input: `(pixel * scale - mean) / std`, by channel.

    fit: how the image is fitted to the input. channels: `rgb` or `bgr`, the order of the network's
    input and of mean and std. pad: the pixel value around a letterboxed image.
    """

    fit: InputFit = InputFit.STRETCH
    channels: str = "rgb"
    scale: float = 1 / 255
    mean: Triple = (0.0, 0.0, 0.0)
    std: Triple = (1.0, 1.0, 1.0)
    pad: int = 114

    def pixels(self, image: Bytes, letterbox: Letterbox) -> Bytes:
        """The image letterboxed and in the network's channel order, H x W x 3 uint8."""
        square = letterboxed(image, letterbox, self.pad)
        return square if self.channels == "rgb" else np.ascontiguousarray(square[:, :, ::-1])

    def numbers(self, pixels: Bytes) -> F32:
        """The network's input for pixels in its channel order, H x W x 3 float32."""
        import cv2

        return np.asarray(cv2.LUT(pixels, _table(self)), dtype=np.float32)


FROM_MINUS_ONE_TO_ONE = Preprocessing(scale=1 / 127.5, mean=(1.0, 1.0, 1.0))
IMAGENET = Preprocessing(mean=IMAGENET_MEAN, std=IMAGENET_STD)


@lru_cache(maxsize=16)
def _table(preprocessing: Preprocessing) -> F32:
    """The input value of each pixel value and channel, (1, 256, 3); a look-up is faster."""
    values = np.arange(256)[None, :, None] * preprocessing.scale
    numbers = (values - np.array(preprocessing.mean)) / np.array(preprocessing.std)
    return np.asarray(numbers, dtype=np.float32)

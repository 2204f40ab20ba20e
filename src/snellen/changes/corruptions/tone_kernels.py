"""Compiled changes of HSV value and saturation, without conversion to HSV and back."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F32, Image
from snellen.vision.compilation import compiled


@compiled
def raise_value(image: Image, gain: F32, black: np.uint8) -> Image:
    """Each pixel times the gain of its largest channel; black pixels become the grey `black`."""
    out = np.empty_like(image)
    half = np.float32(0.5)
    for y in range(image.shape[0]):
        for x in range(image.shape[1]):
            red, green, blue = image[y, x, 0], image[y, x, 1], image[y, x, 2]
            value = max(red, green, blue)
            if value == 0:
                out[y, x, 0] = out[y, x, 1] = out[y, x, 2] = black
                continue
            scale = gain[value]
            out[y, x, 0] = np.uint8(red * scale + half)
            out[y, x, 1] = np.uint8(green * scale + half)
            out[y, x, 2] = np.uint8(blue * scale + half)
    return out


@compiled
def change_saturation(image: Image, factor: np.float32, added: np.float32) -> Image:
    """Each pixel with HSV saturation times `factor` plus `added`, clipped to 0 to 1.

    For value v and saturation s, a channel is v - d with d proportional to s. A grey pixel has no
    hue; HSV treats it as red, and it becomes red if `added` is positive.
    """
    out = np.empty_like(image)
    half, zero, one = np.float32(0.5), np.float32(0), np.float32(1)
    for y in range(image.shape[0]):
        for x in range(image.shape[1]):
            red, green, blue = image[y, x, 0], image[y, x, 1], image[y, x, 2]
            value = np.float32(max(red, green, blue))
            span = value - np.float32(min(red, green, blue))
            if span == zero:
                low = np.uint8(value * (one - min(max(added, zero), one)) + half)
                out[y, x, 0], out[y, x, 1], out[y, x, 2] = red, low, low
                continue
            wanted = min(max(span / value * factor + added, zero), one)
            scale = wanted * value / span
            out[y, x, 0] = np.uint8(value - (value - np.float32(red)) * scale + half)
            out[y, x, 1] = np.uint8(value - (value - np.float32(green)) * scale + half)
            out[y, x, 2] = np.uint8(value - (value - np.float32(blue)) * scale + half)
    return out

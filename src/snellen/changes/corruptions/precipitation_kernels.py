"""Compiled drawing of flakes and streaks over an image, in one pass over the pixels."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F32, Image, Ints
from snellen.vision.compilation import compiled


@compiled
def draw_streaks(drops: F32, rows: Ints, columns: Ints, weights: F32, half: int) -> F32:
    """(H, W): the correlation of sparse drops with a kernel, given by its nonzero weights.

    drops: with a border of `half` pixels on each side. rows, columns: of the weights in a square of
    2 * half + 1 pixels per side.
    """
    height, width = drops.shape[0] - 2 * half, drops.shape[1] - 2 * half
    out = np.zeros((height, width), np.float32)
    for y in range(drops.shape[0]):
        for x in range(drops.shape[1]):
            drop = drops[y, x]
            if drop == 0:
                continue
            for i in range(weights.size):
                row, column = y - rows[i], x - columns[i]
                if 0 <= row < height and 0 <= column < width:
                    out[row, column] += weights[i] * drop
    return out


@compiled
def add_snow(image: Image, flakes: F32, weight: np.float32) -> Image:
    """The image mixed with a whitened copy, plus flakes (H, W) in grey levels.

    weight: of the original, 0 to 1. The flakes are added twice, once rotated by 180 degrees.
    """
    out = np.empty_like(image)
    height, width = flakes.shape
    half, white, other = np.float32(0.5), np.float32(255), np.float32(1) - weight
    for y in range(height):
        for x in range(width):
            red, green, blue = image[y, x, 0], image[y, x, 1], image[y, x, 2]
            grey = np.float32(0.299) * red + np.float32(0.587) * green + np.float32(0.114) * blue
            pale = np.float32(1.5) * grey + np.float32(127.5)
            flake = flakes[y, x] + flakes[height - 1 - y, width - 1 - x] + half
            for c in range(3):
                value = np.float32(image[y, x, c])
                total = weight * value + other * max(value, pale) + flake
                out[y, x, c] = np.uint8(min(total, white))
    return out


@compiled
def add_rain(image: Image, streaks: F32, light: np.float32, veil: np.float32) -> Image:
    """The image under a grey veil, with streaks (H, W) of 0 to 1 that lighten dark areas most."""
    out = np.empty_like(image)
    half, white, one = np.float32(0.5), np.float32(255), np.float32(1)
    mist = np.float32(120) * veil + half
    for y in range(image.shape[0]):
        for x in range(image.shape[1]):
            lifted = white * light * min(streaks[y, x], one)
            for c in range(3):
                value = np.float32(image[y, x, c])
                total = value * (one - veil) + mist + lifted * (one - value / np.float32(300))
                out[y, x, c] = np.uint8(min(total, white))
    return out

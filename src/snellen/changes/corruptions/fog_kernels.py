"""Compiled clouds by the diamond-square algorithm, and fog from them."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F32, Image
from snellen.vision.compilation import compiled


@compiled
def plasma(steps: F32, decay: float) -> F32:
    """(S, S) periodic clouds from 0 to 1.

    steps: (S, S) of -1 to 1, S a power of two: the deviation of each point from the mean of its
    four coarser neighbours. decay: the factor by which deviations shrink per octave.
    """
    side = steps.shape[0]
    field = np.empty_like(steps)
    field[0, 0] = 0
    stride, size = side, 1.0
    while stride >= 2:
        half = stride // 2
        scale = np.float32(size)
        _squares(field, steps, stride, half, scale)
        _diamonds(field, steps, stride, half, scale)
        stride, size = half, size / decay
    _stretch(field)
    return field


@compiled
def _squares(field: F32, steps: F32, stride: int, half: int, scale: np.float32) -> None:
    side, quarter = field.shape[0], np.float32(0.25)
    for y in range(0, side, stride):
        below = (y + stride) & (side - 1)
        left = field[y, 0] + field[below, 0]
        for x in range(0, side, stride):
            beside = (x + stride) & (side - 1)
            right = field[y, beside] + field[below, beside]
            noise = scale * steps[y + half, x + half]
            field[y + half, x + half] = (left + right) * quarter + noise
            left = right


@compiled
def _diamonds(field: F32, steps: F32, stride: int, half: int, scale: np.float32) -> None:
    side, quarter = field.shape[0], np.float32(0.25)
    for y in range(0, side, half):
        above, below = (y - half) & (side - 1), (y + half) & (side - 1)
        for x in range(half if y % stride == 0 else 0, side, stride):
            left, right = (x - half) & (side - 1), (x + half) & (side - 1)
            around = field[above, x] + field[below, x] + field[y, left] + field[y, right]
            field[y, x] = around * quarter + scale * steps[y, x]


@compiled
def _stretch(field: F32) -> None:
    low, high = field[0, 0], field[0, 0]
    for y in range(field.shape[0]):
        for x in range(field.shape[1]):
            low, high = min(low, field[y, x]), max(high, field[y, x])
    scale = np.float32(1) / (high - low)
    for y in range(field.shape[0]):
        for x in range(field.shape[1]):
            field[y, x] = (field[y, x] - low) * scale


@compiled
def add_clouds(image: Image, clouds: F32, thickness: float) -> Image:
    """The image plus the top-left part of the clouds, scaled to keep its largest possible value."""
    most = np.float32(0)
    flat = image.reshape(-1)
    for i in range(flat.size):
        most = max(most, np.float32(flat[i]))
    scale = most / (most + np.float32(255 * thickness))
    lift = np.float32(255 * thickness) * scale
    out = np.empty_like(image)
    half = np.float32(0.5)
    for y in range(image.shape[0]):
        for x in range(image.shape[1]):
            cloud = lift * clouds[y, x] + half
            for c in range(3):
                out[y, x, c] = np.uint8(min(scale * image[y, x, c] + cloud, np.float32(255)))
    return out


@compiled
def add_haze(image: Image, patches: F32, depth: F32, air: tuple[int, int, int]) -> Image:
    """The image seen through fog: exp(-depth) of its light, the rest from the air.

    patches: (S, S) from 0 to 1, of which the top-left part is used; they vary the depth by up to a
    quarter of it up and down. depth: (H,) optical thickness at each row. air: RGB of thick fog.
    """
    out = np.empty_like(image)
    half, one = np.float32(0.5), np.float32(1)
    for y in range(image.shape[0]):
        for x in range(image.shape[1]):
            thickness = depth[y] * (one + half * (patches[y, x] - half))
            kept = np.exp(-thickness)
            for c in range(3):
                light = np.float32(air[c])
                out[y, x, c] = np.uint8(light + (np.float32(image[y, x, c]) - light) * kept + half)
    return out

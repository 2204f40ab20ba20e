"""Compiled noise: one pass over the values."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F32, Bytes, UInts16
from snellen.vision.compilation import compiled

WORDS = 65536


@compiled
def with_noise(values: Bytes, words: UInts16, normal: F32, spread: F32) -> Bytes:
    """Each value plus normal noise, rounded and clipped.

    words: one a value, that picks its number out of the table `normal`. spread: the noise's
    standard deviation in grey levels for each of the 256 values.
    """
    out = np.empty_like(values)
    for i in range(values.size):
        value = values[i]
        sum_ = np.float32(value) + spread[value] * normal[words[i]] + np.float32(0.5)
        out[i] = np.uint8(min(max(sum_, np.float32(0)), np.float32(255)))
    return out


@compiled
def struck(values: Bytes, words: UInts16, bound: int) -> Bytes:
    """Values whose word is below the bound turned to 0 (even words) or 255 (odd words)."""
    out = np.empty_like(values)
    for i in range(values.size):
        word = words[i]
        flipped = np.uint8(255) if word & 1 else np.uint8(0)
        out[i] = flipped if word < bound else values[i]
    return out


@compiled
def counted(values: Bytes, words: UInts16, white: float, share: float) -> Bytes:
    """Each value counted in photons, of which white has `white` in the mean.

    The count is the quantile of the Poisson distribution that the word asks for, so that it moves
    with the level and is never drawn anew. share: how much of the noise is added.
    """
    table = np.empty((256, WORDS >> 4), np.uint8)
    for value in range(256):
        _quantiles(value, white, share, table[value])
    out = np.empty_like(values)
    for i in range(values.size):
        out[i] = table[values[i], words[i] >> 4]
    return out


@compiled
def _quantiles(value: int, white: float, share: float, row: Bytes) -> None:
    """Fill in the noisy value of each quantile, the steps being as fine as the row is long."""
    mean = value * white / 255
    count, chance = 0, np.exp(-mean)
    below = chance
    for step in range(row.size):
        while (step + 0.5) / row.size > below and count < 10000:
            count += 1
            chance *= mean / count
            below += chance
        noisy = value + share * (count * 255 / white - value)
        row[step] = np.uint8(min(max(noisy + 0.5, 0.0), 255.0))

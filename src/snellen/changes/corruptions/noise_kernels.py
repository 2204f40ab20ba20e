"""Compiled noise, in one pass over the values."""

from __future__ import annotations

import numpy as np

from snellen.vision.arrays import F32, Bytes, UInts16
from snellen.vision.compilation import compiled

WORDS = 65536


@compiled
def normal_noise(values: Bytes, words: UInts16, normal: F32, spread: F32) -> Bytes:
    """(N,) values plus normal noise, rounded and clipped.

    words: (N,) indices into the table `normal`. spread: (256,) standard deviation of the noise in
    grey levels for each value.
    """
    out = np.empty_like(values)
    for i in range(values.size):
        value = values[i]
        sum_ = np.float32(value) + spread[value] * normal[words[i]] + np.float32(0.5)
        out[i] = np.uint8(min(max(sum_, np.float32(0)), np.float32(255)))
    return out


@compiled
def salt_and_pepper(values: Bytes, words: UInts16, bound: int) -> Bytes:
    """(N,) values, with 0 (even words) or 255 (odd words) where the word is below the bound."""
    out = np.empty_like(values)
    for i in range(values.size):
        word = words[i]
        flipped = np.uint8(255) if word & 1 else np.uint8(0)
        out[i] = flipped if word < bound else values[i]
    return out


@compiled
def poisson_noise(values: Bytes, words: UInts16, white: float, share: float) -> Bytes:
    """(N,) values as photon counts; white: the mean number of photons of white.

    The word selects a quantile of the Poisson distribution, so that the count changes smoothly with
    the level and is not drawn again. share: of the noise that is added.
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
    """Fill the row with the noisy value of each quantile, in equal steps."""
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

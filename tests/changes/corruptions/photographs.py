"""Synthetic images with the statistics of photographs."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from snellen.vision.arrays import F64, AnyArray, Image


@cache
def photograph(seed: int, height: int = 240, width: int = 320) -> Image:
    """Three correlated channels with the 1/f amplitudes of natural images, mean 118, sd 44."""
    rng = np.random.default_rng(seed)
    distance = frequencies(height, width)
    distance[0, 0] = np.inf

    def natural() -> Any:
        field = np.fft.ifft2(np.fft.fft2(rng.normal(size=(height, width))) / distance).real
        return field / field.std()

    shared = natural()
    channels = [118 + 45 * (0.9 * shared + 0.4 * natural()) for _ in range(3)]
    found: Image = np.clip(np.dstack(channels), 0, 255).astype(np.uint8)
    found.flags.writeable = False
    return found


def frequencies(height: int, width: int) -> F64:
    """Cycles per pixel of each entry of a two-dimensional Fourier transform."""
    down, across = np.fft.fftfreq(height), np.fft.fftfreq(width)
    found: F64 = np.hypot(down[:, None], across[None])
    return found


def spectrum(image: AnyArray) -> F64:
    """Mean power of the deviation from the mean in six octaves, 1/128 to 1/2 cycles per pixel."""
    grey = image.astype(np.float64).mean(axis=2)
    height, width = grey.shape
    window = np.hanning(height)[:, None] * np.hanning(width)[None]
    power = np.abs(np.fft.fft2((grey - grey.mean()) * window)) ** 2
    distance = frequencies(height, width)
    lows = 2.0 ** -np.arange(7, 1, -1)
    return np.array([power[(distance >= low) & (distance < 2 * low)].mean() for low in lows])

"""The spatial variation of a surface's colour."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from snellen.vision.arrays import F64

SIDE, CELL = 1024, 0.02
FADES = 14.0
"""Distance in metres beyond which fine grain is smaller than pixels and fades."""


@lru_cache(maxsize=4)
def _cloth(size: float, seed: int) -> F64:
    """(SIDE, SIDE) periodic noise of mean 0 and deviation 1, with spots of `size` cells."""
    noise = np.random.default_rng(seed).standard_normal((SIDE, SIDE))
    waves = np.fft.fftfreq(SIDE)
    keep = np.exp(-0.5 * (waves[:, None] ** 2 + waves[None] ** 2) * (2 * np.pi * size) ** 2)
    smooth = np.fft.ifft2(np.fft.fft2(noise) * keep).real
    return np.asarray(smooth / smooth.std())


def grain(places: F64, depth: F64) -> F64:
    """(K,) mean 0, deviation about 1; places: (K, 3) in metres; depth: (K,) their distance."""
    x, y, z = places.T
    across, along = x + 0.71 * z, y + 0.53 * z
    fine = _looked_up(_cloth(1.2, 1), across, along, 1.0)
    middle = _looked_up(_cloth(5.0, 2), across, along, 1.0)
    coarse = _looked_up(_cloth(5.0, 2), along, across, 9.0)
    fading = np.minimum(1.0, FADES / np.maximum(depth, 1e-6))
    return np.asarray(0.55 * fading * fine + 0.5 * np.sqrt(fading) * middle + 0.6 * coarse)


def _looked_up(cloth: F64, across: F64, along: F64, wider: float) -> F64:
    row = np.floor(across / (CELL * wider)).astype(np.int64) % SIDE
    column = np.floor(along / (CELL * wider)).astype(np.int64) % SIDE
    return np.asarray(cloth[row, column])

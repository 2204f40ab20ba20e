"""Sensor noise: the seed determines the grains, the level scales them."""

from __future__ import annotations

import numpy as np

from snellen.changes.corruptions.corruption import Corruption, Settings
from snellen.changes.corruptions.random_fields import WORDS, normal_table, seeded_generator, words
from snellen.vision.arrays import AnyArray, Image


def gaussian_noise(image: Image, settings: Settings, seed: int) -> Image:
    """Normal noise added to each value; settings: its standard deviation as a share of white."""
    (spread,) = settings
    rng = seeded_generator(seed, "gaussian_noise")
    return _add_normal(image, np.full(256, 255 * spread), rng)


def speckle_noise(image: Image, settings: Settings, seed: int) -> Image:
    """Normal noise times each value; settings: its standard deviation as a share of the value."""
    (spread,) = settings
    return _add_normal(image, spread * np.arange(256), seeded_generator(seed, "speckle_noise"))


def shot_noise(image: Image, settings: Settings, seed: int) -> Image:
    """Poisson noise; settings: the value of one photon as a share of white.

    For photons finer than those of severity 1, its noise is scaled down to the right variance.
    """
    from snellen.changes.corruptions.noise_kernels import poisson_noise

    (grain,) = settings
    coarse = max(grain, FINEST_GRAIN)
    share = float(np.sqrt(grain / coarse))
    drawn = words(seeded_generator(seed, "shot_noise"), image.size)
    return poisson_noise(image.ravel(), drawn, 1 / coarse, share).reshape(image.shape)


def impulse_noise(image: Image, settings: Settings, seed: int) -> Image:
    """Values set to black or white with equal probability; settings: the share of such values.

    A value that is replaced at one level is replaced by the same at all higher levels.
    """
    from snellen.changes.corruptions.noise_kernels import salt_and_pepper

    (share,) = settings
    drawn = words(seeded_generator(seed, "impulse_noise"), image.size)
    return salt_and_pepper(image.ravel(), drawn, round(share * WORDS)).reshape(image.shape)


def _add_normal(image: Image, spread: AnyArray, rng: np.random.Generator) -> Image:
    """The image with normal noise; spread: (256,) its standard deviation for each value."""
    from snellen.changes.corruptions.noise_kernels import normal_noise

    drawn, scale = words(rng, image.size), spread.astype(np.float32)
    return normal_noise(image.ravel(), drawn, normal_table(), scale).reshape(image.shape)


FINEST_GRAIN = 1 / 60

GAUSSIAN_NOISE = Corruption(
    "gaussian_noise",
    gaussian_noise,
    ((0.0,), (0.08,), (0.12,), (0.18,), (0.26,), (0.38,), (0.9,)),
)
SHOT_NOISE = Corruption(
    "shot_noise",
    shot_noise,
    ((0.0,), (FINEST_GRAIN,), (1 / 25,), (1 / 12,), (1 / 5,), (1 / 3,), (1.0,)),
)
IMPULSE_NOISE = Corruption(
    "impulse_noise",
    impulse_noise,
    ((0.0,), (0.03,), (0.06,), (0.09,), (0.17,), (0.27,), (0.5,)),
)
SPECKLE_NOISE = Corruption(
    "speckle_noise",
    speckle_noise,
    ((0.0,), (0.15,), (0.2,), (0.35,), (0.45,), (0.6,), (1.0,)),
)

"""Fog: thicker with distance; at the published severities, clouds that ignore distance."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from snellen.changes.corruptions.corruption import Corruption, Settings
from snellen.changes.corruptions.random_fields import seeded_generator, uniform_field
from snellen.vision.arrays import F32, Image

AIR = (222, 226, 230)
"""RGB of thick fog."""
HORIZON = 0.45
"""Where the ground is assumed to end, as a share of the image height from the top."""
NEAREST = 0.25
"""The assumed distance of the lowest row, as a share of that of the horizon."""


def fog(image: Image, settings: Settings, seed: int) -> Image:
    """The image behind fog that thickens with distance, or behind published clouds.

    settings: the optical thickness up to the horizon, then thickness and decay of `clouds`, which
    are added if their thickness is above 0. The fog varies by up to a quarter in soft patches.
    """
    from snellen.changes.corruptions.fog_kernels import add_haze, plasma

    depth, *published = settings
    if published[0] > 0:
        return clouds(image, (published[0], published[1]), seed)
    patches = plasma(_steps(_map_side(image), seed), PATCHES)
    return add_haze(image, patches, distances(image.shape[0]) * np.float32(depth), AIR)


def distances(height: int) -> F32:
    """(height,) the assumed distance of each row of pixels, 1 at the horizon and above.

    That of a flat ground seen by a level camera: no depth of the scene is known, so things that
    stand up are taken to be as far away as the ground behind them.
    """
    below = (np.arange(height) + 0.5) / height - HORIZON
    nearest = 1 - HORIZON
    found = NEAREST * nearest / np.maximum(below, NEAREST * nearest)
    return found.astype(np.float32)


def clouds(image: Image, settings: Settings, seed: int) -> Image:
    """The image with clouds added, as published; its largest value stays the same.

    settings: thickness of the clouds, 1 for white, and the square root of the factor by which each
    finer octave is weaker.
    """
    from snellen.changes.corruptions.fog_kernels import add_clouds, plasma

    thickness, decay = settings
    drawn = plasma(_steps(_map_side(image), seed), decay**2)
    return add_clouds(image, drawn, thickness)


def _map_side(image: Image) -> int:
    longer: int = max(image.shape[:2])
    return 1 << (longer - 1).bit_length()


@lru_cache(maxsize=4)
def _steps(side: int, seed: int) -> F32:
    """(side, side) random steps of the clouds at each point; cached for the next level."""
    steps = uniform_field(seeded_generator(seed, "fog"), side, side)
    steps.setflags(write=False)
    return steps


PATCHES = 4.0
"""The factor by which each finer octave of the patches of fog is weaker."""

FOG = Corruption(
    "fog",
    fog,
    tuple((depth, 0.0, 2.0) for depth in (0.0, 0.5, 0.9, 1.4, 2.0, 2.8, 8.0)),
    published=tuple(
        (0.0, *one) for one in ((1.5, 2.0), (2.0, 2.0), (2.5, 1.7), (2.5, 1.5), (3.0, 1.4))
    ),
)

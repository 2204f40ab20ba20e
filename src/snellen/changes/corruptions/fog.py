"""Fog: a cloudy layer between scene and camera."""

from __future__ import annotations

from functools import lru_cache

from snellen.changes.corruptions.corruption import Corruption, Settings
from snellen.changes.corruptions.random_fields import seeded_generator, uniform_field
from snellen.vision.arrays import F32, Image


def fog(image: Image, settings: Settings, seed: int) -> Image:
    """The image with clouds added; its largest value stays the same.

    settings: thickness of the clouds, 1 for white, and the square root of the factor by which each
    finer octave is weaker.
    """
    from snellen.changes.corruptions.fog_kernels import add_clouds, plasma

    thickness, decay = settings
    clouds = plasma(_steps(_map_side(image), seed), decay**2)
    return add_clouds(image, clouds, thickness)


def _map_side(image: Image) -> int:
    longer: int = max(image.shape[:2])
    return 1 << (longer - 1).bit_length()


@lru_cache(maxsize=4)
def _steps(side: int, seed: int) -> F32:
    """(side, side) random steps of the clouds at each point; cached for the next level."""
    steps = uniform_field(seeded_generator(seed, "fog"), side, side)
    steps.setflags(write=False)
    return steps


FOG = Corruption(
    "fog",
    fog,
    ((0.0, 2.0), (1.5, 2.0), (2.0, 2.0), (2.5, 1.7), (2.5, 1.5), (3.0, 1.4), (8.0, 1.3)),
)

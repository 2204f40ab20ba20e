"""Fog: a cloudy field between the scene and the camera."""

from __future__ import annotations

from functools import lru_cache

from snellen.changes.corruptions.corruption import Corruption, Settings
from snellen.changes.corruptions.random_fields import seeded_generator, uniform_field
from snellen.vision.arrays import F32, Image


def fog(image: Image, settings: Settings, seed: int) -> Image:
    """The image with clouds added, as bright as before where it was brightest.

    settings: how thick the clouds are, white being 1, and how much weaker each finer octave of them
    is (the root of it).
    """
    from snellen.changes.corruptions.fog_kernels import fogged, plasma

    thickness, decay = settings
    clouds = plasma(_steps(_map_side(image), seed), decay**2)
    return fogged(image, clouds, thickness)


def _map_side(image: Image) -> int:
    longer: int = max(image.shape[:2])
    return 1 << (longer - 1).bit_length()


@lru_cache(maxsize=4)
def _steps(side: int, seed: int) -> F32:
    """The random steps of the clouds at every point of their map, kept for the next level."""
    steps = uniform_field(seeded_generator(seed, "fog"), side, side)
    steps.setflags(write=False)
    return steps


FOG = Corruption(
    "fog",
    fog,
    ((0.0, 2.0), (1.5, 2.0), (2.0, 2.0), (2.5, 1.7), (2.5, 1.5), (3.0, 1.4), (8.0, 1.3)),
)

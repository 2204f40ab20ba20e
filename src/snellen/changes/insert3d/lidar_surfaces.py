"""LiDAR returns from surfaces: their probability and intensity.

The parameters are set by hand on the unoccluded labelled cars and people of KITTI frames 0 to 7,
each replaced by a parametric sedan or person of its size. On these 9 cars and 2 people (the same
ones, so this is no independent check), cars return 0.68 of the beams that hit them, real ones 0.75;
0.53 of a car's returns have intensity 0, of a real car's 0.64; people return 0.83, real ones 0.75.
Single cars differ more (at 32 m in frame 6: 0.61, the real one 0.31).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from snellen.errors import UserError, nearest
from snellen.vision.arrays import F32, F64

SPECKLE = 0.25
GLOSSY_SPECKLE = 0.8
MIRROR = 8
GRAZING = 0.10
FAR_LOSS = 0.9
UNFELT = 0.05
FADING = 50.0
FADED = 0.05
LEVELS = 100


@dataclass(frozen=True)
class Surface:
    """The response of a material to a beam.

    reflectance: intensity at normal incidence and close range. gloss: the share of it that is
    reflected specularly and so returns only near normal incidence. return_probability: at normal
    incidence and close range.
    """

    reflectance: float
    gloss: float
    return_probability: float


SURFACES = {
    "paint": Surface(0.18, 0.85, 0.98),
    "glass": Surface(0.10, 0.95, 0.45),
    "tyre": Surface(0.08, 0.10, 0.80),
    "chrome": Surface(0.60, 0.90, 0.80),
    "light-front": Surface(0.80, 0.30, 0.95),
    "light-rear": Surface(0.95, 0.00, 0.97),
    "cloth": Surface(0.52, 0.00, 0.90),
    "skin": Surface(0.45, 0.05, 0.90),
    "hair": Surface(0.30, 0.10, 0.80),
    "plastic": Surface(0.12, 0.50, 0.92),
    "texture": Surface(0.24, 0.80, 0.90),
}


def surfaces_of(materials: Iterable[str]) -> tuple[Surface, ...]:
    """The surfaces of materials by name.

    >>> surfaces_of(["tyre"])
    (Surface(reflectance=0.08, gloss=0.1, return_probability=0.8),)
    """
    names = tuple(materials)
    for name in names:
        if name not in SURFACES:
            raise UserError(f"material '{name}' has no LiDAR surface{nearest(name, SURFACES)}.")
    return tuple(SURFACES[name] for name in names)


def return_probability(surface: F64, cosines: F64, distances: F64, farthest: float) -> F64:
    """(H,) the probability of a return: lower at grazing incidence and at long range.

    surface: (H, 3) reflectance, gloss and return probability of the surface hit; distances in
    metres.
    """
    grazing = cosines * (1 + GRAZING) / (cosines + GRAZING)
    return np.asarray(surface[:, 2] * grazing * (1 - FAR_LOSS * (distances / farthest) ** 2))


def intensities(surface: F64, cosines: F64, distances: F64, rng: np.random.Generator) -> F32:
    """(H,) the intensity of each return, 0 to 1 in steps of 1/100 as in KITTI's files."""
    gloss = surface[:, 1]
    spread = (1 - gloss) * cosines + gloss * cosines**MIRROR
    speckle = np.exp((SPECKLE + GLOSSY_SPECKLE * gloss) * rng.standard_normal(len(gloss)))
    unfelt = UNFELT + FADED * (distances / FADING) ** 2
    signal = np.clip(surface[:, 0] * spread * speckle - unfelt, 0, 1)
    return np.asarray(np.rint(signal * LEVELS) / LEVELS, dtype=np.float32)

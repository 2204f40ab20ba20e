"""What a LiDAR gets back from a surface: whether there is a return, and how strong it is.

The numbers are set by hand on the unoccluded labelled cars and people of KITTI's frames 0 to 7,
with a parametric sedan or person of each one's size cast in its place. On these 9 cars and 2 people
(the very ones they were set on, so no independent check): cars return 0.68 of the beams that meet
them, real ones 0.75; intensity 0 has 0.53 of a car's returns, 0.64 in the real ones; people return
0.83, real ones 0.75. Single cars differ more (at 32 m in frame 6: 0.61, the real one 0.31).
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
    """How a material answers a beam.

    reflectance: intensity at normal incidence nearby; gloss: the share of it that is thrown like a
    mirror, so that it comes back only near normal incidence; kept: the chance of a return there.
    """

    reflectance: float
    gloss: float
    kept: float


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
    (Surface(reflectance=0.08, gloss=0.1, kept=0.8),)
    """
    names = tuple(materials)
    for name in names:
        if name not in SURFACES:
            raise UserError(f"material '{name}' has no LiDAR surface{nearest(name, SURFACES)}.")
    return tuple(SURFACES[name] for name in names)


def chances(surface: F64, cosines: F64, distances: F64, farthest: float) -> F64:
    """The chance (H,) that a beam comes back: less at grazing incidence and in the distance.

    surface: (H, 3) reflectance, gloss, kept of what each beam met; distances in metres.
    """
    grazing = cosines * (1 + GRAZING) / (cosines + GRAZING)
    return np.asarray(surface[:, 2] * grazing * (1 - FAR_LOSS * (distances / farthest) ** 2))


def intensities(surface: F64, cosines: F64, distances: F64, rng: np.random.Generator) -> F32:
    """The intensity (H,) of each return, 0 to 1 in steps of 1/100 as in KITTI's files."""
    gloss = surface[:, 1]
    spread = (1 - gloss) * cosines + gloss * cosines**MIRROR
    speckle = np.exp((SPECKLE + GLOSSY_SPECKLE * gloss) * rng.standard_normal(len(gloss)))
    unfelt = UNFELT + FADED * (distances / FADING) ** 2
    signal = np.clip(surface[:, 0] * spread * speckle - unfelt, 0, 1)
    return np.asarray(np.rint(signal * LEVELS) / LEVELS, dtype=np.float32)

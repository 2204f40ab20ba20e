"""What a LiDAR gets back from a surface: whether there is a return, and how strong it is.

The numbers are set by hand so that inserted things look like the labelled ones of KITTI's frames
0 to 7: cars give back about half of the beams that meet them, two thirds or more of those with an
intensity of 0 and a few (lights, plates) near 1; people give back nearly all, around 0.35.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.errors import UserError, nearest

Floats = npt.NDArray[np.float64]

SPECKLE = 0.35
MIRROR = 12
GRAZING = 0.15
FADING = 50.0
LOST_IN_DISTANCE = 0.1
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
    "paint": Surface(0.30, 0.75, 0.80),
    "glass": Surface(0.10, 0.95, 0.20),
    "tyre": Surface(0.08, 0.10, 0.65),
    "chrome": Surface(0.60, 0.95, 0.60),
    "light-front": Surface(0.70, 0.20, 0.85),
    "light-rear": Surface(0.95, 0.00, 0.95),
    "cloth": Surface(0.42, 0.00, 0.97),
    "skin": Surface(0.40, 0.05, 0.97),
    "hair": Surface(0.20, 0.10, 0.85),
    "plastic": Surface(0.20, 0.30, 0.80),
    "texture": Surface(0.30, 0.60, 0.75),
}


def surfaces_of(materials: Iterable[str]) -> tuple[Surface, ...]:
    """The surfaces of materials by name.

    >>> surfaces_of(["tyre"])
    (Surface(reflectance=0.08, gloss=0.1, kept=0.65),)
    """
    names = tuple(materials)
    for name in names:
        if name not in SURFACES:
            raise UserError(f"material '{name}' has no LiDAR surface{nearest(name, SURFACES)}.")
    return tuple(SURFACES[name] for name in names)


def chances(surface: Floats, cosines: Floats, distances: Floats, farthest: float) -> Floats:
    """The chance (H,) that a beam comes back: less at grazing incidence and in the distance.

    surface: (H, 3) reflectance, gloss, kept of what each beam met; distances in metres.
    """
    grazing = cosines * (1 + GRAZING) / (cosines + GRAZING)
    return np.asarray(surface[:, 2] * grazing * (1 - 0.3 * (distances / farthest) ** 2))


def intensities(
    surface: Floats, cosines: Floats, distances: Floats, rng: np.random.Generator
) -> npt.NDArray[np.float32]:
    """The intensity (H,) of each return, 0 to 1 in steps of 1/100 as in KITTI's files."""
    spread = (1 - surface[:, 1]) * cosines + surface[:, 1] * cosines**MIRROR
    speckle = np.exp(SPECKLE * rng.standard_normal(len(cosines)))
    signal = surface[:, 0] * spread * speckle - LOST_IN_DISTANCE * (distances / FADING) ** 2
    return np.asarray(np.rint(np.clip(signal, 0, 1) * LEVELS) / LEVELS, dtype=np.float32)

"""Images of frosted panes: feathery ice crystals that grow until they meet.

A crystal is a stem with needles on both sides. It grows from its root over pixels that no other
crystal has reached.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from snellen.changes.corruptions.pixel_values import rounded
from snellen.changes.corruptions.random_fields import (
    normal_field,
    seeded_generator,
    uniform_field,
    uniforms,
)
from snellen.vision.arrays import F32, F64, Image

SIDE = 1024


@dataclass(frozen=True)
class Growth:
    """How the crystals of one pane grow.

    crystals: their number. length: of the longest stem, in pixels of the pane. slender: length
    divided by width. colour: mean RGB of the pane. spread: standard deviation of its lightness, in
    grey levels.
    """

    crystals: int
    length: float
    slender: float
    colour: tuple[float, float, float]
    spread: float


_GROWTHS = (
    Growth(1500, 110.0, 2.6, (113.0, 124.0, 136.0), 42.0),
    Growth(3500, 60.0, 2.2, (138.0, 153.0, 166.0), 29.0),
    Growth(900, 190.0, 4.0, (200.0, 206.0, 214.0), 22.0),
    Growth(420, 330.0, 3.2, (74.0, 97.0, 106.0), 42.0),
    Growth(2200, 80.0, 3.5, (128.0, 158.0, 172.0), 26.0),
    Growth(650, 240.0, 5.0, (181.0, 191.0, 203.0), 27.0),
)
PANES = len(_GROWTHS)


@lru_cache(maxsize=3 * PANES)
def pane(which: int, halvings: int) -> Image:
    """One of the panes, SIDE x SIDE x 3 uint8 RGB, with each side halved `halvings` times."""
    if halvings == 0:
        return _panes()[which]
    larger = pane(which, halvings - 1)
    return _read_only(_halve(larger))


@lru_cache(maxsize=1)
def _panes() -> tuple[Image, ...]:
    """All panes, made at the first use of one, so that later cases do not wait."""
    return tuple(_read_only(_grow(which)) for which in range(PANES))


def _read_only(image: Image) -> Image:
    image.setflags(write=False)
    return image


def _halve(image: Image) -> Image:
    import cv2

    size = (image.shape[1] // 2, image.shape[0] // 2)
    found: Image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return found


def _grow(which: int) -> Image:
    growth = _GROWTHS[which]
    light = _lightness(growth, seeded_generator(which, "pane of frost")) * np.float32(growth.spread)
    tints = zip((1.06, 1.0, 0.94), growth.colour, strict=True)
    channels = [rounded(light * np.float32(gain) + np.float32(mean)) for gain, mean in tints]
    return np.stack(channels, axis=2)


def _lightness(growth: Growth, rng: np.random.Generator) -> F32:
    """(SIDE, SIDE) lightness of the pane: mean 0, standard deviation 1."""
    import cv2

    from snellen.changes.corruptions.crystal_kernels import grow_crystals

    clouds = _clouds(rng)
    light = 0.25 * clouds - 1.2
    crystals = []
    small = replace(growth, crystals=3 * growth.crystals, length=0.35 * growth.length)
    for ice, darker, later in ((growth, 0.0, 0.0), (small, 0.5, growth.length)):
        crystals.append(_crystals(ice, rng) - [0, 0, 0, 0, 0, 0, darker, -later])
    grow_crystals(light, np.concatenate(crystals), uniform_field(rng, 256, 256))
    grain = cv2.GaussianBlur(normal_field(rng, SIDE, SIDE), (0, 0), 0.8)
    soft = cv2.GaussianBlur(light, (0, 0), 0.6) + 0.25 * grain + 0.35 * clouds
    found: F32 = (soft - soft.mean()) / soft.std()
    return found


def _crystals(growth: Growth, rng: np.random.Generator) -> F64:
    """(N, 8) crystals as in `grow_crystals`, in tufts that spread from shared roots."""
    count = growth.crystals
    tufts = -(-count // 5)
    centre = np.repeat(uniforms(rng, 2 * tufts).reshape(tufts, 2) * SIDE, 5, axis=0)[:count]
    lean = np.repeat(2 * np.pi * uniforms(rng, tufts), 5)[:count]
    drawn = uniforms(rng, 6 * count).reshape(6, count)
    length = growth.length * (0.3 + 0.7 * drawn[0] ** 2)
    return np.column_stack(
        [
            centre + 4 * (drawn[1:3].T - 0.5),
            lean + 2.6 * (drawn[3] - 0.5),
            length,
            length / growth.slender * (0.7 + 0.6 * drawn[4]),
            0.55 + 0.5 * drawn[5],
            1.1 * (drawn[4] + drawn[1] - 1),
            growth.length * 0.5 * drawn[2],
        ]
    )


def _clouds(rng: np.random.Generator) -> F32:
    """(SIDE, SIDE) smooth variation of the whole pane, standard deviation 1."""
    import cv2

    total = np.zeros((SIDE, SIDE), np.float32)
    for cells in (3, 6, 12, 24):
        coarse = normal_field(rng, cells, cells)
        total += cv2.resize(coarse, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC) / cells**0.5
    found: F32 = (total - total.mean()) / total.std()
    return found

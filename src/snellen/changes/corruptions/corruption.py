"""A corruption: an image made worse by a level from 0 (the image itself) to 1.

The levels 1/6 to 5/6 are the five severities of ImageNet-C, and level 1 goes as far beyond them as
ICRAF and VCR went. Between these knots the settings are interpolated linearly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from snellen.changes.corruptions.typical_scales import typical_scale
from snellen.changes.measures.level_scale import LevelScale
from snellen.errors import UserError
from snellen.vision.arrays import Image
from snellen.vision.compilation import read_only

Settings = tuple[float, ...]
Render = Callable[[Image, Settings, int], Image]
"""(image, settings, seed) -> image: a pure function, continuous in the settings."""

LEVELS = tuple(step / 6 for step in range(7))
SEVERITIES = LEVELS[1:6]
SMALLEST_SIDE = 32


@dataclass(frozen=True)
class Corruption:
    """One way of making images worse.

    name: as users know it. render: what it does by its settings. knots: the settings at the seven
    `LEVELS`. start: the last level at which the image is unchanged; visual change grows from there
    on.
    """

    name: str
    render: Render
    knots: tuple[Settings, ...]
    start: float = 0.0

    @property
    def levels(self) -> tuple[float, ...]:
        """The levels of the knots: no change, severities 1 to 5, and as far as it goes."""
        return LEVELS

    @property
    def severities(self) -> tuple[float, ...]:
        """The levels of ImageNet-C's severities 1 to 5."""
        return SEVERITIES

    @property
    def scale(self) -> LevelScale:
        """How far along its way each level is in a typical photograph, where that is known."""
        return typical_scale(self.name, self.start)

    def change(self, image: Image, level: float, seed: int = 0) -> Image:
        """The image at a level from 0 to 1: H x W x 3 uint8 RGB, the same for the same arguments.

        The seed fixes what is random (the grains, the flakes, the direction); the level only
        scales it, so that a little more level changes the image a little.
        """
        _check(self.name, image, level, seed)
        if level == 0:
            return image.copy()
        return self.render(read_only(image), self.settings(level), seed)

    def settings(self, level: float) -> Settings:
        """The settings at a level, between those of the two knots beside it."""
        columns = zip(*self.knots, strict=True)
        return tuple(float(np.interp(level, LEVELS, column)) for column in columns)


def _check(name: str, image: Image, level: float, seed: int) -> None:
    check_level(level)
    check_seed(seed)
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
        raise UserError(
            f"{name}: found an image of shape {image.shape} and type {image.dtype}, expected "
            "height x width x 3 of uint8, RGB. Convert it first."
        )
    if min(image.shape[:2]) < SMALLEST_SIDE:
        raise UserError(
            f"{name}: found an image of {image.shape[1]} x {image.shape[0]} pixels, expected at "
            f"least {SMALLEST_SIDE} a side. Enlarge it or leave it out."
        )


def check_level(level: float) -> None:
    """An error unless it is a level."""
    if not 0 <= level <= 1:
        raise UserError(
            f"level: found {level}, expected a number from 0 (the image itself) to 1. "
            "Severities 1 to 5 are the levels 1/6 to 5/6."
        )


def check_seed(seed: int) -> None:
    """An error unless it is a seed."""
    if seed < 0:
        raise UserError(f"seed: found {seed}, expected a whole number of at least 0.")

"""A corruption: an image degraded by a level from 0 (unchanged) to 1.

Visual change rises with the level. Levels 1/6 to 5/6 are the five severities of ImageNet-C; level 1
goes as far beyond them as ICRAF and VCR do. Between these knots the settings are interpolated
linearly. Where the published severities are not in order of visual change, they stand beside.
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
    """One kind of image degradation.

    name: as users write it. render: applies the settings. knots: the settings at the seven
    `LEVELS`. start: the highest level at which the image is unchanged. published: the settings of
    severities 1 to 5 of ImageNet-C, if they are not those of the levels.
    """

    name: str
    render: Render
    knots: tuple[Settings, ...]
    start: float = 0.0
    published: tuple[Settings, ...] = ()

    @property
    def levels(self) -> tuple[float, ...]:
        """The levels of the knots: no change, severities 1 to 5, and the strongest."""
        return LEVELS

    @property
    def scale(self) -> LevelScale:
        """The share of the visual change at each level in a typical photograph, if known."""
        return typical_scale(self.name, self.start)

    def change(self, image: Image, level: float, seed: int = 0) -> Image:
        """The image at a level from 0 to 1: H x W x 3 uint8 RGB, the same for the same arguments.

        The seed determines the random part (grains, flakes, direction); the level only scales it,
        so that the image is continuous in the level.
        """
        _check(self.name, image, level, seed)
        if level == 0:
            return image.copy()
        return self.render(read_only(image), self.settings(level), seed)

    def at_severity(self, image: Image, severity: int, seed: int = 0) -> Image:
        """The image at a severity of ImageNet-C, 1 to 5."""
        check_severity(severity)
        level = SEVERITIES[severity - 1]
        _check(self.name, image, level, seed)
        if not self.published:
            return self.change(image, level, seed)
        return self.render(read_only(image), self.published[severity - 1], seed)

    def settings(self, level: float) -> Settings:
        """The settings at a level, interpolated between its two neighbouring knots."""
        columns = zip(*self.knots, strict=True)
        return tuple(float(np.interp(level, LEVELS, column)) for column in columns)


def _check(name: str, image: Image, level: float, seed: int) -> None:
    check_level(level)
    check_seed(seed)
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3:
        raise UserError(
            f"{name}: found an image of shape {image.shape} and type {image.dtype}, expected "
            "height x width x 3, uint8, RGB. Convert it first."
        )
    if min(image.shape[:2]) < SMALLEST_SIDE:
        raise UserError(
            f"{name}: found an image of {image.shape[1]} x {image.shape[0]} pixels, expected at "
            f"least {SMALLEST_SIDE} on each side. Enlarge it or leave it out."
        )


def check_level(level: float) -> None:
    """Raise a `UserError` unless the level is from 0 to 1."""
    if not 0 <= level <= 1:
        raise UserError(
            f"level: found {level}, expected a number from 0 (unchanged) to 1. "
            "Severities 1 to 5 are the levels 1/6 to 5/6."
        )


def check_severity(severity: int) -> None:
    """Raise a `UserError` unless the severity is one of ImageNet-C's."""
    if severity not in range(1, 6):
        raise UserError(f"severity: found {severity}, expected an integer from 1 to 5.")


def check_seed(seed: int) -> None:
    """Raise a `UserError` if the seed is negative."""
    if seed < 0:
        raise UserError(f"seed: found {seed}, expected a whole number of 0 or more.")

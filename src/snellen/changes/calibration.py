"""How much visual change each level of a change makes in one image, from a few evaluations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from snellen.changes.recipe import Image
from snellen.errors import UserError
from snellen.vision.visual_change.measure import VisualMeasure, delta_v

Change: TypeAlias = Callable[[float], Image]
"""The image at a level from 0 to 1, of the same size at all levels."""

EVALUATIONS = 7
FINE = 0.03
"""Visual change between neighbouring levels below which no further level is tried."""
_FIRST = 1 / 6
"""Where to look first: most changes do most of their harm early, by severity 1 of 5."""
_EARLY = 0.35


@dataclass(frozen=True)
class Calibration:
    """The visual change at a few levels of one change of one image.

    levels: increasing, from the one that changes nothing to 1. delta_v: as measured at each; it may
    fall where a higher level does less, and what lies between is then of no use.

    >>> found = Calibration((0.0, 0.5, 1.0), (0.0, 0.2, 0.8))
    >>> found.reach, found.reaches(0.9), found.level_for(0.2), found.level_for(0.9)
    (0.8, False, 0.5, 1.0)
    """

    levels: tuple[float, ...]
    delta_v: tuple[float, ...]

    @property
    def reach(self) -> float:
        """The largest visual change that was found: no level is known to make more."""
        return max(self.delta_v)

    def reaches(self, wanted: float) -> bool:
        """Whether some level makes so much visual change."""
        return wanted <= self.reach

    def level_for(self, wanted: float) -> float:
        """The lowest level that makes the wanted visual change, 0 to 1; beyond reach, all it can.

        Halfway between straight lines and a smooth monotone curve through what was measured: some
        changes go by steps, others do not. To 6 digits, so that machines agree.
        """
        if not 0 <= wanted <= 1:
            raise UserError(f"delta_v: found {wanted}, expected a visual change from 0 to 1")
        levels, changes = self._rising()
        if wanted >= changes[-1]:
            return levels[-1]
        from scipy.interpolate import PchipInterpolator

        straight = float(np.interp(wanted, changes, levels))
        smooth = float(PchipInterpolator(changes, levels)(wanted))
        return round((straight + smooth) / 2, 6)

    def _rising(self) -> tuple[list[float], list[float]]:
        """The levels that make more visual change than all lower ones, and how much."""
        levels, changes = [self.levels[0]], [self.delta_v[0]]
        for level, change in zip(self.levels, self.delta_v, strict=True):
            if change > changes[-1]:
                levels.append(level)
                changes.append(change)
        return levels, changes


def calibrated(
    image: Image, change: Change, measure: VisualMeasure, *, start: float = 0.0
) -> Calibration:
    """The calibration of a change of an image, H x W x 3 uint8 RGB, by at most 7 evaluations.

    start: the level that leaves the image as it is. First the highest level, then an early one,
    then always one inside the widest gap in visual change. The image itself is prepared once.
    """
    likeness = measure.against(image)
    found = {start: 0.0}
    for _ in range(EVALUATIONS):
        level = _next_level(found)
        if level is None:
            break
        found[level] = round(delta_v(likeness(change(level))), 6)
    levels = sorted(found)
    return Calibration(tuple(levels), tuple(found[level] for level in levels))


def _next_level(found: dict[float, float]) -> float | None:
    """The level to try next, or None if what is known is fine enough."""
    levels = sorted(found)
    start = levels[0]
    if len(levels) == 1:
        return 1.0
    if len(levels) == 2:
        return start + _FIRST * (1 - start)
    highest = np.maximum.accumulate([found[level] for level in levels])
    gaps = np.diff(highest)
    widest = int(np.argmax(gaps))
    if gaps[widest] <= FINE:
        return None
    low, high = list(pairwise(levels))[widest]
    return low + (_EARLY if widest == 0 else 0.5) * (high - low)

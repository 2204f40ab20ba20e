"""How much visual change each level of a change makes in one image, from a few evaluations."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
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
_FIRST = 1 / 7
"""Where to look first: most changes do most of their harm early."""
_LEAST_RISE = 1e-6
"""What visual change is rounded to, and the least by which one level can be told from another."""


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

        From a smooth curve through what was measured that never falls. To 6 digits, so that
        machines agree.
        """
        if not 0 <= wanted <= 1:
            raise UserError(f"delta_v: found {wanted}, expected a visual change from 0 to 1")
        levels, changes = _rising(self.levels, self.delta_v)
        return _level_at(wanted, levels, changes)


def calibrated(
    image: Image, change: Change, measure: VisualMeasure, *, start: float = 0.0
) -> Calibration:
    """The calibration of a change of an image, H x W x 3 uint8 RGB, by at most 7 evaluations.

    start: the level that leaves the image as it is. First the highest level, then an early one,
    then always one near the middle of the widest gap in visual change. The reference is prepared
    once for all of them.
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
    tried = sorted(found)
    start = tried[0]
    if len(tried) < 3:
        return 1.0 if len(tried) == 1 else start + _FIRST * (1 - start)
    levels, changes = _rising(tried, [found[level] for level in tried])
    gaps = np.diff(changes)
    if len(gaps) == 0 or gaps.max() <= FINE:
        return None
    widest = int(np.argmax(gaps))
    high = levels[widest + 1]
    low = tried[tried.index(high) - 1]
    share = _early_share(levels, changes) if low == start else _share(levels, changes, low, high)
    return low + share * (high - low)


def _share(levels: list[float], changes: list[float], low: float, high: float) -> float:
    """How far between two levels the middle of their visual changes should lie, 0.35 to 0.65."""
    top = changes[levels.index(high)]
    below = max(change for level, change in zip(levels, changes, strict=True) if level <= low)
    aim = _level_at((below + top) / 2, levels, changes)
    return min(max((aim - low) / (high - low), 0.35), 0.65)


def _early_share(levels: list[float], changes: list[float]) -> float:
    """The same for the lowest two levels, 0.25 to 0.5.

    Below the lowest level that was tried the curve may be far steeper than it looks from above, so
    visual change is taken for a power of the level.
    """
    if len(levels) < 3:
        return 0.5
    first, second = (level - levels[0] for level in levels[1:3])
    power = math.log(changes[2] / changes[1]) / math.log(second / first)
    return min(max(math.exp2(-1 / power), 0.25), 0.5)


def _level_at(wanted: float, levels: list[float], changes: list[float]) -> float:
    if wanted >= changes[-1]:
        return levels[-1]
    from scipy.interpolate import PchipInterpolator

    return round(float(PchipInterpolator(changes, levels)(wanted)), 6)


def _rising(levels: Sequence[float], changes: Sequence[float]) -> tuple[list[float], list[float]]:
    """The levels that make more visual change than all lower ones, and how much."""
    rising = [(levels[0], changes[0])]
    for level, change in zip(levels, changes, strict=True):
        if change >= rising[-1][1] + _LEAST_RISE:
            rising.append((level, change))
    return [level for level, _ in rising], [change for _, change in rising]

"""The visual change that each level of a change makes in one image, from a few evaluations."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from snellen.changes.measures.level_scale import STRAIGHT, LevelScale
from snellen.errors import UserError
from snellen.vision.arrays import Image
from snellen.vision.visual_change.measure import VisualMeasure, delta_v

Change: TypeAlias = Callable[[float], Image]
"""Returns the image at a level from 0 to 1, of the same size at all levels."""

EVALUATIONS = 7
FINE = 0.03
"""Difference in visual change of neighbouring levels below which no further level is tried."""
_FIRST, _FIRST_UNKNOWN = 0.3, 1 / 7
"""Share of the scale to try first; earlier if the scale is unknown, as most changes act early."""
_LEAST_RISE = 1e-6
"""Resolution of visual change: smaller differences do not separate two levels."""


@dataclass(frozen=True)
class LevelCalibration:
    """The visual change at a few levels of one change of one image.

    levels: increasing, from the one that changes nothing to 1. delta_v: measured at each; it may
    decrease where a higher level changes less, and such levels are not used. scale: the typical
    scale of the change, used to interpolate between measured levels.

    >>> found = LevelCalibration((0.0, 0.5, 1.0), (0.0, 0.2, 0.8))
    >>> found.reach, found.reaches(0.9), found.level_for(0.2), found.level_for(0.9)
    (0.8, False, 0.5, 1.0)
    """

    levels: tuple[float, ...]
    delta_v: tuple[float, ...]
    scale: LevelScale = STRAIGHT

    @property
    def reach(self) -> float:
        """The largest visual change that was measured."""
        return max(self.delta_v)

    def reaches(self, wanted: float) -> bool:
        """Whether some level makes this much visual change."""
        return wanted <= self.reach

    def level_for(self, wanted: float) -> float:
        """The lowest level, 0 to 1, with the wanted visual change, or with the largest there is.

        Read from a smooth monotone curve through the measurements; rounded to 6 digits so that all
        machines agree.
        """
        if not 0 <= wanted <= 1:
            raise UserError(f"delta_v: found {wanted}, expected a visual change from 0 to 1")
        shares, changes = _rising([self.scale.share_at(one) for one in self.levels], self.delta_v)
        return round(self.scale.level_at(_share_at(wanted, shares, changes)), 6)


def calibrate(
    image: Image,
    change: Change,
    measure: VisualMeasure,
    *,
    start: float = 0.0,
    scale: LevelScale = STRAIGHT,
    boxes: Sequence[tuple[int, int, int, int]] = (),
) -> LevelCalibration:
    """The calibration of a change of an image, H x W x 3 uint8 RGB, with at most 7 evaluations.

    start: the highest level that leaves the image unchanged. scale: the typical scale of the
    change. The first level tried is the highest, the second an early one; each further one halves
    the widest gap in visual change. The reference is prepared once. boxes: of the objects, for a
    measure at the objects.
    """
    likeness = measure.within(image, boxes)
    first = _FIRST_UNKNOWN if scale == STRAIGHT else _FIRST
    found, levels = {scale.share_at(start): 0.0}, [start]
    for _ in range(EVALUATIONS):
        share = _next_share(found, first)
        if share is None:
            break
        level = round(scale.level_at(share), 6)
        found[share] = round(delta_v(likeness(change(level))), 6)
        levels.append(level)
    changes = tuple(found[share] for share in sorted(found))
    return LevelCalibration(tuple(sorted(levels)), changes, scale)


def _next_share(found: dict[float, float], first: float) -> float | None:
    """The share of the scale to try next, or None if the calibration is fine enough."""
    tried = sorted(found)
    start = tried[0]
    if len(tried) < 3:
        return 1.0 if len(tried) == 1 else start + first * (1 - start)
    shares, changes = _rising(tried, [found[share] for share in tried])
    gaps = np.diff(changes)
    if len(gaps) == 0 or gaps.max() <= FINE:
        return None
    widest = int(np.argmax(gaps))
    high = shares[widest + 1]
    low = tried[tried.index(high) - 1]
    part = _early_part(shares, changes) if low == start else _part(shares, changes, low, high)
    return low + part * (high - low)


def _part(shares: list[float], changes: list[float], low: float, high: float) -> float:
    """How far between two shares the middle of their visual changes is expected, 0.35 to 0.65."""
    top = changes[shares.index(high)]
    below = max(change for share, change in zip(shares, changes, strict=True) if share <= low)
    aim = _share_at((below + top) / 2, shares, changes)
    return min(max((aim - low) / (high - low), 0.35), 0.65)


def _early_part(shares: list[float], changes: list[float]) -> float:
    """The same below the lowest share tried, 0.25 to 0.5.

    The curve may be far steeper there than above, so visual change is modelled as a power of the
    share.
    """
    if len(shares) < 3:
        return 0.5
    first, second = (share - shares[0] for share in shares[1:3])
    power = math.log(changes[2] / changes[1]) / math.log(second / first)
    return min(max(math.exp2(-1 / power), 0.25), 0.5)


def _share_at(wanted: float, shares: list[float], changes: list[float]) -> float:
    if wanted >= changes[-1]:
        return shares[-1]
    from scipy.interpolate import PchipInterpolator

    return float(PchipInterpolator(changes, shares)(wanted))


def _rising(shares: Sequence[float], changes: Sequence[float]) -> tuple[list[float], list[float]]:
    """The shares that make more visual change than all lower ones, with that change."""
    rising = [(shares[0], changes[0])]
    for share, change in zip(shares, changes, strict=True):
        if change >= rising[-1][1] + _LEAST_RISE:
            rising.append((share, change))
    return [share for share, _ in rising], [change for _, change in rising]

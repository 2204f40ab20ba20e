"""Perspective: how high an object is in the picture, by where it stands.

On level ground the height of things of one kind is proportional to how far their feet are below
the horizon. The line is fitted to what the subject detects in the scene.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from math import inf

import numpy as np

from snellen.vision.arrays import F64

SUPPORT = 3
"""The least number of objects for a fit."""
SPREAD = 0.5
"""The least range of their feet, as a share of their median height."""
BEYOND = 0.25
"""How far beyond the feet that were seen a line holds, as a share of their range."""
MISFIT = 0.2
"""The largest median deviation from the line, as a share of the height."""


@dataclass(frozen=True)
class GroundLine:
    """Heights grow by `slope` pixels for each pixel that the feet are below the `horizon` (y).

    first, last: the y between which feet were seen, with a quarter of that range on either side.
    """

    slope: float
    horizon: float
    first: float = -inf
    last: float = inf

    def height_at(self, foot: float) -> float:
        """The height in pixels of an object whose feet are at y = foot; 0 above the horizon."""
        return max(0.0, self.slope * (foot - self.horizon))

    def foot_of(self, height: float) -> float:
        """Where an object of a height stands."""
        return self.horizon + height / self.slope

    def scaled(self, factor: float) -> GroundLine:
        """The line of things that are `factor` times as high."""
        return replace(self, slope=self.slope * factor)


def fitted_line(feet: F64, heights: F64) -> GroundLine | None:
    """The line through N objects, by the medians of Theil and Sen; None if they do not support one.

    feet: (N,) y of the bottoms in pixels; heights: (N,). Needs 3 objects whose feet differ by half
    their height, that lie on the line to within 20%, and a horizon above their feet.

    >>> fitted_line(np.array([200.0, 260, 300]), np.array([50.0, 80, 100]))
    GroundLine(slope=0.5, horizon=100.0, first=175.0, last=325.0)
    """
    if len(feet) < SUPPORT or np.ptp(feet) < SPREAD * float(np.median(heights)):
        return None
    slopes = [
        (heights[b] - heights[a]) / (feet[b] - feet[a])
        for a, b in combinations(range(len(feet)), 2)
        if abs(feet[b] - feet[a]) >= 1
    ]
    slope = float(np.median(slopes))
    if slope <= 0:
        return None
    horizon = float(np.median(feet - heights / slope))
    expected = slope * (feet - horizon)
    if horizon >= feet.min() or np.median(np.abs(expected / heights - 1)) > MISFIT:
        return None
    beyond = BEYOND * float(np.ptp(feet))
    return GroundLine(slope, horizon, float(feet.min()) - beyond, float(feet.max()) + beyond)

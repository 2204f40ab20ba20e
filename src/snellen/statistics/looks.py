"""Looks at a run before its end: the level of each look, so that all of them together keep theirs.

A run may be judged at numbers of scenes that were fixed in advance, and end when its verdict is
decided. Each look spends a part of the level, by the share of all scenes that were seen (Lan and
DeMets, 1983). Levels are one-sided; of two tests in opposite directions, each spends its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from scipy import optimize, special

from snellen.vision.arrays import F64

Spending = Literal["pocock", "obrien-fleming"]
"""Early looks are easier to pass with "pocock", the last one with "obrien-fleming"."""

_POINTS = 801
_FARTHEST = 9.0


def look_levels(
    scenes: Sequence[int], level: float = 0.05, spending: Spending = "pocock"
) -> tuple[float, ...]:
    """The one-sided level of each look; scenes: seen at each, rising, the last being all.

    Judging at these levels and stopping at the first decision errs in at most `level` of runs.

    >>> [round(one, 4) for one in look_levels([25, 50, 75, 100])]
    [0.0179, 0.0189, 0.02, 0.0209]
    """
    seen = np.asarray(scenes, dtype=np.float64)
    if seen.ndim != 1 or not len(seen) or seen[0] <= 0 or np.any(np.diff(seen) <= 0):
        raise ValueError(f"looks need rising numbers of scenes; found {list(scenes)}")
    if not 0 < level < 0.5:
        raise ValueError(f"a one-sided level lies between 0 and 0.5; found {level}")
    shares = seen / seen[-1]
    spent = np.array([_spent(spending, share, level) for share in shares])
    return tuple(_boundaries(shares, np.diff(spent, prepend=0.0)))


def _spent(spending: Spending, share: float, level: float) -> float:
    """The part of the level that is spent when a share of all scenes was seen."""
    if spending == "pocock":
        return float(level * np.log(1 + (np.e - 1) * share))
    return float(2 * special.ndtr(special.ndtri(level / 2) / share**0.5))


def _boundaries(shares: F64, spent: F64) -> list[float]:
    """The level of each look, from the distribution of the running sum that was not stopped."""
    levels, grid, density, before = [], np.zeros(1), np.ones(1), 0.0
    for share, mine in zip(shares.tolist(), spent.tolist(), strict=True):
        spread = (share - before) ** 0.5
        bound = _bound(_tail_of(grid, density, spread), mine)
        levels.append(float(special.ndtr(-bound / share**0.5)))
        points = np.linspace(-_FARTHEST * share**0.5, bound, _POINTS)
        steps = np.exp(-(((points[:, None] - grid) / spread) ** 2) / 2)
        weights = np.full(_POINTS, points[1] - points[0])
        weights[[0, -1]] /= 2
        density = (steps @ density) / (spread * (2 * np.pi) ** 0.5) * weights
        grid, before = points, share
    return levels


def _tail_of(grid: F64, density: F64, spread: float) -> Callable[[float], float]:
    """The chance that the sum, so far at `grid`, exceeds a bound after the next scenes."""
    return lambda bound: float(special.ndtr((grid - bound) / spread) @ density)


def _bound(tail: Callable[[float], float], spent: float) -> float:
    return float(optimize.brentq(lambda bound: tail(bound) - spent, -_FARTHEST, _FARTHEST))

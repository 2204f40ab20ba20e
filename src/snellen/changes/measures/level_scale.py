"""How far along its way a change is at each level, as far as that is known beforehand."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class LevelScale:
    """Levels, and the share of its whole visual change that a change usually makes at each.

    levels, shares: both rising, and from the level that changes nothing (share 0) to 1. A level
    between two is taken in proportion. Steps of equal share are about equally visible, which steps
    of equal level are not.

    >>> early = LevelScale((0.0, 0.1, 1.0), (0.0, 0.5, 1.0))
    >>> early.share_at(0.05), early.level_at(0.25)
    (0.25, 0.05)
    """

    levels: tuple[float, ...]
    shares: tuple[float, ...]

    def share_at(self, level: float) -> float:
        """The share at a level."""
        return float(np.interp(level, self.levels, self.shares))

    def level_at(self, share: float) -> float:
        """The level of a share."""
        return float(np.interp(share, self.shares, self.levels))


STRAIGHT = LevelScale((0.0, 1.0), (0.0, 1.0))
"""Nothing is known: each level is its own share."""

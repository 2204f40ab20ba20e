"""The typical scale of a change: the share of its visual change at each level."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class LevelScale:
    """Levels, and the typical share of the whole visual change at each.

    levels, shares: both increasing, from the level that changes nothing (share 0) to 1, with linear
    interpolation. Steps of equal share are about equally visible, unlike steps of equal level.

    >>> early = LevelScale((0.0, 0.1, 1.0), (0.0, 0.5, 1.0))
    >>> early.share_at(0.05), early.level_at(0.25)
    (0.25, 0.05)
    """

    levels: tuple[float, ...]
    shares: tuple[float, ...]

    def share_at(self, level: float) -> float:
        """The share of the visual change at a level."""
        return float(np.interp(level, self.levels, self.shares))

    def level_at(self, share: float) -> float:
        """The level at which this share of the visual change is reached."""
        return float(np.interp(share, self.shares, self.levels))


STRAIGHT = LevelScale((0.0, 1.0), (0.0, 1.0))
"""The scale of an unknown change: each level is its own share."""

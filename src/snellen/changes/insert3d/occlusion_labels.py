"""How much of what was in a frame before is hidden by what was put in, and from when it counts."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from snellen.changes.insert3d.label_regions import Region
from snellen.scenes.kitti.label_file import DONT_CARE, LabelRow
from snellen.vision.arrays import Bools, Floating, Ints

HIDDEN = 0.9
"""The hidden share from which on a thing is DontCare, and below which it never becomes so."""
FEW = 10
"""With fewer returns (or beams) than this their share says too little, and the image decides."""
BOX_WORTH = 20.0
"""The region of a label counts as much as so many of the thing's own returns."""
LEVELS = {0: 1.0, 1: 0.75, 2: 0.5}
"""The most that can be seen of a thing at each of KITTI's levels of occlusion."""


@dataclass(frozen=True)
class VisibleShares:
    """What is left of a thing in view of both sensors, as shares of what it had: 0 to 1.

    beams: of how many returns or beams the LiDAR's share was taken.
    """

    lidar: float
    image: float
    beams: int

    @property
    def hidden(self) -> float:
        """The share that is hidden, by the sensor that lost more; the LiDAR only if it saw much."""
        return 1.0 - min(self.image, self.lidar if self.beams >= FEW else 1.0)


def lidar_visible_share(own: Ints, kept: Bools) -> float:
    """The share of a thing's own points, rows of the sweep before, that are kept; 1 without any."""
    return float(kept[own].mean()) if len(own) else 1.0


def image_visible_share(region: Region, covered: Bools, depth: Floating) -> float:
    """The share of a labelled thing's pixels that nothing new covers.

    covered: (H, W) where new things are seen, and depth: (H, W) how far they are, in metres.
    The pixels of its own returns are the thing for sure, but few, and none on glass; the region of
    its label is complete, but holds background too. So both count, the region as much as 20 returns
    (of a car at 15 m, with some 200 pixels of returns, that is a tenth). In the region only what is
    nearer than the thing's far end covers it: what stands behind it shows beside it, not before it.
    """
    own = covered[region.returns[:, 0], region.returns[:, 1]]
    over = covered[region.rows, region.columns] & region.shape
    over &= depth[region.rows, region.columns] < region.far
    pixels = np.count_nonzero(region.shape)
    if not pixels:
        return 1.0 - float(own.mean()) if len(own) else 1.0
    share = np.count_nonzero(over) / pixels
    lost = np.count_nonzero(own) + BOX_WORTH * share
    return float(1.0 - lost / (len(own) + BOX_WORTH))


def occlusion(hidden: float) -> int:
    """KITTI's level of occlusion of a thing of which this share is hidden, a quarter each.

    >>> [occlusion(hidden) for hidden in (0.0, 0.3, 0.5, 0.8, 1.0)]
    [0, 1, 2, 3, 3]
    """
    return min(int(4 * hidden), 3)


def hidden_row(row: LabelRow, left: VisibleShares) -> LabelRow:
    """The row of something that was there before, with what is left of it now.

    A row whose level stays the same is the very same row, and keeps its line.
    """
    if row.type == DONT_CARE or left.hidden <= 0:
        return row
    if left.hidden >= HIDDEN:
        return as_dont_care(row)
    if row.occluded not in LEVELS:
        return row
    level = occlusion(1.0 - LEVELS[row.occluded] * (1.0 - left.hidden))
    return replace(row, occluded=max(row.occluded, level))


def as_dont_care(row: LabelRow) -> LabelRow:
    """The region of a row that nobody is asked about, as KITTI writes it: its 2D box alone."""
    return LabelRow(DONT_CARE, -1, -1, -10, row.box)

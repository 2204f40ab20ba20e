"""Occlusion of labelled objects by inserted meshes, and its effect on their labels."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from snellen.changes.insert3d.label_regions import Region
from snellen.scenes.kitti.label_file import DONT_CARE, LabelRow
from snellen.vision.arrays import Bools, Floating, Ints

HIDDEN = 0.9
"""Hidden share from which an object becomes DontCare."""
FEW = 10
"""With fewer returns (or beams) than this, only the image decides."""
BOX_WORTH = 20.0
"""Weight of the region of a label, in returns of the object."""
LEVELS = {0: 1.0, 1: 0.75, 2: 0.5}
"""Largest visible share at each of KITTI's occlusion levels."""


@dataclass(frozen=True)
class VisibleShares:
    """The share of an object that each sensor still sees, 0 to 1.

    beams: the number of returns or beams that the share of the LiDAR is based on.
    """

    lidar: float
    image: float
    beams: int

    @property
    def hidden(self) -> float:
        """The larger hidden share of the two sensors; the LiDAR counts only with enough beams."""
        return 1.0 - min(self.image, self.lidar if self.beams >= FEW else 1.0)


def lidar_visible_share(own: Ints, remaining: Bools) -> float:
    """The share of an object's points, rows of the original sweep, that remain; 1 without any."""
    return float(remaining[own].mean()) if len(own) else 1.0


def image_visible_share(region: Region, covered: Bools, depth: Floating) -> float:
    """The share of a labelled object's pixels that no inserted mesh covers.

    covered: (H, W) where meshes are visible. depth: (H, W) of the meshes in metres. The pixels of
    its returns certainly belong to the object, but they are few, with none on glass; the region of
    its label is complete, but includes background. So both count, the region as much as 20 returns
    (a tenth for a car at 15 m with some 200 pixels of returns). In the region, only meshes nearer
    than the far end of the object cover it: those behind it appear beside it.
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
    """KITTI's occlusion level of an object with this hidden share; each level spans a quarter.

    >>> [occlusion(hidden) for hidden in (0.0, 0.3, 0.5, 0.8, 1.0)]
    [0, 1, 2, 3, 3]
    """
    return min(int(4 * hidden), 3)


def occluded_row(row: LabelRow, visible: VisibleShares) -> LabelRow:
    """The label of an original object, updated for its visible shares.

    A label whose level does not change is returned itself and keeps its line.
    """
    if row.type == DONT_CARE or visible.hidden <= 0:
        return row
    if visible.hidden >= HIDDEN:
        return as_dont_care(row)
    if row.occluded not in LEVELS:
        return row
    level = occlusion(1.0 - LEVELS[row.occluded] * (1.0 - visible.hidden))
    return replace(row, occluded=max(row.occluded, level))


def as_dont_care(row: LabelRow) -> LabelRow:
    """The label as a DontCare region, which KITTI writes with its 2D box alone."""
    return LabelRow(DONT_CARE, -1, -1, -10, row.box)

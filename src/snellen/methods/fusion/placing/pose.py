"""A place for an object."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from snellen.vision.arrays import F64

Size = tuple[float, float, float]

LONGEST_ON_FOOT = 1.4


class GroundPose(NamedTuple):
    """Where an object stands, in the LiDAR frame.

    x, y: of its centre, metres. z: of the ground under it, metres. yaw: radians counter-clockwise
    from +x.
    """

    x: float
    y: float
    z: float
    yaw: float

    def box(self, size: Size) -> F64:
        """(7,) the 3D box of an object of this size (length, width, height) here.

        >>> GroundPose(10, 0, -1.7, 0.5).box((4, 2, 1.5)).round(2).tolist()
        [10.0, 0.0, -0.95, 4.0, 2.0, 1.5, 0.5]
        """
        return np.array([self.x, self.y, self.z + size[2] / 2, *size, self.yaw])


def is_pedestrian_size(size: Size) -> bool:
    """Whether an object of this size (length, width, height in metres) is a pedestrian."""
    return max(size[:2]) < LONGEST_ON_FOOT

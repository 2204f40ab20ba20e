"""The limits on places in a frame."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from snellen.errors import UserError

REACH = 62.0


@dataclass(frozen=True)
class PlaceLimits:
    """The limits on a place in a frame.

    nearest, farthest: metres on the ground from the LiDAR. right, left: bearings of the
    sector, radians counter-clockwise from straight ahead, right < left. in_view: whether the
    object's centre must be in the camera's image. behind: whether objects may stand between the
    LiDAR and the place: `allow`; `avoid`, with nothing in front of any corner of the footprint; or
    `only`, with something in front of its centre. traffic: the side of the road that is driven on.
    margin: metres kept free around the footprint. beside: how far from the road, in metres,
    pedestrians may stand on free, level ground; 0 keeps them on the road.
    """

    nearest: float = 5.0
    farthest: float = 60.0
    right: float = -math.pi
    left: float = math.pi
    in_view: bool = True
    behind: Literal["allow", "avoid", "only"] = "allow"
    traffic: Literal["right", "left"] = "right"
    margin: float = 0.3
    beside: float = 4.0

    def __post_init__(self) -> None:
        if not 0 <= self.nearest < self.farthest <= REACH:
            raise UserError(
                f"distances: found {self.nearest:g} to {self.farthest:g} m, expected within 0 to "
                f"{REACH:g} m, with nearest below farthest."
            )
        if not -math.pi <= self.right < self.left <= math.pi:
            raise UserError(
                f"sector: found {math.degrees(self.right):g} to {math.degrees(self.left):g} "
                "degrees, expected right to left of straight ahead, within -180 and 180."
            )
        for name, most in (("margin", 2.0), ("beside", 20.0)):
            if not 0 <= getattr(self, name) <= most:
                raise UserError(
                    f"{name}: found {getattr(self, name):g} m, expected 0 to {most:g} m."
                )

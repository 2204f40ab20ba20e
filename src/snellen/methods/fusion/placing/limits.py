"""Where in a frame something may be placed, as a user limits it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from snellen.errors import UserError

REACH = 62.0


@dataclass(frozen=True)
class PlaceLimits:
    """What a place in a frame must keep to.

    nearest, farthest: metres on the ground from LiDAR to the place. right, left: bearings of the
    sector, radians counter-clockwise from straight ahead, right < left. in_view: whether the
    object's middle must be in the camera's image. behind: whether things may stand between the
    LiDAR and the place: `allow`; `avoid`, with nothing before any corner of the footprint; or
    `only`, with something before its middle. traffic: the side of the road that is driven on.
    margin: metres kept free around the footprint. beside: how far from the road, metres, people on
    foot may also stand, on any free, level ground; 0 keeps them on the road.
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
                f"distances from {self.nearest:g} to {self.farthest:g} m; they are from 0 to "
                f"{REACH:g} m, the nearest below the farthest. Change the limits."
            )
        if not -math.pi <= self.right < self.left <= math.pi:
            raise UserError(
                f"a sector from {math.degrees(self.right):g} to {math.degrees(self.left):g} "
                "degrees; it goes from right to left of straight ahead, within -180 and 180. "
                "Change the limits."
            )
        for name, most in (("margin", 2.0), ("beside", 20.0)):
            if not 0 <= getattr(self, name) <= most:
                raise UserError(
                    f"{name}: {getattr(self, name):g} m; it is from 0 to {most:g} m. Change it."
                )

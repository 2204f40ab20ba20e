"""Where in a frame an object may stand, and places drawn uniformly from there."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.random import Generator

from snellen.methods.fusion.placing.headings import AGAINST, ALONG, traffic_at
from snellen.methods.fusion.placing.limits import PlaceLimits
from snellen.methods.fusion.placing.place_checks import PlaceChecks, all_ahead
from snellen.methods.fusion.placing.pose import GroundPose, Size, is_pedestrian_size
from snellen.vision.arrays import F64, Bools, Boxes3D, Floating, Ints
from snellen.vision.lidar.drivable_area import CELL, cell_centres, drivable_area, not_road
from snellen.vision.lidar.ground_surface import GroundSurface, ground_height
from snellen.vision.solids.boxes3d import wrapped
from snellen.vision.solids.coordinate_frames import CoordinateFrames

__all__ = ["FramePlaces", "GroundPose"]


LATTICE = 2
BEHIND = 8.0
ANYWHERE = PlaceLimits()
NOBODY = np.zeros((0, 7))


class FramePlaces:
    """The places of one frame, prepared once for many objects.

    points: (N, 4) of the sweep; ground: (N,) which lie on the ground; boxes: (K, 7) of the labelled
    objects; frames, size: the camera, and its image's height and width, (0, 0) without one; road:
    (H, W) the road in the image, from a segmenter; surface: of the ground, if already computed.
    """

    def __init__(
        self,
        points: Floating,
        ground: Bools,
        boxes: Boxes3D,
        frames: CoordinateFrames,
        size: tuple[int, int],
        limits: PlaceLimits = ANYWHERE,
        road: Bools | None = None,
        surface: GroundSurface | None = None,
    ) -> None:
        surface = surface or ground_height(points, ground)
        denied = None if road is None else not_road(road, frames, surface)
        self.limits = limits
        behind = BEHIND if all_ahead(limits, frames, size) else np.inf
        self.area = drivable_area(points, ground, surface, denied, behind)
        self._boxes = np.asarray(boxes, dtype=np.float64).reshape(-1, 7)
        self._checks = PlaceChecks(self.area, self._boxes, frames, size, limits)
        self._driving = self._lanes()

    def ground_height(self, x: Any, y: Any) -> F64:
        """The ground's z at x and y, metres in the LiDAR frame."""
        return self.area.surface(x, y)

    def draw(
        self, size: Size, rng: Generator, count: int = 1, taken: Boxes3D = NOBODY
    ) -> list[GroundPose]:
        """Places drawn uniformly from all that are allowed for this size; empty without any.

        size: length, width, height in metres. taken: (J, 7) boxes of earlier insertions.
        Each is for one object alone: two of them may overlap. The draw is over cells of 0.5 m, and
        for vehicles over the directions of traffic there; within its cell a place is random if
        allowed, else the centre. Pedestrians face any direction.
        """
        rows = self.candidates(size, taken)
        if not len(rows):
            return []
        picked = rows[rng.integers(len(rows), size=count)]
        if is_pedestrian_size(size):
            picked[:, 2] = rng.uniform(-np.pi, np.pi, count)
        moved = picked.copy()
        moved[:, :2] += rng.uniform(-0.5, 0.5, (count, 2)) * LATTICE * CELL
        fine = self._checks.verdicts(moved, size, taken) == 0
        x, y, yaw = np.where(fine[:, None], moved, picked).T
        return [
            GroundPose(*row)
            for row in np.column_stack([x, y, self.area.surface(x, y), yaw]).tolist()
        ]

    def allowed(self, place: GroundPose, size: Size, taken: Boxes3D = NOBODY) -> str | None:
        """Why an object of this size must not stand at a place; None if it may."""
        return self._checks.reason(place, size, taken)

    def candidates(self, size: Size, taken: Boxes3D = NOBODY) -> F64:
        """(N, 3) x, y and yaw of all candidates of a draw; pedestrians have yaw 0."""
        if is_pedestrian_size(size):
            rows = self._pavements
            return np.asarray(rows[self._checks.verdicts(rows, size, taken) == 0])
        rows, ways = self._driving
        fine = self._checks.verdicts(rows, size, taken) == 0
        along, against = rows[fine & (ways & ALONG > 0)], rows[fine & (ways & AGAINST > 0)]
        against[:, 2] = wrapped(against[:, 2] + np.pi)
        return np.concatenate([along, against])

    @cached_property
    def _pavements(self) -> F64:
        """(N, 3) the grid where pedestrians may stand: x, y and yaw 0."""
        places = self._lattice(self._checks.walkable)
        return np.column_stack([places, np.zeros(len(places))])

    def _lanes(self) -> tuple[F64, Ints]:
        """The grid on the road, x, y and axis (N, 3), and the directions (N,) of traffic."""
        places = self._lattice(self.area.road)
        left_hand = self.limits.traffic == "left"
        traffic = traffic_at(places, self.area, self._boxes, left_hand)
        return np.column_stack([places, traffic.axes]), traffic.ways

    def _lattice(self, area: Bools) -> F64:
        """(N, 2) centres of every second cell of the area along either axis, within limits."""
        x, y = (axis[::LATTICE, ::LATTICE] for axis in cell_centres())
        inside = area[::LATTICE, ::LATTICE]
        places = np.column_stack([x[inside], y[inside]])
        places = places[self._checks.within(places)]
        return np.asarray(places[self._checks.in_sight(places)])

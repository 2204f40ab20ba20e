"""Checks on places, vectorised over many places."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from snellen.methods.fusion.placing.limits import PlaceLimits
from snellen.methods.fusion.placing.pose import GroundPose, Size, is_pedestrian_size
from snellen.vision.arrays import F64, Bools, Boxes3D, Ints
from snellen.vision.lidar.drivable_area import CELL, DrivableArea
from snellen.vision.solids.coordinate_frames import CoordinateFrames, LidarPoints
from snellen.vision.solids.footprints import (
    corners_of,
    footprints_of,
    grown,
    overlapping,
    sight_line_crossings,
)

CARRIER = np.array([[-0.5, 0.0, 6.0, 2.4, 0.0]])
ON_ROAD = 0.95
OVERHEAD = 0.1
EYE_LEVEL, ASIDE = 1.0, 0.05
STRAIGHT = math.sqrt(0.5)

FINE = 0
REASONS = (
    "",
    "nearer or farther than the limits allow, or outside the sector",
    "outside the camera's view",
    "not on the road",
    "where the LiDAR saw something stand",
    "too near to another object, or to the vehicle that carries the LiDAR",
    "behind another object",
    "not behind another object",
)
FAR, UNSEEN, OFF_ROAD, OCCUPIED, COLLIDING, BEHIND, BEFORE = range(1, 8)


@dataclass(frozen=True, eq=False)
class PlaceChecks:
    """The checks of one frame; boxes: (K, 7) of the labelled objects."""

    area: DrivableArea
    boxes: Boxes3D
    frames: CoordinateFrames
    size: tuple[int, int]
    limits: PlaceLimits

    def reason(self, place: GroundPose, size: Size, taken: Boxes3D) -> str | None:
        """Why an object must not stand at a place, None if it may."""
        footprint = _footprints(np.array([[place.x, place.y, place.yaw]]), size)
        for check in (
            self._limited,
            self._seen,
            self._apart,
            self._free,
            self._on_road,
            self._line,
        ):
            if verdict := int(check(footprint, size, taken)[0]):
                return REASONS[verdict]
        return None

    def verdicts(self, rows: F64, size: Size, taken: Boxes3D) -> Ints:
        """(N,) FINE or the first check that poses (N, 3) x, y, yaw fail, for an object's size.

        taken: (J, 7) boxes of earlier insertions. A pedestrian is checked for any yaw.
        """
        footprints = _footprints(rows, size)
        verdicts = self._limited(footprints, size, taken)
        for check in (self._seen, self._on_road, self._free, self._apart, self._line):
            left = np.flatnonzero(verdicts == FINE)
            verdicts[left] = check(footprints[left], size, taken)
        return verdicts

    def within(self, places: F64) -> Bools:
        """Which places (N, 2) are within the limits of distance and sector."""
        away = np.hypot(places[:, 0], places[:, 1])
        bearing = np.arctan2(places[:, 1], places[:, 0])
        near = (away >= self.limits.nearest) & (away <= self.limits.farthest)
        return np.asarray(near & (bearing >= self.limits.right) & (bearing <= self.limits.left))

    def in_sight(self, places: F64) -> Bools:
        """Which places (N, 2) are in the camera's view for an object of some height."""
        if not self._looks:
            return np.ones(len(places), dtype=bool)
        u, _, depth = self._pixels(places, EYE_LEVEL)
        width = self.size[1]
        return np.asarray((depth > 0) & (u > -ASIDE * width) & (u < (1 + ASIDE) * width))

    @property
    def _looks(self) -> bool:
        return self.limits.in_view and self.size[0] > 0

    def _pixels(self, places: F64, above: float) -> F64:
        """(3, N) u, v and depth of points `above` metres above the ground."""
        heights = self.area.surface(places[:, 0], places[:, 1]) + above
        points = np.column_stack([places, heights])
        return np.asarray(self.frames.lidar_to_image(LidarPoints(points)).T)

    @cached_property
    def walkable(self) -> Bools:
        """(512, 512) where pedestrians may stand: the road, and free ground beside it."""
        import cv2

        if self.limits.beside == 0:
            return self.area.road
        across = 2 * round(self.limits.beside / CELL) + 1
        disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (across, across))
        near = cv2.dilate(self.area.road.astype(np.uint8), disc) > 0
        return np.asarray(self.area.road | (near & self.area.ground))

    def _limited(self, footprints: F64, size: Size, taken: Boxes3D) -> Ints:
        return np.where(self.within(footprints[:, :2]), FINE, FAR)

    def _seen(self, footprints: F64, size: Size, taken: Boxes3D) -> Ints:
        if not self._looks:
            return np.full(len(footprints), FINE)
        u, v, depth = self._pixels(footprints[:, :2], size[2] / 2)
        height, width = self.size
        seen = (depth > 0) & (u >= 0) & (u < width) & (v >= 0) & (v < height)
        return np.where(seen, FINE, UNSEEN)

    def _on_road(self, footprints: F64, size: Size, taken: Boxes3D) -> Ints:
        from snellen.vision.solids.footprints_kernels import standing

        area = self.walkable if is_pedestrian_size(size) else self.area.road
        return np.where(standing(footprints, area, ON_ROAD, CELL), FINE, OFF_ROAD)

    def _free(self, footprints: F64, size: Size, taken: Boxes3D) -> Ints:
        from snellen.vision.solids.footprints_kernels import obstructed

        lowest, top = self.area.lowest, size[2] + OVERHEAD
        met = obstructed(footprints, self.limits.margin, lowest, top, CELL)
        return np.where(met, OCCUPIED, FINE)

    def _apart(self, footprints: F64, size: Size, taken: Boxes3D) -> Ints:
        others = np.concatenate([CARRIER, self._others(taken)])
        collides = overlapping(grown(footprints, self.limits.margin), others).any(axis=1)
        return np.where(collides, COLLIDING, FINE)

    def _line(self, footprints: F64, size: Size, taken: Boxes3D) -> Ints:
        others = self._others(taken)
        hidden = sight_line_crossings(footprints[:, :2], others).any(axis=1)
        if self.limits.behind == "only":
            return np.where(hidden, FINE, BEFORE)
        if self.limits.behind == "allow":
            return np.full(len(footprints), FINE)
        corners = (
            sight_line_crossings(corners_of(footprints), others)
            .any(axis=1)
            .reshape(-1, 4)
            .any(axis=1)
        )
        return np.where(hidden | corners, BEHIND, FINE)

    def _others(self, taken: Boxes3D) -> F64:
        return np.concatenate([footprints_of(self.boxes), footprints_of(taken)])


def all_ahead(limits: PlaceLimits, frames: CoordinateFrames, size: tuple[int, int]) -> bool:
    """Whether the limits, or the view of a camera that looks ahead, leave no place behind."""
    looking = limits.in_view and size[0] > 0 and frames.lidar_from_camera[0, 2] > STRAIGHT
    return bool(looking or (limits.right >= -math.pi / 2 and limits.left <= math.pi / 2))


def _footprints(rows: F64, size: Size) -> F64:
    length, width = size[:2]
    if is_pedestrian_size(size):
        side = math.hypot(length, width)
        flat = np.full(len(rows), side)
        return np.column_stack([rows[:, :2], flat, flat, np.zeros(len(rows))])
    sides = np.full((len(rows), 2), [length, width])
    return np.column_stack([rows[:, :2], sides, rows[:, 2]])

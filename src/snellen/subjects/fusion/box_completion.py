"""Completion of the visible part of an object to a box of the whole object."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from snellen.subjects.fusion.obstacles import Obstacles
from snellen.subjects.fusion.priors import Prior
from snellen.subjects.fusion.rectangles import Rectangle, rectangle_around
from snellen.vision.arrays import F64
from snellen.vision.solids.boxes3d import wrapped

DEEP = 0.7
"""The ratio of the shorter to the longer side from which the end of an object counts as deep."""


class VisiblePart(NamedTuple):
    """The visible part of one object.

    rectangle: around its returns. floor: z of the ground below it. bottom, top: its lowest and
    highest return, metres above the ground. points: number of returns. range: horizontal distance
    to the LiDAR in metres.
    """

    rectangle: Rectangle
    floor: float
    bottom: float
    top: float
    points: int
    range: float


def visible_part(returns: Obstacles) -> VisiblePart:
    """The visible part of one object, from its returns, at least one."""
    floor = float(np.median(returns.ground))
    bottom, top = np.quantile(returns.points[:, 2], [0.01, 0.99]) - floor
    range_ = float(np.hypot(*np.median(returns.points[:, :2], axis=0)))
    around = rectangle_around(returns.points)
    return VisiblePart(around, floor, float(bottom), float(top), len(returns), range_)


def completed_box(part: VisiblePart, prior: Prior) -> F64:
    """(7,) the box in the LiDAR frame of an object of a class, extended to the class's mean size.

    The sides that face the LiDAR stay at the returns; the box extends away from it. A heading and
    its opposite cannot be distinguished; the result points away from the LiDAR.
    """
    rectangle = part.rectangle
    height = prior.height if part.top < 0.9 * prior.height else min(part.top, 1.2 * prior.height)
    axis = _length_axis(rectangle, prior)
    sizes = np.empty(2)
    sizes[axis] = max(prior.length, min(rectangle.sides[axis], prior.longest))
    sizes[1 - axis] = max(prior.width, min(rectangle.sides[1 - axis], prior.widest))
    centre = [_grown(rectangle.low[i], rectangle.high[i], sizes[i]) for i in (0, 1)]
    cos, sin = np.cos(rectangle.yaw), np.sin(rectangle.yaw)
    x, y = centre[0] * cos - centre[1] * sin, centre[0] * sin + centre[1] * cos
    yaw = rectangle.yaw + axis * np.pi / 2
    if x * np.cos(yaw) + y * np.sin(yaw) < 0:
        yaw += np.pi
    sides = [sizes[axis], sizes[1 - axis], height]
    return np.array([x, y, part.floor + height / 2, *sides, wrapped(yaw)])


def _length_axis(rectangle: Rectangle, prior: Prior) -> int:
    """0 or 1: the axis of the object's length.

    It is the longer side, unless that is no longer than the class's width: then only an end of the
    object is visible. The length is then perpendicular to a flat end, and along the line of sight
    for an end as deep as wide.
    """
    longer = int(np.argmax(rectangle.sides))
    if rectangle.sides[longer] >= 1.2 * prior.width or prior.length < 1.5 * prior.width:
        return longer
    if rectangle.sides[1 - longer] < DEEP * rectangle.sides[longer]:
        return 1 - longer
    return int(np.argmax(np.abs(rectangle.low + rectangle.high)))


def _grown(low: float, high: float, size: float) -> float:
    """The centre of an interval extended to a size away from 0, or both ways if it contains 0."""
    if low > 0:
        return low + size / 2
    return high - size / 2 if high < 0 else (low + high) / 2

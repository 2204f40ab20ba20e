"""Which way vehicles drive at places on a road: along it, on their side of it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from snellen.vision.arrays import F32, F64, Bools, Boxes3D, Ints
from snellen.vision.lidar.drivable_area import BINS, CELL, CLEARANCE, DrivableArea
from snellen.vision.solids.boxes3d import wrapped

POOL = 4
WINDOW = 25
AROUND = 11
SOME_BORDER = 100.0
LEAST = 0.2
EGO, EGO_FADE = 0.15, 20.0
VEHICLE_LENGTH, VEHICLE_RATIO = 2.5, 1.3
FADE = 10.0
BROADEST, HOLE = 20.0, 2.5
LANE = 1.75
MIDDLE, CLEAR = 0.5, 0.25
SAME_LANE, IN_LINE, ALIGNED = 2.0, 25.0, math.radians(30)
OURS = np.array([[6.0, 0.0]])

ALONG, AGAINST = 1, 2


@dataclass(frozen=True, eq=False)
class Traffic:
    """The traffic at N places: axes (N,) of the road in radians, pointing away from the vehicle
    that carries the LiDAR; ways (N,) sums of ALONG and AGAINST.
    """

    axes: F64
    ways: Ints


def traffic_at(places: F64, area: DrivableArea, boxes: Boxes3D, left_hand: bool = False) -> Traffic:
    """The traffic at places (N, 2), given the road and labelled boxes (K, 7).

    The axis follows the borders of the road around a place and the vehicles nearby; without
    either, as on a plaza, and close to us, it is straight ahead. A vehicle in the same lane decides
    the direction; else the side of the road does. A road whose centre we are beyond counts as
    one-way, unless there is oncoming traffic; so does ground without clear borders.
    """
    vehicles = _vehicles(boxes)
    everywhere = np.concatenate([OURS, np.asarray(places, dtype=np.float64).reshape(-1, 2)])
    every_axis, agreed = _axes(everywhere, area, vehicles)
    every_room = _room(everywhere, every_axis, area.road, left_hand)
    own, room, axes = every_room[0], every_room[1:], every_axis[1:]
    ways = np.full(len(room), ALONG)
    if own[0] > own[1] + LANE or _oncoming(vehicles, every_axis, everywhere):
        off = room[:, 1] - room[:, 0]
        others = (room[:, 1] > own[1] + LANE) & (agreed[1:] > CLEAR)
        ways[others & (off > -MIDDLE)] = ALONG + AGAINST
        ways[others & (off > MIDDLE)] = AGAINST
    return Traffic(axes, _in_line(everywhere[1:], axes, ways, vehicles))


def _vehicles(boxes: Boxes3D) -> Boxes3D:
    rows = np.asarray(boxes, dtype=np.float64).reshape(-1, 7)
    return rows[(rows[:, 3] > VEHICLE_LENGTH) & (rows[:, 3] > VEHICLE_RATIO * rows[:, 4])]


def _axes(places: F64, area: DrivableArea, vehicles: Boxes3D) -> tuple[F64, F64]:
    """(N,) axes in [-pi/2, pi/2], and how much (N,) the road's borders agree, from -1 to 1.

    Votes are summed as vectors of twice the angle.
    """
    squares = (places / (POOL * CELL) + BINS // POOL).astype(np.int64)
    course = _course(area)[squares[:, 0], squares[:, 1]]
    votes = course + EGO + np.exp(-np.hypot(places[:, 0], places[:, 1]) / EGO_FADE)
    if len(vehicles):
        away = np.hypot(*(places[:, None] - vehicles[None, :, :2]).transpose(2, 0, 1))
        votes = votes + np.exp(-away / FADE) @ np.exp(2j * vehicles[:, 6])
    doubled = np.angle(votes)
    return np.asarray(doubled / 2), np.asarray((course * np.exp(-1j * doubled)).real)


def _course(area: DrivableArea) -> npt.NDArray[np.complex128]:
    """(128, 128) for each square metre the direction of the road borders around it.

    As a vector of twice the angle, its length their agreement: 0 for a plaza, 1 for a straight
    road. Where the road ends only because nothing was scanned beyond, there is no border.
    """
    import cv2

    things = cv2.dilate((area.lowest < CLEARANCE).astype(np.uint8), np.ones((AROUND, AROUND)))
    known = _pooled(area.road | area.ground | (things > 0))
    weight = cv2.erode(known, np.ones((3, 3), dtype=np.uint8))
    share = _pooled(area.road)
    along, across = (weight * cv2.Sobel(share, cv2.CV_32F, *way) for way in ((0, 1), (1, 0)))
    sums = [
        cv2.boxFilter(part, -1, (WINDOW, WINDOW), normalize=False)
        for part in (across**2 - along**2, -2 * along * across, along**2 + across**2)
    ]
    arrow = (sums[0] + 1j * sums[1]) / (sums[2] + SOME_BORDER)
    size = np.abs(arrow)
    return np.asarray(arrow / np.maximum(size, 1e-9) * np.clip((size - LEAST) / 0.5, 0, 1))


def _pooled(mask: Bools) -> F32:
    """(128, 128) the share of each square metre that a mask (512, 512) holds."""
    import cv2

    size = (2 * BINS // POOL, 2 * BINS // POOL)
    return np.asarray(cv2.resize(mask.astype(np.float32), size, interpolation=cv2.INTER_AREA))


def _room(places: F64, axes: F64, road: Bools, left_hand: bool) -> F64:
    """(N, 2) metres of road on the oncoming side and on our own."""
    from snellen.methods.fusion.placing.heading_kernels import room_beside

    room = room_beside(road, places, axes, CELL, BROADEST, HOLE)
    return np.asarray(room[:, ::-1] if left_hand else room)


def _oncoming(vehicles: Boxes3D, axes: F64, places: F64) -> bool:
    """Whether a vehicle on the road faces us."""
    if not len(vehicles):
        return False
    away = np.hypot(*(places[:, None] - vehicles[None, :, :2]).transpose(2, 0, 1))
    nearest = away.argmin(axis=0)
    turned = np.abs(wrapped(vehicles[:, 6] - axes[nearest]))
    return bool(((turned > math.pi - ALIGNED) & (away.min(axis=0) < LANE + 2)).any())


def _in_line(places: F64, axes: F64, ways: Ints, vehicles: Boxes3D) -> Ints:
    """The directions (N,), that of the nearest vehicle in the same lane where there is one."""
    if not len(vehicles):
        return ways
    off = vehicles[None, :, :2] - places[:, None]
    cos, sin = np.cos(axes)[:, None], np.sin(axes)[:, None]
    along = np.abs(off[..., 0] * cos + off[..., 1] * sin)
    across = np.abs(off[..., 1] * cos - off[..., 0] * sin)
    turned = np.abs(wrapped(vehicles[None, :, 6] - axes[:, None]))
    aligned = (turned < ALIGNED) | (turned > math.pi - ALIGNED)
    far = np.where((across < SAME_LANE) & (along < IN_LINE) & aligned, along, np.inf)
    nearest = far.argmin(axis=1)
    rows = np.arange(len(places))
    said = np.where(turned[rows, nearest] < math.pi / 2, ALONG, AGAINST)
    return np.asarray(np.where(np.isfinite(far[rows, nearest]), said, ways))

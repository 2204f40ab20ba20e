"""Footprints against shapely."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.vision.arrays import F64
from snellen.vision.solids.footprints import (
    corners_of,
    footprints_of,
    grown,
    overlapping,
    sight_line_crossings,
)
from snellen.vision.solids.footprints_kernels import obstructed, standing

shapely = pytest.importorskip("shapely")
affinity = pytest.importorskip("shapely.affinity")

METRES = st.floats(-12, 12)
SIDES = st.floats(0.3, 9)
RECTANGLES = st.tuples(METRES, METRES, SIDES, SIDES, st.floats(-7, 7))


def polygon(row: tuple[float, ...] | F64) -> Any:
    x, y, length, width, yaw = row
    box = shapely.box(-length / 2, -width / 2, length / 2, width / 2)
    turned = affinity.rotate(box, yaw, origin=(0, 0), use_radians=True)
    return affinity.translate(turned, x, y)


@given(st.lists(RECTANGLES, min_size=1, max_size=4), st.lists(RECTANGLES, min_size=1, max_size=4))
def test_footprints_overlap_where_shapely_finds_a_common_area(
    a: list[tuple[float, ...]], b: list[tuple[float, ...]]
) -> None:
    found = overlapping(a, b)
    for i, first in enumerate(a):
        for j, second in enumerate(b):
            common = polygon(first).intersection(polygon(second)).area
            if common > 1e-6:
                assert found[i, j]
            if polygon(first).distance(polygon(second)) > 1e-6:
                assert not found[i, j]


@given(RECTANGLES, st.tuples(METRES, METRES))
def test_a_line_of_sight_is_crossed_where_shapely_says_so(
    row: tuple[float, ...], target: tuple[float, float]
) -> None:
    common = shapely.LineString([(0, 0), target]).intersection(polygon(row)).length
    found = bool(sight_line_crossings([target], [row])[0, 0])
    if common > 1e-5:
        assert found
    if polygon(row).distance(shapely.LineString([(0, 0), target])) > 1e-6:
        assert not found


@given(RECTANGLES)
def test_corners_are_those_of_shapely(row: tuple[float, ...]) -> None:
    mine = shapely.Polygon(corners_of([row])[0])
    assert mine.symmetric_difference(polygon(row)).area < 1e-6
    assert mine.exterior.is_ccw


@pytest.mark.parametrize(
    ("apart", "collide"), [(3.0, False), (1.9, False), (1.7, True), (0.0, True)]
)
def test_cars_side_by_side_collide_only_when_their_sides_do(apart: float, collide: bool) -> None:
    yaw = 0.4
    across = np.array([-math.sin(yaw), math.cos(yaw)]) * apart
    first = [20.0, 4.0, 4.5, 1.8, yaw]
    second = [20.0 + across[0], 4.0 + across[1], 4.5, 1.8, yaw + math.pi]
    assert bool(overlapping([first], [second])[0, 0]) is collide


def test_footprints_take_length_and_yaw_from_boxes_and_grow_on_every_side() -> None:
    assert footprints_of([[1, 2, 3, 4, 5, 6, 7]]).tolist() == [[1, 2, 4, 5, 7]]
    assert grown([[1, 2, 4, 5, 7]], 0.5).tolist() == [[1, 2, 5, 6, 7]]
    assert overlapping(np.zeros((0, 5)), [[1, 2, 4, 5, 7]]).shape == (0, 1)


@given(RECTANGLES, st.tuples(METRES, METRES), st.floats(0, 0.5))
def test_no_point_within_the_grown_footprint_is_overlooked(
    row: tuple[float, ...], point: tuple[float, float], margin: float
) -> None:
    lowest = np.full((128, 128), np.inf, dtype=np.float32)
    place = [math.floor(part / 0.25) + 64 for part in point]
    lowest[place[0], place[1]] = 0.5
    stands = obstructed(np.array([row]), margin, lowest, 1.5, 0.25)
    away = polygon(row).distance(shapely.Point(point))
    if away < margin - 1e-6 or (away == 0 and margin == 0):
        assert stands[0]
    if away > margin * math.sqrt(2) + 0.7:
        assert not stands[0]


def test_what_hangs_higher_than_the_object_does_not_stand_in_its_way() -> None:
    lowest = np.full((64, 64), np.inf, dtype=np.float32)
    lowest[32 + 8, 32] = 2.4
    row = np.array([[2.0, 0, 4, 2, 0]])
    assert not obstructed(row, 0.2, lowest, 1.5, 0.25)[0]
    assert obstructed(row, 0.2, lowest, 3.5, 0.25)[0]


@given(RECTANGLES, st.floats(0.5, 1))
def test_a_footprint_stands_on_an_area_by_the_share_that_lies_there(
    row: tuple[float, ...], least: float
) -> None:
    area = np.zeros((192, 192), dtype=bool)
    area[96:] = True
    found = bool(standing(np.array([row]), area, least, 0.25)[0])
    whole = polygon(row)
    ahead = whole.intersection(shapely.box(0, -99, 99, 99)).area / whole.area
    if min(row[2:4]) > 1:
        assert found or ahead < least + 0.25
        assert not found or ahead > least - 0.25


def test_a_footprint_beyond_the_grid_stands_nowhere() -> None:
    area = np.ones((64, 64), dtype=bool)
    assert not standing(np.array([[50.0, 0, 4, 2, 0.3]]), area, 0.95, 0.25)[0]


@given(RECTANGLES)
def test_every_cell_of_a_footprint_counts(row: tuple[float, ...]) -> None:
    middles = (np.arange(192) - 96 + 0.5) * 0.25
    points = [(x, y) for x in middles for y in middles]
    inside = shapely.contains_xy(polygon(row), points).reshape(192, 192)
    footprint = np.array([row])
    assert bool(standing(footprint, inside, 0.999, 0.25)[0]) is bool(inside.any())
    if inside.sum() > 1:
        holed = inside.copy()
        holed[tuple(np.argwhere(inside)[0])] = False
        assert not standing(footprint, holed, 0.9999, 0.25)[0]

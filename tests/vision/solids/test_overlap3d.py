"""Overlap of upright 3D boxes, against shapely's polygons and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import affinity

from snellen.vision.arrays import F64
from snellen.vision.solids.overlap3d import (
    overlap3d,
    overlap_bev,
)

Box = tuple[float, float, float, float, float, float, float]

QUARTER = math.pi / 2
CAR: Box = (10, -3, -0.9, 4, 2, 1.5, 0.3)

sizes = st.one_of(st.sampled_from([1.0, 1.6, 2.0, 4.0]), st.floats(0.05, 12))
places = st.one_of(st.sampled_from([-2.0, -1.0, 0.0, 1.0, 2.0, 4.0]), st.floats(-5, 5))
turns = st.one_of(
    st.sampled_from([k * QUARTER for k in range(-4, 5)] + [math.pi / 4, 1e-9, 1e-17]),
    st.floats(-7, 7),
)
solids = st.tuples(places, places, places, sizes, sizes, sizes, turns)


def reference(a: Box, b: Box) -> tuple[float, float]:
    """BEV and 3D IoU from shapely's polygons, turned and moved by shapely too."""
    common = footprint(a).intersection(footprint(b)).area
    joint = a[3] * a[4] + b[3] * b[4] - common
    tall = min(a[2] + a[5] / 2, b[2] + b[5] / 2) - max(a[2] - a[5] / 2, b[2] - b[5] / 2)
    inside = common * max(tall, 0)
    volumes = a[3] * a[4] * a[5] + b[3] * b[4] * b[5]
    return common / joint, inside / (volumes - inside)


def footprint(box: Box) -> shapely.Polygon:
    x, y, _, length, width, _, yaw = box
    flat = shapely.box(-length / 2, -width / 2, length / 2, width / 2)
    return affinity.translate(affinity.rotate(flat, yaw, origin=(0, 0), use_radians=True), x, y)


@settings(max_examples=100)
@given(solids, solids)
def test_any_two_boxes_overlap_as_shapely_says(a: Box, b: Box) -> None:
    bev, solid = reference(a, b)
    assert overlap_bev(row(a), row(b))[0, 0] == pytest.approx(bev, abs=1e-9)
    assert overlap3d(row(a), row(b))[0, 0] == pytest.approx(solid, abs=1e-9)


@settings(max_examples=100)
@given(solids, solids, st.floats(-7, 7))
def test_order_heading_and_common_turn_do_not_matter(a: Box, b: Box, turn: float) -> None:
    found = overlap3d(row(a), row(b))[0, 0]
    about = (*b[:6], b[6] + math.pi)
    swapped = (*b[:3], b[4], b[3], b[5], b[6] - QUARTER)
    for one, other in ((b, a), (a, about), (a, swapped), (turned(a, turn), turned(b, turn))):
        assert overlap3d(row(one), row(other))[0, 0] == pytest.approx(found, abs=1e-9)


@pytest.mark.parametrize(
    ("change", "bev", "solid"),
    [
        ((0, 0, 0, 0, 0, 0, 0), 1, 1),
        ((0, 0, 0, 0, 0, 0, math.pi), 1, 1),
        ((2, 0, 0, 0, 0, 0, 0), 1 / 3, 1 / 3),  # half a length ahead
        ((0, 1, 0, 0, 0, 0, 0), 1 / 3, 1 / 3),  # half a width to the left
        ((0, 0, 0.75, 0, 0, 0, 0), 1, 1 / 3),  # half a height up
        ((4, 0, 0, 0, 0, 0, 0), 0, 0),  # bumper to bumper
        ((0, 2, 0, 0, 0, 0, 0), 0, 0),  # side by side
        ((0, 0, 1.5, 0, 0, 0, 0), 1, 0),  # one on top of the other
        ((0, 0, 0, -2, -1, 0, 0), 1 / 4, 1 / 4),  # inside
        ((0, 0, 0, 0, 0, 0, QUARTER), 1 / 3, 1 / 3),  # across: 2 x 2 of 2 x 8 - 4
        ((0, 0, 0, -2, 2, 0, 0), 1 / 3, 1 / 3),  # length and width swapped
        ((0, 0, 0, -2, 2, 0, QUARTER), 1, 1),  # swapped and turned: the same
    ],
)
def test_boxes_whose_overlap_is_known_by_hand(change: Box, bev: float, solid: float) -> None:
    straight = np.array((*CAR[:6], 0.0))
    other = straight + np.array(change)
    assert overlap_bev(straight, other)[0, 0] == pytest.approx(bev, abs=1e-12)
    assert overlap3d(straight, other)[0, 0] == pytest.approx(solid, abs=1e-12)


def test_an_octagon_is_what_two_squares_at_45_degrees_share() -> None:
    common = 8 * (math.sqrt(2) - 1)  # of squares of side 2
    found = overlap_bev(row((0, 0, 0, 2, 2, 1, 0)), row((0, 0, 0, 2, 2, 1, math.pi / 4)))
    assert found[0, 0] == pytest.approx(common / (8 - common), abs=1e-12)


def test_a_table_has_each_pair_at_its_own_place() -> None:
    rng = np.random.default_rng(4)
    a = rng.uniform([-5, -5, -1, 1, 1, 1, -4], [5, 5, 1, 5, 3, 2, 4], (30, 7))
    b = rng.uniform([-5, -5, -1, 1, 1, 1, -4], [5, 5, 1, 5, 3, 2, 4], (20, 7))
    for overlap in (overlap3d, overlap_bev):
        one_by_one = [[overlap(row(x), row(y))[0, 0] for y in b] for x in a]
        np.testing.assert_allclose(overlap(a, b), one_by_one, atol=1e-15)
    assert (overlap3d(a, b) > 0).sum() > 50


def test_boxes_without_a_volume_overlap_nothing() -> None:
    flat = row((10, -3, -0.9, 4, 2, 0, 0.3))
    nothing = np.zeros((1, 7))
    assert overlap3d(flat, row(CAR))[0, 0] == 0
    assert overlap_bev(flat, row(CAR))[0, 0] == pytest.approx(1)
    assert overlap_bev(nothing, nothing)[0, 0] == 0
    assert overlap3d(np.zeros((0, 7)), row(CAR)).shape == (0, 1)


def row(box: tuple[float, ...]) -> F64:
    return np.array([box])


def turned(box: Box, angle: float) -> Box:
    x, y = box[0], box[1]
    cos, sin = math.cos(angle), math.sin(angle)
    return (x * cos - y * sin, x * sin + y * cos, *box[2:6], box[6] + angle)

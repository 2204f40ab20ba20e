"""Contours of warm regions, and distances to them as shapely measures them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.vision.arrays import F64, Bools
from snellen.vision.saliency.contours import (
    box_contour,
    contour_points,
    covers,
    distance_to,
    parts_in,
    warm_region,
)


def some_boxes(rng: np.random.Generator, count: int, spread: float = 80.0) -> F64:
    corner = rng.uniform(-20, spread, (count, 2))
    return np.concatenate([corner, corner + rng.uniform(1, 40, (count, 2))], axis=1)


def blobs(rng: np.random.Generator, height: int = 50, width: int = 70) -> Bools:
    noise = cv2.GaussianBlur(rng.normal(size=(height, width)), (0, 0), 5)
    return np.asarray(noise > np.quantile(noise, 0.8))


@given(st.integers(0, 10**6))
@settings(max_examples=30)
def test_distances_are_those_between_rectangles_and_points(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points, boxes = rng.uniform(0, 60, (int(rng.integers(1, 30)), 2)), some_boxes(rng, 12)
    cloud = shapely.MultiPoint(points)
    expected = [shapely.box(*box).distance(cloud) for box in boxes]
    assert np.allclose(distance_to(points, boxes), expected)


@given(st.integers(0, 10**6))
@settings(max_examples=30)
def test_a_rectangle_that_covers_any_of_the_region_has_no_distance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    region, boxes = blobs(rng), some_boxes(rng, 20)
    pixels = [shapely.box(x, y, x + 1, y + 1) for y, x in np.argwhere(region)]
    whole = shapely.union_all(pixels)
    overlaps = np.array([shapely.box(*box).intersection(whole).area > 1e-12 for box in boxes])
    assert np.array_equal(covers(region, boxes), overlaps)
    points = contour_points(region)
    found = distance_to(points, boxes, region)
    assert (found[overlaps] == 0).all()
    apart = distance_to(points, boxes)[~overlaps]
    assert np.array_equal(found[~overlaps], apart)
    exact = [shapely.box(*box).distance(whole) for box in boxes[~overlaps]]
    spacing = whole.boundary.length / 64
    assert (apart >= np.array(exact) - 1e-9).all(), "points lie on the border"
    assert (apart <= np.array(exact) + spacing / 2 + 1e-9).all(), "a point is never far"


def test_a_rectangle_wholly_inside_the_contour_touches_what_it_is_around() -> None:
    region = np.zeros((60, 60), bool)
    region[5:55, 5:55] = True
    inside = [[28, 28, 32, 32]]
    assert distance_to(contour_points(region), inside)[0] > 20
    assert distance_to(contour_points(region), inside, region)[0] == 0


@given(st.integers(0, 10**6), st.integers(3, 90))
@settings(max_examples=30)
def test_points_lie_evenly_on_the_borders_of_all_parts(seed: int, count: int) -> None:
    region = blobs(np.random.default_rng(seed))
    points = contour_points(region, count)
    assert points.shape == (count, 2)
    pixels = [shapely.box(x, y, x + 1, y + 1) for y, x in np.argwhere(region)]
    border = shapely.union_all(pixels).boundary
    assert max(border.distance(shapely.Point(point)) for point in points) < 1e-9


def test_points_are_as_far_apart_as_the_border_is_long() -> None:
    points = box_contour([10, 20, 40, 30], 80)
    steps = np.hypot(*(np.roll(points, -1, axis=0) - points).T)
    assert np.allclose(steps, 1)
    assert points[:, 0].min() == 10
    assert points[:, 1].max() == 30
    masked = np.zeros((40, 50), bool)
    masked[20:30, 10:40] = True
    traced = contour_points(masked, 80)
    assert {tuple(point) for point in traced} == {tuple(point) for point in points}


def test_an_empty_region_has_no_contour_and_no_distance() -> None:
    assert contour_points(np.zeros((5, 5), bool)).shape == (0, 2)
    with pytest.raises(ValueError, match="without points"):
        distance_to(np.zeros((0, 2)), [[0, 0, 1, 1]])
    assert not warm_region(np.zeros((4, 4))).any()


@pytest.mark.parametrize("threshold", [0.1, 0.5, 1.0])
def test_warm_is_a_share_of_the_hottest_whatever_the_scale(threshold: float) -> None:
    heat = np.random.default_rng(1).random((20, 30))
    expected = heat >= threshold * heat.max()
    for scale in (1.0, 1e-6, 300.0):
        assert np.array_equal(warm_region(heat * scale, threshold), expected)
    with pytest.raises(ValueError, match="above 0, at most 1; found 1"):
        warm_region(heat, 1.2)


def test_otsu_parts_a_heat_map_as_opencv_does() -> None:
    rng = np.random.default_rng(3)
    for _ in range(10):
        levels = rng.integers(20, 90, (30, 40))
        levels[5:20, 8:30] = rng.integers(120, 255, (15, 22))
        levels[0, 0] = 255
        value, _ = cv2.threshold(levels.astype(np.uint8), 0, 255, cv2.THRESH_OTSU)
        assert np.array_equal(warm_region(levels / 255, "otsu"), levels > value)


def test_specks_beside_the_object_are_left_out() -> None:
    region = np.zeros((40, 60), bool)
    region[5:12, 30:40] = region[12, 40] = True
    region[2, 50] = region[30:35, 6:12] = True
    kept = parts_in(region, [32, 4, 38, 10])
    assert kept[12, 40], "parts that touch at a corner belong together"
    assert kept.sum() == 71
    assert np.array_equal(parts_in(region, [0, 36, 9, 39]), region)
    assert parts_in(region, [-9.0, 31.2, 8.4, 90.0]).sum() == 30, "a box may stick out"

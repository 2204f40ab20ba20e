"""Dense depth: depth edges follow image edges, and tall objects are extended upwards."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from snellen.vision.arrays import F64, Bools, Image
from snellen.vision.lidar.dense_depth import DenseDepth, dense_depth
from snellen.vision.lidar.dense_depth_kernels import (
    grow_upwards,
    median_filtered,
    nearest_depths,
    surface_points,
    visible_points,
)
from snellen.vision.lidar.ground_surface import ground_height
from snellen.vision.lidar.points_in_view import points_in_view
from tests.changes.insert3d.streets import FRAMES, SHAPE, Street, Wall, street


def dense(where: Street) -> DenseDepth:
    surface = ground_height(where.points, where.ground)
    return dense_depth(
        where.image, points_in_view(where.points, where.ground, surface, FRAMES, SHAPE)
    )


def inside(wall: Wall, grow: float) -> Bools:
    left, top, right, bottom = wall.outline()
    rows, columns = np.mgrid[: SHAPE[0], : SHAPE[1]]
    upright = (rows > top - grow) & (rows < bottom + grow)
    return np.asarray(upright & (columns > left - grow) & (columns < right + grow))


def test_a_wall_ends_where_its_colour_ends() -> None:
    wall = Wall(x=10.0, left=2.0, right=-1.0, top=-0.3)
    found = dense(street(wall))
    standing = np.isfinite(found.standing)
    foot = int(wall.outline()[3]) - 18  # its lowest 0.2 m count as ground
    assert standing[inside(wall, -2)][: (foot - 190) * 150].all()
    assert not (standing & ~inside(wall, 2)).any()
    np.testing.assert_allclose(found.standing[standing], 10.0 - 0.267, rtol=0.01)


def test_level_ground_is_ground_without_slits() -> None:
    found = dense(street())
    assert np.isinf(found.standing).all()
    assert found.ground[185:370, 20:-20].mean() > 0.999
    assert not found.ground[:160].any()
    assert np.isinf(found.depth[:150]).all()


def test_an_object_above_the_lidars_view_is_extended_by_its_colour() -> None:
    tall, low = Wall(12.0, 1.2, 0.8, 9.0), Wall(12.0, -0.8, -1.2, -0.2)
    where = street(tall, low)
    found = np.isfinite(dense(where).standing)
    left, _, right, _ = np.rint(tall.outline()).astype(int)
    assert found[2:100, left + 2 : right - 2].mean() > 0.95
    assert not found[2:100, : left - 3].any()
    left, top, right, _ = np.rint(low.outline()).astype(int)
    assert not found[: top - 3, left - 3 : right + 3].any()


def test_points_that_only_the_lidar_sees_are_left_out() -> None:
    near = [(50 + dr, 100 + dc, 5.0) for dr in (-3, 0, 3) for dc in (-2, 0, 2) if dr or dc]
    far = [(50, 100, 20.0), (50, 140, 20.0)]
    v, u, depth = np.array([*near, *far], dtype=np.float32).T
    nearest = nearest_depths(u, v, depth, 100, 200)
    asked = np.arange(10) > 0
    seen = visible_points(u, v, depth, asked, nearest, np.array([7, 2]), 0.6, 0.08)
    assert seen.tolist() == [False] + [True] * 7 + [False, True]


def test_without_points_nothing_is_known() -> None:
    where = Street(street().image, np.zeros((0, 4), np.float32), np.zeros(0, bool))
    found = dense(where)
    assert np.isinf(found.depth).all()
    assert not found.ground.any()


def test_each_pixel_takes_the_point_of_least_cost_and_of_equal_ones_the_first() -> None:
    rng = np.random.default_rng(1)
    image = rng.integers(90, 200, (24, 30, 3), dtype=np.uint8)
    u, v = (rng.integers(0, 2 * size - 1, 80) / np.float32(2) for size in (30, 24))
    u, v = u.astype(np.float32), v.astype(np.float32)
    seen, plain = rng.random(80) < 0.8, rng.random(80) < 0.4
    wide, scale = np.pad(image, ((0, 0), (2, 2), (0, 0))), np.array([3.0, 1.2, 14.0])
    winner = surface_points(u, v, seen, plain, wide, 4, scale)
    for r, c in np.ndindex(24, 30):
        there = (abs(r - (v + 0.5).astype(int)) <= 4) & (abs(c - (u + 0.5).astype(int)) <= 2)
        costs = np.full(80, np.inf)
        for i in np.flatnonzero(seen & there):
            costs[i] = cost(image, (r, c), (u[i], v[i]), bool(plain[i]), scale)
        if np.isinf(costs.min()):
            assert winner[r, c] == -1
        else:
            assert costs[winner[r, c]] == pytest.approx(costs.min(), rel=1e-5)
    both = np.ones(2, dtype=np.bool_)
    tied = surface_points(u[[3, 3]], v[[3, 3]], both, both, wide, 4, scale)
    assert set(np.unique(tied)) == {-1, 0}


def cost(
    image: Image,
    pixel: tuple[int, int],
    point: tuple[float, float],
    plain: bool,
    scale: F64,
) -> float:
    (r, c), (u, v) = pixel, point
    away = float(((r - v) / scale[0]) ** 2 + ((c - u) / scale[1]) ** 2)
    if plain:
        return away
    own = image[r, c].astype(int)
    tint = int(((own - image[int(v + 0.5), int(u + 0.5)].astype(int)) ** 2).sum())
    limit = 70 if min(own[1], own[2]) >= 150 else 110
    return away + tint / float(scale[2]) ** 2 if tint < limit**2 else np.inf


def test_growth_follows_the_nearest_colour_and_stops_where_it_drifted() -> None:
    image = np.full((12, 5, 3), 100, dtype=np.uint8)
    image[:, 2, 0] = 100 - 15 * np.arange(12)[::-1].clip(0, 6)  # changes slowly, and too far
    winner = np.full((12, 5), -1, dtype=np.int32)
    winner[11], winner[10, 0] = [1, 1, 0, 1, 1], 1
    grow_upwards(winner, np.array([True, False]), image, 34, 60)
    assert winner[:, 2].tolist() == [-1] * 8 + [0] * 4
    assert winner[10, 1] == 0  # leans, where nothing straight below is tall
    assert winner[9, 0] == 0
    assert (winner[10, 0], winner[11, 0]) == (1, 1)


@pytest.mark.parametrize("shape", [(1, 1), (1, 6), (7, 1), (2, 3), (30, 41)])
def test_depths_are_settled_by_the_median_around(shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(3)
    grid = np.where(rng.random(shape) < 0.5, np.inf, rng.random(shape)).astype(np.float32)
    assert (median_filtered(grid) == cv2.medianBlur(grid, 3).reshape(shape)).all()

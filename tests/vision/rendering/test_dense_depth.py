"""Depth of every pixel: edges of the picture are edges of the depth, and tall things go on up."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from snellen.vision.dense_depth import DenseDepth, dense_depth
from snellen.vision.dense_depth_kernels import nearest_depths, seen_points
from snellen.vision.dense_depth_sights import sights
from snellen.vision.lidar.ground_surface import ground_height
from tests.changes.streets import FRAMES, SHAPE, Street, Wall, street


def dense(where: Street) -> DenseDepth:
    surface = ground_height(where.points, where.ground)
    return dense_depth(where.image, sights(where.points, where.ground, surface, FRAMES, SHAPE))


def inside(wall: Wall, grow: float) -> npt.NDArray[np.bool_]:
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


def test_a_thing_that_leaves_the_lidars_view_goes_on_up_along_its_colour() -> None:
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
    seen = seen_points(u, v, depth, nearest, np.array([7, 2]), 0.6, 0.08)
    assert seen.tolist() == [True] * 8 + [False, True]


def test_without_points_nothing_is_known() -> None:
    where = Street(street().image, np.zeros((0, 4), np.float32), np.zeros(0, bool))
    found = dense(where)
    assert np.isinf(found.depth).all()
    assert not found.ground.any()

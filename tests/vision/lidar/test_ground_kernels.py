"""The loops of the ground, against the libraries and formulas that they replace."""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.scenes.kitti.point_file import read_points
from snellen.vision.arrays import F32, Bools
from snellen.vision.lidar.ground import ground_mask
from snellen.vision.lidar.ground_kernels import ground_candidates
from snellen.vision.lidar.ground_surface import CELL, CELLS, GroundSurface
from snellen.vision.lidar.ground_surface_kernels import blended, downsampled, height_at, sector_of

RNG = np.random.default_rng(1)


def as_the_library_has_it(points: F32) -> Bools:
    """The mask of Patchwork++ without our selection of points."""
    pypatchworkpp = import_module("pypatchworkpp")
    parameters = pypatchworkpp.Parameters()
    parameters.sensor_height = 1.73
    estimator = pypatchworkpp.patchworkpp(parameters)
    estimator.estimateGround(points)
    mask = np.zeros(len(points), dtype=np.bool_)
    mask[estimator.getGroundIndices()] = True
    return mask


@pytest.mark.parametrize("frame", [3, 4, 6])
def test_points_left_out_beforehand_do_not_change_the_mask(
    frame: int, shared: Callable[[str], Path]
) -> None:
    """Frames with reflections below the ground, and with many points beyond the range."""
    points = read_points(shared(f"kitti/training/velodyne/{frame:06d}.bin"))
    assert len(ground_candidates(points, 1.73, 2.7, 80.0)[0]) < len(points)
    assert (ground_mask(points) == as_the_library_has_it(points)).all()


def test_only_mirrored_and_far_points_are_left_out() -> None:
    points = np.array(
        [
            [5.0, 0, -1.7, 0.1],
            [5.0, 0, -2.6, 0.1],  # reflection
            [5.0, 0, -2.6, 0.3],  # bright
            [5.0, 0, -2.5, 0.1],  # not low enough
            [10.0, 0, -2.6, 0.1],  # not steeply below
            [2.0, 1.0, -1.0, 0.1],  # near
            [79.0, 15.0, 0.0, 0.1],  # far
        ],
        dtype=np.float32,
    )
    rows, places = ground_candidates(points, 1.73, 2.7, 80.0)
    assert rows.tolist() == [0, 2, 3, 4]
    assert (places == points[rows, :3].T).all()


@given(st.floats(-90, 90), st.floats(-90, 90))
def test_heights_are_those_of_the_surface(x: float, y: float) -> None:
    grid = np.random.default_rng(2).normal(-1.7, 0.3, (CELLS, CELLS))
    assert height_at(grid, CELL, x, y) == GroundSurface(grid)(x, y)


@given(st.floats(-90, 90), st.floats(-90, 90), st.integers(-50, 50), st.integers(-50, 50))
def test_sectors_are_those_of_the_arc_tangent(x: float, y: float, p: int, q: int) -> None:
    for across, along in ((x, y), (p, q), (p, 0), (0, q), (p, p), (p, -p)):
        turn = math.atan2(along, across) / (2 * math.pi) + 0.5
        assert sector_of(float(across), float(along), 480) == int(turn * 480) % 480


@pytest.mark.parametrize("half", [2, 5, 40])
def test_surroundings_are_taken_linearly_as_by_a_resize(half: int) -> None:
    around, sums = RNG.normal(0, 1, (half, half)), RNG.normal(0, 1, (2 * half, 2 * half))
    counts = RNG.integers(0, 3, sums.shape).astype(np.float64)
    finer = cv2.resize(around, sums.shape, interpolation=cv2.INTER_LINEAR)
    expected = (sums + 0.25 * finer) / (counts + 0.25)
    np.testing.assert_allclose(blended(sums, counts, around, 0.25), expected, rtol=1e-12)
    blocks = sums.reshape(half, 2, half, 2).sum(axis=(1, 3))
    np.testing.assert_allclose(downsampled(sums), blocks, rtol=1e-12, atol=1e-15)

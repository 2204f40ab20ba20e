"""Shadows on the ground: areas and shares against geometry."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from snellen.objects.meshes.parametric_mesh import parametric
from snellen.vision.rendering.shadows import CELL, cast_shadow, sky_occlusion
from snellen.vision.solids.coordinate_frames import CoordinateFrames, LidarPoints
from tests.vision.lidar.ray_meshes import block

AHEAD = np.array([[0.0, -1, 0, 0], [0, 0, -1, -0.08], [1, 0, 0, -0.27], [0, 0, 0, 1]])
LENS = np.array([[700.0, 0, 600, 45], [0, 700, 170, 0.2], [0, 0, 1, 0.003]])
FRAMES = CoordinateFrames(AHEAD, LENS)
SHAPE = (375, 1242)


@pytest.mark.parametrize("towards", [(0.0, 0.6, 0.8), (0.5, -0.5, 0.7071), (-0.7, 0.1, 0.7071)])
def test_the_shadow_of_a_block_is_the_hull_of_its_fallen_corners(
    towards: tuple[float, float, float],
) -> None:
    vertices, faces = block((13.0, 1.0, -1.7 + 0.75), (3.0, 1.6, 1.5))
    fallen = vertices - (vertices[:, 2:] + 1.7) / towards[2] * np.array(towards)
    flat = FRAMES.lidar_to_image(LidarPoints(fallen))[:, :2]
    for closed in (False, True):
        cast = cast_shadow(vertices, faces, -1.7, towards, FRAMES, SHAPE, closed=closed)
        assert cast.share.sum() == pytest.approx(ConvexHull(flat).volume, rel=0.04)
        assert cast.left == pytest.approx(flat[:, 0].min(), abs=1.0)
        assert cast.top == pytest.approx(flat[:, 1].min(), abs=1.0)


def test_a_sun_overhead_throws_the_footprint() -> None:
    vertices, faces = block((13.0, 1.0, -0.95), (3.0, 1.6, 1.5))
    cast = cast_shadow(vertices, faces, -1.7, (0.0, 0.0, 1.0), FRAMES, SHAPE)
    foot = vertices[vertices[:, 2] < -1.6]
    flat = FRAMES.lidar_to_image(LidarPoints(foot))[:, :2]
    assert cast.share.sum() == pytest.approx(ConvexHull(flat).volume, rel=0.03)


@pytest.mark.parametrize("height", [0.5, 1.0, 2.0])
def test_a_plate_hides_the_sky_that_it_spans(height: float) -> None:
    """Under the middle of a disc of radius r at height h, r^2 / (r^2 + h^2) of the light goes."""
    turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    rim = np.column_stack([2 * np.cos(turn), 2 * np.sin(turn), np.full(60, height)])
    vertices = np.vstack([rim, [[0, 0, height]]])
    faces = np.array([[60, i, (i + 1) % 60] for i in range(60)], dtype=np.int32)
    found = sky_occlusion(vertices, faces).at(np.zeros((1, 1)), np.zeros((1, 1)))
    assert found[0, 0] == pytest.approx(4 / (4 + height**2), abs=0.13)


def test_the_sky_is_hidden_most_under_a_car_and_not_at_all_far_off() -> None:
    mesh = parametric("sedan", np.random.default_rng(1))
    hidden = sky_occlusion(mesh.vertices, mesh.faces, closed=mesh.closed_share == 1.0)
    y = np.linspace(0, 4, 60)[None, :]
    share = hidden.at(np.zeros_like(y), y)[0]
    assert share[0] > 0.9
    assert share[y[0] > mesh.size[1] / 2 + 1.2 + CELL].max() == 0
    assert (np.diff(share) <= 1e-3).all()


def test_leaving_out_what_looks_down_hides_no_less_sky() -> None:
    mesh = parametric("van", np.random.default_rng(1))
    every = sky_occlusion(mesh.vertices, mesh.faces).share
    half = sky_occlusion(mesh.vertices, mesh.faces, closed=True).share
    np.testing.assert_allclose(half, every, atol=0.04)
    assert np.abs(half - every).mean() < 0.002

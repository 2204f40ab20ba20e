"""Rendered meshes: colour follows material and light, edges are soft, positions are right."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from snellen.objects.meshes.mesh import Mesh
from snellen.objects.meshes.parametric_mesh import parametric
from snellen.objects.meshes.primitives import ellipsoid, join_parts, rounded_box
from snellen.objects.meshes.sizes import KINDS
from snellen.scenes.kitti.calibration_file import read_calibration
from snellen.vision.rendering.light import Light
from snellen.vision.rendering.mesh_renderer import (
    linear_from_srgb,
    srgb_from_linear,
)
from snellen.vision.rendering.zbuffer import zbuffer
from snellen.vision.solids.boxes3d import corners
from snellen.vision.solids.coordinate_frames import CoordinateFrames, LidarPoints
from tests.vision.rendering.rendered_meshes import RenderedMesh, rendered_mesh

AHEAD = np.array([[0.0, -1, 0, 0], [0, 0, -1, -0.08], [1, 0, 0, -0.27], [0, 0, 0, 1]])
LENS = np.array([[700.0, 0, 600, 45], [0, 700, 170, 0.2], [0, 0, 1, 0.003]])
FRAMES = CoordinateFrames(AHEAD, LENS)
SHAPE = (375, 1242)


def ball(material: str, colour: tuple[int, int, int] = (128, 128, 128)) -> Mesh:
    solid = ellipsoid((0, 0, 1), (1, 1, 1), "only", rows=40, sides=60)
    return join_parts("ball", "Car", [solid], {"only": (material, colour)}, (2, 2, 2))


def test_a_box_covers_the_hull_of_its_projected_corners() -> None:
    from scipy.spatial import ConvexHull

    solid = rounded_box((-2, -1, 0), (2, 1, 1.5), "only", radius=0.0005)
    mesh = join_parts("box", "Car", [solid], {"only": ("paint", (90, 90, 90))}, (4, 2, 1.5))
    drawn = rendered_mesh(mesh, (14.0, 1.5, -1.7, 0.7), FRAMES, SHAPE)
    box = corners(np.array([[14.0, 1.5, -0.95, 4, 2, 1.5, 0.7]]))[0]
    flat = FRAMES.lidar_to_image(LidarPoints(box))[:, :2]
    assert drawn.rgba[..., 3].sum() == pytest.approx(ConvexHull(flat).volume, rel=0.005)
    assert drawn.left == pytest.approx(flat[:, 0].min(), abs=1.0)
    assert drawn.top == pytest.approx(flat[:, 1].min(), abs=1.0)


def test_depth_and_places_agree_with_the_frames() -> None:
    mesh = parametric("suv", np.random.default_rng(1))
    drawn = rendered_mesh(mesh, (12.0, -2.0, -1.6, 2.1), FRAMES, SHAPE)
    cos, sin = np.cos(2.1), np.sin(2.1)
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    seen = FRAMES.lidar_to_image(LidarPoints(drawn.places @ turn.T + [12.0, -2.0, -1.6]))
    fragments = drawn.fragments
    np.testing.assert_allclose(seen[:, 0], drawn.left + fragments.columns / 2 - 0.25, atol=1e-6)
    np.testing.assert_allclose(seen[:, 1], drawn.top + fragments.rows / 2 - 0.25, atol=1e-6)
    depth = fragments.depth[fragments.rows, fragments.columns]
    np.testing.assert_allclose(seen[:, 2], depth, atol=1e-6)


@pytest.mark.parametrize("kind", ["sedan", "cyclist"])
def test_leaving_out_what_looks_away_changes_nothing_on_a_closed_mesh(kind: str) -> None:
    mesh = parametric(kind, np.random.default_rng(1))
    points = FRAMES.lidar_to_camera(LidarPoints(mesh.placed(11.0, 2.0, -1.6, 2.0)))
    every, facing = (
        zbuffer(points, mesh.faces, LENS, SHAPE, closed=closed) for closed in (False, True)
    )
    np.testing.assert_array_equal(every.depth, facing.depth)


def test_colour_is_multiplied_by_alpha_and_the_edge_is_soft() -> None:
    drawn = rendered_mesh(ball("cloth"), (10, 0, -1, 0.0), FRAMES, SHAPE)
    alpha = drawn.rgba[..., 3]
    assert set(np.unique(alpha).tolist()) == {0.0, 0.25, 0.5, 0.75, 1.0}
    assert np.all(drawn.rgba[..., :3] <= alpha[..., None] + 1e-6)
    assert np.all(np.isfinite(drawn.depth) == (alpha > 0))


def test_the_side_towards_the_sun_is_brighter() -> None:
    for towards, bright in (((0, 1, 0.3), "left"), ((0, -1, 0.3), "right")):
        drawn = rendered_mesh(ball("cloth"), (10, 0, -1, 1.2), FRAMES, SHAPE, light=Light(towards))
        half = drawn.rgba.shape[1] // 2
        left, right = drawn.rgba[:, :half, 1].sum(), drawn.rgba[:, half:, 1].sum()
        assert (left > right) == (bright == "left")


def test_turning_a_ball_does_not_change_its_picture() -> None:
    first, second = (
        rendered_mesh(ball("paint"), (10, 0, -1, yaw), FRAMES, SHAPE).rgba
        for yaw in (0.0, np.pi / 2)
    )
    assert first.shape == second.shape
    assert np.abs(first - second).mean() < 0.01


def mean_colour(drawn: RenderedMesh) -> np.ndarray:
    return np.asarray(drawn.rgba[..., :3].sum(axis=(0, 1)) / drawn.rgba[..., 3].sum())


def test_materials_look_different_and_exposure_brightens() -> None:
    means = {
        name: mean_colour(rendered_mesh(ball(name), (10, 0, -1, 0), FRAMES, SHAPE))
        for name in ("paint", "tyre", "chrome", "glass")
    }
    assert np.abs(means["chrome"] - means["tyre"]).max() > 0.02
    dim, bright = (
        mean_colour(
            rendered_mesh(
                ball("cloth"), (10, 0, -1, 0), FRAMES, SHAPE, light=Light(exposure=exposure)
            )
        )
        for exposure in (0.5, 1.0)
    )
    ratio = linear_from_srgb(bright.astype(np.float64)) / linear_from_srgb(dim.astype(np.float64))
    np.testing.assert_allclose(ratio, 2.0, rtol=0.15)


def test_a_texture_is_read_from_its_lower_left() -> None:
    square = np.array([[0, 1, 0], [0, -1, 0], [0, -1, 2], [0, 1, 2]], dtype=float)
    uv = np.array([[[0, 0], [1, 0], [1, 1]], [[0, 0], [1, 1], [0, 1]]], dtype=np.float32)
    texture = np.array([[[255, 0, 0], [0, 255, 0]], [[0, 0, 255], [255, 255, 255]]], np.uint8)
    faces = np.array([[0, 1, 2], [0, 2, 3]], np.int32)
    mesh = Mesh("sign", "Car", square, faces, np.zeros(2, np.int16), ("texture",),
                np.zeros((1, 3), np.uint8), uv, texture)  # fmt: skip
    rgba = rendered_mesh(mesh, (8, 0, -1, 0), FRAMES, SHAPE).rgba
    h, w = rgba.shape[:2]
    quarters = rgba[h // 4, w // 4], rgba[h // 4, 3 * w // 4], rgba[3 * h // 4, w // 4]
    assert [int(np.argmax(q[:3])) for q in quarters] == [0, 1, 2]


def test_what_stands_out_of_view_is_not_drawn() -> None:
    for pose in ((-10.0, 0.0, -1.0, 0.0), (5.0, 60.0, -1.0, 0.0)):
        assert not rendered_mesh(ball("paint"), pose, FRAMES, SHAPE).rgba[..., 3].any()


def test_srgb_values_survive_the_round_trip() -> None:
    values = np.linspace(0, 1, 256)
    np.testing.assert_allclose(srgb_from_linear(linear_from_srgb(values)), values, atol=1e-7)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_fills_a_plausible_share_of_its_box_with_kittis_lens(
    shared: Callable[[str], Path], kind: str
) -> None:
    frames = read_calibration(shared("kitti/training/calib/000001.txt")).frames()
    mesh = parametric(kind, np.random.default_rng(1))
    drawn = rendered_mesh(mesh, (20.0, 0.0, -1.65, 2.4), frames, SHAPE)
    share = drawn.rgba[..., 3].mean()
    assert 0.25 < share < 0.95
    assert drawn.rgba[..., :3].max() > 0.2

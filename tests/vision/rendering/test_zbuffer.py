"""The z-buffer against rays cast one by one, and against shapes with a known image."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.vision.rendering.zbuffer import Fragments, zbuffer
from snellen.vision.solids.coordinate_frames import CameraPoints

LENS = np.array([[30.0, 0.0, 15.5, 4.0], [0.0, 28.0, 11.5, -2.0], [0.0, 0.0, 1.0, 0.01]])
SHAPE = (24, 32)


def cast(points: Any, faces: Any, projection: Any, fragments: Fragments, near: float) -> Any:
    """Depth at every sample by Moeller and Trumbore's test of its ray with every triangle."""
    lens, shift = projection[:, :3], projection[:, 3]
    origin = -np.linalg.solve(lens, shift)
    rows, columns = fragments.depth.shape
    step = 1 / fragments.samples
    v, u = np.meshgrid(np.arange(rows) * step, np.arange(columns) * step, indexing="ij")
    pixels = np.stack([u + fragments.left, v + fragments.top, 0 * u], axis=-1) - 0.5 + step / 2
    pixels[..., 2] = 1
    rays = np.linalg.solve(lens, pixels.reshape(-1, 3).T).T
    best = np.full(len(rays), np.inf)
    for a, b, c in points[faces]:
        e1, e2 = b - a, c - a
        p = np.cross(rays, e2)
        det = p @ e1
        with np.errstate(divide="ignore", invalid="ignore"):
            s = (p @ (origin - a)) / det
            q = np.cross(origin - a, e1)
            t = (rays @ q) / det
            w = (q @ e2) / det
        hit = (s >= 0) & (t >= 0) & (s + t <= 1) & (w >= near)
        best = np.where(hit & (w < best), w, best)
    return best.reshape(rows, columns)


@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.booleans())
def test_depth_and_coverage_are_those_of_rays_cast_at_every_triangle(
    seed: int, samples: int, behind: bool
) -> None:
    rng = np.random.default_rng(seed)
    points = rng.uniform([-3, -3, -1 if behind else 1.0], [3, 3, 6], size=(12, 3))
    faces = rng.integers(12, size=(8, 3)).astype(np.int32)
    faces = faces[[len(set(f)) == 3 for f in faces.tolist()]]
    seen = zbuffer(CameraPoints(points), faces, LENS, SHAPE, samples=samples)
    expected = cast(points, faces, LENS, seen, 0.1)
    agree = np.isfinite(expected) == np.isfinite(seen.depth)
    assert (~agree).sum() <= 1, "only a sample within rounding of an edge may differ"
    both = agree & np.isfinite(expected)
    np.testing.assert_allclose(seen.depth[both], expected[both], rtol=1e-7)


def test_a_triangle_through_the_camera_plane_is_cut_at_the_near_depth() -> None:
    points = np.array([[-50.0, 1.0, -5.0], [50.0, 1.0, -5.0], [0.0, 1.0, 40.0]])
    seen = zbuffer(CameraPoints(points), np.array([[0, 1, 2]], np.int32), LENS, SHAPE, near=2.0)
    assert np.isfinite(seen.depth).any()
    assert seen.depth.min() >= 2.0
    depth = seen.depth[:, seen.depth.shape[1] // 2]
    v = np.arange(len(depth)) / 2 - 0.25 + seen.top
    inside = np.isfinite(depth)
    floor = (28.0 - 2.0 - 0.01 * 11.5) / (v[inside] - 11.5)
    np.testing.assert_allclose(depth[inside], floor, rtol=1e-9)


def test_what_is_behind_the_camera_or_beside_the_picture_is_not_seen() -> None:
    triangle = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    face = np.array([[0, 1, 2]], np.int32)
    for shift in ([0, 0, -5], [100, 0, 5], [-100, 0, 5], [0, 100, 5]):
        seen = zbuffer(CameraPoints(triangle + shift), face, LENS, SHAPE)
        assert len(seen.rows) == 0
        assert seen.coverage.sum() == 0


def sphere(radius: float, rows: int = 80, sides: int = 160) -> tuple[Any, Any]:
    tilt = np.linspace(0, np.pi, rows)[:, None]
    turn = np.linspace(0, 2 * np.pi, sides)[None]
    unit = np.stack(
        [np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt) + 0 * turn], -1
    )
    index = np.arange(rows * sides).reshape(rows, sides)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    faces = np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)]).reshape(-1, 3)
    return unit.reshape(-1, 3) * radius, faces.astype(np.int32)


def test_a_sphere_covers_the_area_of_its_ellipse_and_its_depth_is_exact() -> None:
    lens = np.array([[200.0, 0, 100, 0], [0, 200.0, 100, 0], [0, 0, 1, 0]])
    points, faces = sphere(1.0)
    centre = np.array([0.6, -0.3, 6.0])
    seen = zbuffer(CameraPoints(points + centre), faces, lens, (201, 201))
    away = centre @ centre
    # The cone of the contour meets the image plane in an ellipse: area from its quadratic form.
    q = np.outer(centre, centre) - (away - 1.0) * np.eye(3)
    minor = np.linalg.det(q[:2, :2])
    area = np.pi * abs(np.linalg.det(q)) / minor**1.5 * 200.0**2
    assert seen.coverage.sum() == pytest.approx(area, rel=0.004)
    v = (seen.rows / 2 - 0.25 + seen.top - 100) / 200
    u = (seen.columns / 2 - 0.25 + seen.left - 100) / 200
    rays = np.column_stack([u, v, np.ones(len(u))])
    half = rays @ centre
    root = half**2 - (rays**2).sum(1) * (away - 1)
    exact = (half - np.sqrt(np.maximum(root, 0))) / (rays**2).sum(1)
    middle = root > 0.5
    assert middle.sum() > 1000
    np.testing.assert_allclose(
        seen.depth[seen.rows, seen.columns][middle], exact[middle], atol=3e-3
    )


def test_the_projections_translation_moves_the_picture() -> None:
    points = np.array([[-1.0, -1.0, 5.0], [1.0, -1.0, 5.0], [0.0, 1.0, 5.0]])
    face = np.array([[0, 1, 2]], np.int32)
    moved = LENS.copy()
    moved[0, 3] += 5.01 * 3  # three pixels at this depth
    first = zbuffer(CameraPoints(points), face, LENS, SHAPE)
    second = zbuffer(CameraPoints(points), face, moved, SHAPE)
    assert second.left == first.left + 3
    np.testing.assert_array_equal(first.coverage, second.coverage)


def test_weights_are_correct_in_perspective() -> None:
    points = np.array([[-1.0, -1.0, 2.0], [1.0, -1.0, 9.0], [0.0, 1.5, 4.0]])
    face = np.array([[0, 1, 2]], np.int32)
    seen = zbuffer(CameraPoints(points), face, LENS, SHAPE)
    places = seen.interpolated(points[face])
    projected = places @ LENS[:, :3].T + LENS[:, 3]
    u, v = projected[:, 0] / projected[:, 2], projected[:, 1] / projected[:, 2]
    np.testing.assert_allclose(u, seen.columns / 2 - 0.25 + seen.left, atol=1e-9)
    np.testing.assert_allclose(v, seen.rows / 2 - 0.25 + seen.top, atol=1e-9)
    np.testing.assert_allclose(projected[:, 2], seen.depth[seen.rows, seen.columns], rtol=1e-12)


def test_no_sample_falls_between_faces_that_share_an_edge() -> None:
    rng = np.random.default_rng(3)
    grid = np.stack(np.meshgrid(np.linspace(-2, 2, 25), np.linspace(-2, 2, 25)), -1).reshape(-1, 2)
    points = np.column_stack([grid, 4 + rng.uniform(-0.2, 0.2, len(grid))])
    index = np.arange(625).reshape(25, 25)
    a, b, c, d = index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]
    faces = np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)]).reshape(-1, 3)
    seen = zbuffer(CameraPoints(points), faces.astype(np.int32), LENS, SHAPE, samples=4)
    inner = seen.coverage[4:-4, 6:-6]
    assert inner.min() == 1.0

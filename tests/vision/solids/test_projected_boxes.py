"""Projected 3D boxes, against linear programmes, rays and KITTI's own labels."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from snellen.scenes.kitti.calibration_file import read_calibration
from snellen.scenes.kitti.label_file import read_labels
from snellen.scenes.kitti.lidar_boxes import lidar_boxes
from snellen.vision.arrays import F64
from snellen.vision.solids.coordinate_frames import CoordinateFrames
from snellen.vision.solids.projected_boxes import NEAR, image_boxes

AHEAD = [[0, -1, 0, 0], [0, 0, -1, 0], [1, 0, 0, 0], [0, 0, 0, 1]]
LENS = [[700, 0, 600, 45], [0, 700, 180, -0.3], [0, 0, 1, 0.005]]
FRAMES = CoordinateFrames(AHEAD, LENS)  # type: ignore[arg-type]
SIZE = (370, 1240)


def optimum(box: list[float], way: F64) -> float | None:
    """The minimum of way . (u, v, 1) over all points of a box in the image, None without points.

    u and v are quotients of linear functions of the point p = centre + R q; with t = 1 / depth and
    y = q t the programme is linear in (y, t), by Charnes and Cooper.
    """
    x, y, z, length, width, height, yaw = box
    turn = np.array([[np.cos(yaw), -np.sin(yaw), 0], [np.sin(yaw), np.cos(yaw), 0], [0, 0, 1]])
    to_pixels = FRAMES.projection @ FRAMES.camera_from_lidar
    homogeneous = np.column_stack([turn, [x, y, z]])
    u, v, depth = to_pixels[:, :3] @ homogeneous + np.outer(to_pixels[:, 3], [0, 0, 0, 1])
    above = [-u, u - SIZE[1] * depth, -v, v - SIZE[0] * depth]
    half = np.array([length, width, height]) / 2
    sides = [sign * row for sign in (1, -1) for row in np.eye(3, 4)]
    sides = [row - np.append(np.zeros(3), half[i % 3]) for i, row in enumerate(sides)]
    near = np.append(np.zeros(3), NEAR)  # t <= 1 / NEAR
    found = linprog(
        way[0] * u + way[1] * v,
        A_ub=np.array([*above, *sides, near]),
        b_ub=[0.0] * (len(above) + len(sides)) + [1.0],
        A_eq=depth[None],
        b_eq=[1.0],
        bounds=[(None, None)] * 3 + [(0, None)],
    )
    return None if found.fun is None else float(found.fun)


@given(
    st.tuples(
        st.floats(-6, 40),
        st.floats(-12, 12),
        st.floats(-3, 2),
        st.floats(0.3, 8),
        st.floats(0.3, 3),
        st.floats(0.3, 4),
        st.floats(-4, 4),
    )
)
def test_the_box_is_the_extent_of_what_the_image_shows(box: tuple[float, ...]) -> None:
    found = image_boxes(np.array([box]), FRAMES, SIZE)[0]
    ways = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]], dtype=float)
    best = [optimum(list(box), way) for way in ways]
    if best[0] is None:
        assert not found.any()
        return
    expected = np.array(best, dtype=float) * [1, 1, -1, -1]
    if (expected[2:] - expected[:2]).min() > 1e-6:
        np.testing.assert_allclose(found, expected, atol=2e-3)


@pytest.mark.parametrize(
    "box",
    [
        (-10, 0, 0, 4, 2, 1.5, 0.3),  # behind
        (10, 40, 0, 4, 2, 1.5, 0),  # to the left
        (10, 0, 20, 4, 2, 1.5, 0),  # above
        (0.02, 0, 0, 0.1, 0.1, 0.1, 0),  # nearer than the near plane
    ],
)
def test_what_the_image_does_not_show_has_no_box(box: tuple[float, ...]) -> None:
    assert not image_boxes(np.array([box]), FRAMES, SIZE).any()


def test_a_camera_inside_a_box_sees_nothing_else() -> None:
    inside = image_boxes(np.array([[0, 0, 0, 50, 50, 50, 0.4]]), FRAMES, SIZE)
    assert inside.tolist() == [[0, 0, 1240, 370]]


def test_the_part_behind_the_camera_does_not_throw_the_box_to_the_other_side() -> None:
    """A car passing on the right reaches behind the camera; its visible part is on the right."""
    left, _, right, _ = image_boxes(np.array([[1.5, -2, -1, 4, 1.6, 1.5, 0]]), FRAMES, SIZE)[0]
    assert left > 600
    assert right == 1240


def test_a_box_beside_the_image_does_not_stretch_it_upwards() -> None:
    """Only the part inside the image counts, not what rises above it outside."""
    wide = np.array([[3, -2.6, -0.3, 7, 1.6, 1.5, 0.0]])
    corners_only = image_boxes(wide, FRAMES, (370, 1240))[0]
    whole = image_boxes(wide, FRAMES, (370, 100_000))[0]
    assert whole[2] > 1240
    assert corners_only[1] > whole[1]


def test_no_image_and_no_boxes_are_fine() -> None:
    assert image_boxes(np.zeros((0, 7)), FRAMES, SIZE).shape == (0, 4)
    assert not image_boxes(np.array([[10, 0, 0, 4, 2, 1, 0]]), FRAMES, (0, 0)).any()


def test_real_labels_project_to_their_own_image_boxes(shared: Callable[[str], Path]) -> None:
    """KITTI's 2D boxes are drawn by hand around visible pixels, so a few pixels may differ."""
    from snellen.vision.boxes.box_geometry import iou

    folder = shared("kitti/training")
    found = []
    for path in sorted((folder / "label_2").glob("*.txt")):
        rows = [row for row in read_labels(path) if row.solid and row.occluded == 0]
        frames = read_calibration(folder / "calib" / path.name).frames()
        projected = image_boxes(lidar_boxes(rows, frames), frames, (375, 1242))
        drawn = np.array([row.box for row in rows], dtype=np.float32).reshape(-1, 4)
        found += np.diag(iou(projected, drawn)).tolist()
    assert len(found) >= 10
    assert np.median(found) > 0.85
    assert min(found) > 0.5

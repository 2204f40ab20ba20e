"""Frames and boxes in 3D: round trips, and directions and sides that a sign error would swap."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from snellen.vision.arrays import F64, Boxes3D
from snellen.vision.solids.boxes3d import (
    CameraBoxes,
    boxes_from_camera,
    boxes_to_camera,
    corners,
    wrapped,
)
from snellen.vision.solids.coordinate_frames import (
    CameraPoints,
    CoordinateFrames,
    LidarPoints,
)

AHEAD = np.array([[0, -1, 0, 0], [0, 0, -1, 0], [1, 0, 0, 0], [0, 0, 0, 1]], dtype=np.float64)
LENS = np.array([[700, 0, 600, 45], [0, 710, 180, 0.2], [0, 0, 1, 0.003]], dtype=np.float64)
IDEAL = CoordinateFrames(AHEAD, LENS)


def _turned(x: float, y: float, z: float) -> F64:
    def about(axis: int, angle: float) -> F64:
        matrix = np.eye(4)
        one, other = [index for index in range(3) if index != axis]
        matrix[[one, other], [one, other]] = np.cos(angle)
        matrix[one, other], matrix[other, one] = -np.sin(angle), np.sin(angle)
        return matrix

    return about(0, x) @ about(1, y) @ about(2, z)


def _frames(angles: list[float], shift: list[float]) -> CoordinateFrames:
    motion = AHEAD @ _turned(*angles)
    motion[:3, 3] = shift
    return CoordinateFrames(motion, LENS)


FRAMES = st.builds(
    _frames,
    st.lists(st.floats(-0.3, 0.3), min_size=3, max_size=3),
    st.lists(st.floats(-2, 2), min_size=3, max_size=3),
)
POINTS = arrays(np.float64, st.tuples(st.integers(0, 6), st.just(3)), elements=st.floats(-80, 80))
SIDES = st.floats(0.1, 15)
BOXES = st.lists(
    st.tuples(*[st.floats(-80, 80)] * 3, SIDES, SIDES, SIDES, st.floats(-3.14, 3.14)), max_size=5
).map(lambda rows: np.array(rows, dtype=np.float64).reshape(-1, 7))


@given(FRAMES, POINTS)
def test_lidar_to_camera_and_back(frames: CoordinateFrames, points: F64) -> None:
    back = frames.camera_to_lidar(frames.lidar_to_camera(LidarPoints(points)))
    np.testing.assert_allclose(back, points, atol=1e-9)


@given(FRAMES, POINTS)
def test_lidar_to_image_and_back_where_there_is_depth(
    frames: CoordinateFrames, points: F64
) -> None:
    image = frames.lidar_to_image(LidarPoints(points))
    seen = image[:, 2] > 0.1
    rays = np.column_stack([image[seen, :2] * image[seen, 2:], image[seen, 2]])
    lens, shift = frames.projection[:, :3], frames.projection[:, 3]
    camera = np.asarray(np.linalg.solve(lens, (rays - shift).T).T, dtype=np.float64)
    back = frames.camera_to_lidar(CameraPoints(camera))
    np.testing.assert_allclose(back, points[seen], atol=1e-6)


def test_left_in_lidar_is_left_in_the_image_and_up_is_up() -> None:
    ahead, left, up = IDEAL.lidar_to_image(
        LidarPoints(np.array([[10.0, 0, 0], [10, 1, 0], [10, 0, 1]]))
    )
    assert left[0] < ahead[0]
    assert left[1] == ahead[1]
    assert up[1] < ahead[1]
    assert up[0] == ahead[0]


def test_the_projection_is_the_matrix_product_that_kitti_states() -> None:
    point = np.array([3.0, -1, 12])
    expected = LENS @ [*point, 1]
    found = IDEAL.camera_to_image(CameraPoints(point[None]))[0]
    np.testing.assert_allclose(found, [*(expected[:2] / expected[2]), expected[2]])


@given(FRAMES, BOXES)
def test_boxes_to_camera_and_back(frames: CoordinateFrames, boxes: Boxes3D) -> None:
    back = boxes_from_camera(boxes_to_camera(boxes, frames), frames)
    np.testing.assert_allclose(back[:, :6], boxes[:, :6], atol=1e-9)
    np.testing.assert_allclose(wrapped(back[:, 6] - boxes[:, 6]), 0, atol=1e-9)


@given(BOXES)
def test_corners_are_the_same_through_either_frame(boxes: Boxes3D) -> None:
    """KITTI's own formula for the corners, in the camera frame, is the reference."""
    camera = boxes_to_camera(boxes, IDEAL)
    for row, location, (height, width, length), turn in zip(
        corners(boxes), camera.locations, camera.dimensions, camera.rotations, strict=True
    ):
        x = np.array([1, 1, -1, -1, 1, 1, -1, -1]) * length / 2
        y = np.array([0, 0, 0, 0, -1, -1, -1, -1]) * height
        z = np.array([1, -1, -1, 1, 1, -1, -1, 1]) * width / 2
        spun = np.stack(
            [np.cos(turn) * x + np.sin(turn) * z, y, np.cos(turn) * z - np.sin(turn) * x]
        )
        expected = IDEAL.camera_to_lidar(CameraPoints(spun.T + location))
        distances = np.linalg.norm(row[:, None] - expected[None], axis=2)
        np.testing.assert_allclose(distances.min(axis=1), 0, atol=1e-9)
        np.testing.assert_allclose(distances.min(axis=0), 0, atol=1e-9)


@pytest.mark.parametrize(
    ("rotation_y", "yaw"),
    [(-np.pi / 2, 0.0), (0.0, -np.pi / 2), (np.pi / 2, -np.pi), (np.pi, np.pi / 2), (-2.0, 0.429)],
)
def test_kittis_angle_runs_clockwise_from_the_right_ours_counter_clockwise_from_ahead(
    rotation_y: float, yaw: float
) -> None:
    camera = CameraBoxes(np.zeros((1, 3)), np.array([[1.5, 1.6, 4.0]]), np.array([rotation_y]))
    box = boxes_from_camera(camera, IDEAL)[0]
    assert box[6] == pytest.approx(yaw, abs=1e-3)
    assert box[3:6].tolist() == [4.0, 1.6, 1.5]
    assert box[2] == pytest.approx(0.75), "KITTI's location is on the ground, ours in the middle"


def test_the_front_left_bottom_corner_comes_first_and_turns_with_the_yaw() -> None:
    box = np.array([[10, 5, 1, 4, 2, 1.5, np.pi / 2]])
    np.testing.assert_allclose(corners(box)[0, 0], [9, 7, 0.25])
    np.testing.assert_allclose(corners(box)[0].mean(axis=0), [10, 5, 1])


def test_a_matrix_of_the_wrong_shape_is_named() -> None:
    with pytest.raises(ValueError, match=r"projection has shape \(3, 3\), expected \(3, 4\)"):
        CoordinateFrames(AHEAD, LENS[:, :3])


def test_the_image_boxes_of_real_labels_are_where_their_3d_boxes_project(
    shared: Callable[[str], Path],
) -> None:
    """The labels' 2D boxes come from the same 3D boxes: a wrong sign moves them by metres."""
    from snellen.scenes.kitti.calibration_file import read_calibration
    from snellen.scenes.kitti.label_file import read_labels
    from snellen.scenes.kitti.lidar_boxes import lidar_boxes

    root = shared("kitti/training")
    off = []
    for path in sorted((root / "label_2").glob("*.txt")):
        frames = read_calibration(root / "calib" / path.name).frames()
        rows = [row for row in read_labels(path) if row.type in ("Car", "Truck")]
        boxes = lidar_boxes(rows, frames)
        pixels = frames.lidar_to_image(LidarPoints(corners(boxes).reshape(-1, 3)))
        seen = np.asarray(pixels).reshape(-1, 8, 3)[..., :2]
        around = np.concatenate([seen.min(axis=1), seen.max(axis=1)], axis=1)
        off += [np.abs(found - row.box).max() for found, row in zip(around, rows, strict=True)]
    assert len(off) == 13
    assert max(off) < 2.0

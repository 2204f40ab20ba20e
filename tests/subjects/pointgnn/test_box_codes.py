from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from snellen.subjects.pointgnn.box_codes import (
    ACROSS,
    ALONG,
    as_camera_boxes,
    box_coordinates,
    decode_boxes,
    upright,
)
from snellen.vision.solids.boxes3d import boxes_from_camera, corners
from snellen.vision.solids.coordinate_frames import CoordinateFrames
from snellen.vision.solids.overlap3d import overlap3d
from tests.subjects.pointgnn.encoded_boxes import encode_boxes

AHEAD = CoordinateFrames(
    np.array([[0, -1, 0, 0], [0, 0, -1, 0], [1, 0, 0, 0], [0, 0, 0, 1.0]]),
    np.array([[700, 0, 600, 0], [0, 700, 180, 0], [0, 0, 1.0, 0]]),
)

sides = st.floats(0.3, 9)
spot = st.floats(-40, 40)
camera_boxes = st.tuples(spot, spot, spot, sides, sides, sides, st.floats(-3, 3)).map(
    lambda row: np.array([row])
)


@given(camera_boxes, st.tuples(spot, spot, spot), st.sampled_from([ALONG, ACROSS]))
def test_a_box_comes_back_from_its_code(box: Any, place: Any, label: int) -> None:
    places, labels = np.array([place]), np.array([label])
    code = encode_boxes(box, places, labels)
    np.testing.assert_allclose(decode_boxes(code, places, labels), box, atol=1e-9)


def test_a_code_means_sides_of_the_median_car_and_eighths_of_a_turn() -> None:
    code = np.array([[1, 1, -1, np.log(2), 0, 0, 1.0]] * 2)
    found = decode_boxes(code, np.array([[10, 1.5, 20.0]] * 2), np.array([ALONG, ACROSS]))
    np.testing.assert_allclose(found[0], [13.88, 3.0, 18.37, 7.76, 1.5, 1.63, np.pi / 4])
    np.testing.assert_allclose(found[1, :6], found[0, :6])
    np.testing.assert_allclose(found[1, 6], np.pi * 3 / 4)


@given(camera_boxes)
def test_upright_axes_are_the_lidar_frame_of_a_camera_that_looks_straight_ahead(box: Any) -> None:
    expected = boxes_from_camera(as_camera_boxes(box), AHEAD)
    found = upright(box)
    np.testing.assert_allclose(found[:, :6], expected[:, :6], atol=1e-9)
    np.testing.assert_allclose(overlap3d(found, expected), 1, atol=1e-6)
    np.testing.assert_allclose(np.exp(1j * found[:, 6]), np.exp(1j * expected[:, 6]), atol=1e-9)


@given(camera_boxes)
def test_corners_lie_half_a_side_from_the_middle_whatever_the_yaw(box: Any) -> None:
    lidar = corners(boxes_from_camera(as_camera_boxes(box), AHEAD))[0]
    camera = np.column_stack([-lidar[:, 1], -lidar[:, 2], lidar[:, 0]])
    np.testing.assert_allclose(np.abs(box_coordinates(box, camera)), 0.5, atol=1e-6)
    # Front left bottom: forward along the length, and bottom is down, where y grows.
    np.testing.assert_allclose(box_coordinates(box, camera)[0, 0, :2], [0.5, 0.5], atol=1e-6)

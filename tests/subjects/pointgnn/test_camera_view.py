from __future__ import annotations

import numpy as np
import pytest

from snellen.subjects.pointgnn.camera_view import points_in_view, shares_outside
from snellen.vision.solids.coordinate_frames import CoordinateFrames

SIZE = (360, 1200)
AHEAD = CoordinateFrames(
    np.array([[0, -1, 0, 0], [0, 0, -1, 0], [1, 0, 0, 0], [0, 0, 0, 1.0]]),
    np.array([[700, 0, 600, 0], [0, 700, 180, 0], [0, 0, 1.0, 0]]),
)


def test_only_points_that_the_camera_sees_stay_with_their_own_intensity() -> None:
    rows = np.array(
        [
            [10, 0, 0, 0.1],  # the middle of the image
            [-10, 0, 0, 0.2],  # behind
            [10, 9, 0, 0.3],  # left of it: u = -30
            [10, -8, 0, 0.4],  # within its right edge
            [10, 0, 3, 0.5],  # above it: v = -30
            [10, 0, -2.5, 0.6],  # near its bottom
            [0.05, 0, 0, 0.7],  # too near
        ],
        dtype=np.float32,
    )
    points, intensity = points_in_view(rows, AHEAD, SIZE)
    np.testing.assert_allclose(intensity, [0.1, 0.4, 0.6])
    np.testing.assert_allclose(np.asarray(points), np.array([[0, 0, 10], [8, 0, 10], [0, 2.5, 10]]))


def box(y: float, x: float = 20.0) -> list[float]:
    return [x, y, 0, 0.01, 2, 1, 0]


@pytest.mark.parametrize(
    ("y", "share"),
    # u = 600 - 35 y for a box 70 pixels wide at 20 m: its left edge at 600 - 35 (y + 1).
    [(0.0, 0.0), (600 / 35, 0.5), (600 / 35 + 0.5, 0.75), (-600 / 35, 0.5), (30.0, 1.0)],
)
def test_the_share_outside_is_the_part_of_the_outline_beyond_the_edge(
    y: float, share: float
) -> None:
    found = shares_outside(np.array([box(y)]), AHEAD, SIZE)
    assert found[0] == pytest.approx(share, abs=0.01)


def test_a_box_around_the_camera_lies_outside_for_the_most_part() -> None:
    assert shares_outside(np.array([[0, 0, 0, 4, 2, 1.5, 0.0]]), AHEAD, SIZE)[0] > 0.9

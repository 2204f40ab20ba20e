"""Mean shifts of the boxes of the same objects."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.vision.boxes.box_shifts import box_shifts
from snellen.vision.object_events import compare_detections
from tests.vision.small_predictions import detections_of

GRID = np.array([[x, y, x + 40, y + 20] for x in (0, 100, 200) for y in (0, 60)], np.float64)


@given(st.floats(-0.2, 0.2), st.floats(-0.2, 0.2), st.floats(-0.1, 0.1))
def test_a_common_shift_is_recovered(dx: float, dy: float, growth: float) -> None:
    centres, sides = (GRID[:, :2] + GRID[:, 2:]) / 2, GRID[:, 2:] - GRID[:, :2]
    moved = centres + sides * [dx, dy]
    half = sides * np.exp(growth) / 2
    before = detections_of(GRID, range(6), [0.9] * 6)
    after = detections_of(np.concatenate([moved - half, moved + half], axis=1), range(6), [0.8] * 6)
    found = box_shifts(before, after, score=0.5, iou=0.3)
    assert found["shift_x"] == pytest.approx(dx, abs=2e-4)
    assert found["shift_y"] == pytest.approx(dy, abs=2e-4)
    assert found["shift_size"] == pytest.approx(growth, abs=2e-4)


def test_moved_objects_count_and_lost_or_inserted_ones_do_not() -> None:
    before = detections_of([[0, 0, 10, 10], [50, 0, 60, 10], [90, 0, 99, 9]], [0, 0, 0], [0.9] * 3)
    after = detections_of([[0, 0, 10, 10], [54, 0, 64, 10], [90, 3, 99, 12]], [0, 0, 0], [0.9] * 3)
    inserted = np.array([False, False, True])
    events = compare_detections(before, after[:2], score=0.5)
    assert sorted(event.kind for event in events) == ["lost", "moved"]
    found = box_shifts(before, after, events, score=0.5, excluded=inserted)
    assert found["shift_x"] == pytest.approx(0.2)
    assert found["shift_y"] == 0
    assert found["shift_iou"] == pytest.approx((1 - 6 / 14) / 2, abs=1e-4)


def test_nothing_in_common_has_no_shift() -> None:
    assert (
        box_shifts(detections_of([], [], []), detections_of(GRID, [0] * 6, [0.9] * 6), score=0.5)
        == {}
    )

"""Coverage by unions of boxes, against pixels counted one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.vision.boxes.box_coverage import covered_share, merged_boxes

Box = tuple[int, int, int, int]


@st.composite
def small_boxes(draw: st.DrawFn) -> Box:
    x, y = draw(st.integers(0, 12)), draw(st.integers(0, 12))
    return x, y, x + draw(st.integers(1, 8)), y + draw(st.integers(1, 8))


def painted(boxes: list[Box]) -> np.ndarray:
    grid = np.zeros((24, 24), dtype=bool)
    for x1, y1, x2, y2 in boxes:
        grid[y1:y2, x1:x2] = True
    return grid


@given(small_boxes(), st.lists(small_boxes(), max_size=5))
def test_the_covered_share_is_that_of_the_pixels(box: Box, others: list[Box]) -> None:
    mine = painted([box])
    expected = (mine & painted(others)).sum() / mine.sum()
    assert covered_share(box, np.array(others).reshape(-1, 4)) == pytest.approx(expected)


@given(st.lists(small_boxes(), min_size=2, max_size=5))
def test_the_rectangle_around_boxes_merges_them_all(boxes: list[Box]) -> None:
    corners = np.array(boxes)
    around = [*corners[:, :2].min(axis=0), *corners[:, 2:].max(axis=0)]
    assert merged_boxes(around, corners).all()


def test_a_box_around_one_object_or_far_beyond_two_merges_nothing() -> None:
    two = np.array([[0, 0, 4, 4], [6, 0, 10, 4]])
    assert not merged_boxes([0, 0, 4, 4], two).any()
    assert not merged_boxes([0, 0, 10, 40], two).any()
    assert not merged_boxes([0, 0, 10, 4], np.zeros((0, 4))).any()

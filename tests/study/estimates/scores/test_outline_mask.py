"""Outlines as masks: strokes against shapely's buffers, polygons against COCO's pixels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, MultiPoint, contains_xy

from snellen.study.estimates.scores.outline_mask import mask_iou, outline_mask
from snellen.study.trial import OutlineAnswer, Stroke

SIZE = (30, 40)
POINT = st.tuples(st.floats(0, 45), st.floats(0, 35))


def circle(x: float, y: float, radius: float, erases: bool = False) -> Stroke:
    return Stroke(points=((x, y),), radius=radius, erases=erases)


@settings(max_examples=40, deadline=None)
@given(st.lists(POINT, min_size=1, max_size=5), st.floats(0.5, 9))
def test_a_stroke_covers_what_is_within_its_radius(
    points: list[tuple[float, float]], radius: float
) -> None:
    stroke = Stroke(points=tuple(points), radius=radius)
    line = LineString(points) if len(set(points)) > 1 else MultiPoint(points[:1])
    rows, columns = np.mgrid[: SIZE[0], : SIZE[1]] + 0.5
    inner, outer = (
        contains_xy(line.buffer(radius * one, quad_segs=64), columns, rows) for one in (0.99, 1.01)
    )
    found = outline_mask(OutlineAnswer(strokes=(stroke,)), SIZE)
    assert not (inner & ~found).any()
    assert not (found & ~outer).any()


def test_an_eraser_removes_what_was_painted_before_it_and_nothing_after() -> None:
    painted = circle(15, 15, 8)
    erased = outline_mask(OutlineAnswer(strokes=(painted, circle(15, 15, 4, True))), SIZE)
    assert not erased[15, 15]
    assert erased[15, 21]
    again = OutlineAnswer(strokes=(circle(15, 15, 4, True), painted))
    assert outline_mask(again, SIZE)[15, 15]


def test_an_eraser_reaches_polygons_too() -> None:
    square = ((5.0, 5.0), (25.0, 5.0), (25.0, 25.0), (5.0, 25.0))
    answer = OutlineAnswer(polygons=(square,), strokes=(circle(15, 15, 3, True),))
    mask = outline_mask(answer, SIZE)
    assert mask[6, 6]
    assert not mask[15, 15]
    whole = outline_mask(OutlineAnswer(polygons=(square,)), SIZE)
    assert whole.sum() == 400


def test_axes_are_not_swapped() -> None:
    mask = outline_mask(OutlineAnswer(strokes=(circle(35, 5, 2),)), SIZE)
    assert mask[5, 35]


def test_iou_of_other_sizes_or_nothing_is_none() -> None:
    some, none = np.ones((4, 4), bool), np.zeros((4, 4), bool)
    assert mask_iou(some, np.ones((4, 5), bool)) == 0
    assert mask_iou(none, none) == 0
    half = some.copy()
    half[:2] = False
    assert mask_iou(some, half) == pytest.approx(0.5)

"""Layouts: shapes touch or overlap in their pixels, as much as wanted and never too much."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.changes.compose.shape_layout import ShapeLayout, lay_out
from snellen.vision.arrays import Bools, Bytes
from tests.changes.compose.overlaps import on_canvas, overlap_of, touch

DISC: Bytes = (np.hypot(*np.mgrid[-99.5:100, -99.5:100]) < 100).astype(np.uint8)


@st.composite
def shapes(draw: st.DrawFn) -> Bytes:
    """A few rectangles of pixels: with holes, in several parts, not filling the box."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    height, width = draw(st.tuples(st.integers(1, 40), st.integers(1, 40)))
    shape = np.zeros((height, width), np.uint8)
    for _ in range(draw(st.integers(1, 4))):
        top, left = int(rng.integers(height)), int(rng.integers(width))
        shape[top : top + int(rng.integers(1, 20)), left : left + int(rng.integers(1, 20))] = 1
    return shape


def masks_of(layout: ShapeLayout, given: list[Bytes]) -> list[Bools]:
    size = layout.height, layout.width
    return [
        on_canvas(shape, x, y, size)
        for shape, (x, y) in zip(given, layout.corners.tolist(), strict=True)
    ]


@settings(max_examples=60)
@given(
    given_shapes=st.lists(shapes(), min_size=1, max_size=6),
    seed=st.integers(0, 10**6),
    limit=st.sampled_from([0.05, 0.3, 0.9]),
)
def test_no_share_reaches_the_limit_and_none_is_an_island(
    given_shapes: list[Bytes], seed: int, limit: float
) -> None:
    rng = np.random.default_rng(seed)
    number = len(given_shapes)
    directions, wanted = rng.uniform(0, 360, number), rng.uniform(0, limit, number)
    layout = lay_out(given_shapes, directions.tolist(), wanted.tolist(), limit)
    masks = masks_of(layout, given_shapes)
    assert layout.overlap == pytest.approx(overlap_of(masks), abs=1e-12)
    assert layout.overlap < limit
    for place in range(1, number):
        assert touch(masks[place], np.any(masks[:place], axis=0)), "an island"
        assert overlap_of(masks[: place + 1]) < limit
    assert layout.corners.min(axis=0).tolist() == [0, 0]


@given(given_shapes=st.lists(shapes(), min_size=2, max_size=5), seed=st.integers(0, 10**6))
def test_with_no_overlap_wanted_shapes_touch_and_nothing_is_hidden(
    given_shapes: list[Bytes], seed: int
) -> None:
    directions = np.random.default_rng(seed).uniform(0, 360, len(given_shapes)).tolist()
    for limit in (0.0, 0.3):
        layout = lay_out(given_shapes, directions, [0.0] * len(given_shapes), limit)
        masks = masks_of(layout, given_shapes)
        assert layout.overlap == 0
        assert np.sum(masks, axis=0).max() == 1
        assert all(touch(masks[k], np.any(masks[:k], axis=0)) for k in range(1, len(masks)))


@pytest.mark.parametrize("wanted", [0.02, 0.1, 0.2, 0.29])
@pytest.mark.parametrize("direction", [0, 30, 100, 225, 359])
def test_the_overlap_is_a_share_of_area_not_of_the_distance(wanted: float, direction: int) -> None:
    layout = lay_out([DISC, DISC], [0, direction], [0, wanted], 0.3)
    assert wanted - 0.01 < layout.overlap <= wanted


@pytest.mark.parametrize("order", [0, 1])
def test_the_share_of_the_smaller_shape_counts_in_front_and_behind(order: int) -> None:
    small = DISC[::4, ::4]
    pair = [DISC, small] if order == 0 else [small, DISC]
    layout = lay_out(pair, [0, 10], [0, 0.2], 0.3)
    assert 0.17 < layout.overlap <= 0.2


def test_the_direction_is_where_the_shape_comes_to_lie() -> None:
    for degrees in range(0, 360, 15):
        layout = lay_out([DISC, DISC[::2, ::2]], [0, degrees], [0, 0], 0.3)
        right, down = (layout.corners[1] + 50) - (layout.corners[0] + 100)
        assert np.hypot(right, down) == pytest.approx(150, abs=2)
        assert np.degrees(np.arctan2(down, right)) % 360 == pytest.approx(degrees, abs=1)


def test_a_shape_comes_from_outside_and_stops_at_the_first_contact() -> None:
    wall = np.zeros((41, 41), np.uint8)
    wall[20, 20] = 1
    wall[:, 40] = 1  # between the middle and what comes from the right
    layout = lay_out([wall, np.ones((3, 3), np.uint8)], [0, 0], [0, 0], 0.3)
    assert (layout.corners[1] - layout.corners[0]).tolist() == [41, 19]


def test_a_shape_hidden_by_one_is_spared_by_the_next() -> None:
    square = np.ones((40, 40), np.uint8)
    layout = lay_out([square] * 5, [0, 0, 180, 90, 270], [0.25] * 5, 0.3)
    masks = masks_of(layout, [square] * 5)
    assert 1 - (masks[0] & ~np.any(masks[1:], axis=0)).sum() / 1600 < 0.3


def test_the_same_draw_gives_the_same_layout_whatever_the_type_of_the_mask() -> None:
    first = lay_out([DISC, DISC[::3]], [0, 77.7], [0, 0.123], 0.3)
    flags = DISC.astype(bool)
    again = lay_out(
        [flags.astype(np.uint8), np.asfortranarray(DISC[::3])], [9, 77.7], [1, 0.123], 0.3
    )
    assert np.array_equal(first.corners, again.corners)

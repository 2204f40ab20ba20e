"""Two objects apart, touching and overlapping: held against the masks, pixel by pixel."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.changes.compose.compose import Compose
from snellen.methods.combinations.composition.object_shapes import shape_at
from snellen.methods.combinations.explanation.pair_layout import PairLayout
from tests.methods.combinations.row_driver import library

OBJECTS = library()
IDS = [entry.id for label in ("a", "b") for entry in OBJECTS.entries(label)]


@st.composite
def pairs(draw: st.DrawFn) -> Compose:
    """Two objects anywhere on a canvas that holds both, one over the other or not."""
    placed = []
    size = draw(st.integers(60, 300)), draw(st.integers(60, 300))
    for ids in (IDS[:3], IDS[3:]):
        side = draw(st.integers(10, 60))
        x, y = (draw(st.integers(0, length - side)) for length in size)
        placed.append((draw(st.sampled_from(ids)), x, y, side, side))
    return Compose(*size, tuple(placed))


def masks(recipe: Compose) -> list[Any]:
    found = []
    for id, x, y, width, height in recipe.placed:
        mask = np.zeros((recipe.height, recipe.width), np.uint8)
        mask[y : y + height, x : x + width] = shape_at(OBJECTS, id, width, height)
        found.append(mask)
    return found


def inside(recipe: Compose) -> bool:
    return all(
        x >= 0 and y >= 0 and x + w <= recipe.width and y + h <= recipe.height
        for _, x, y, w, h in recipe.placed
    )


def same_objects(recipe: Compose, other: Compose) -> bool:
    parts = [[(one[0], *one[3:]) for one in each.placed] for each in (recipe, other)]
    return parts[0] == parts[1]


@settings(max_examples=150, deadline=None)
@given(pairs(), st.booleans())
def test_apart_means_boxes_with_a_gap_on_the_canvas(pair: Compose, swapped: bool) -> None:
    layout = PairLayout(pair, OBJECTS)
    found = layout.apart(swapped=swapped)
    (_, x, y, w, h), (_, u, v, p, q) = found.placed
    assert max(u - x - w, x - u - p, v - y - h, y - v - q) >= 8
    assert inside(found)
    assert same_objects(found, pair)


@settings(max_examples=150, deadline=None)
@given(pairs())
def test_touching_means_next_to_each_other_without_a_common_pixel(pair: Compose) -> None:
    found = PairLayout(pair, OBJECTS).in_contact()
    first, second = masks(found)
    assert inside(found)
    assert same_objects(found, pair)
    assert not (first & second).any()
    assert (cv2.dilate(first, np.ones((3, 3))) & second).any()


@settings(max_examples=150, deadline=None)
@given(pairs())
def test_the_overlap_is_that_of_the_masks(pair: Compose) -> None:
    first, second = masks(pair)
    common = (first & second).sum()
    layout = PairLayout(pair, OBJECTS)
    assert layout.overlaps == pytest.approx((common / first.sum(), common / second.sum()))


@settings(max_examples=100, deadline=None)
@given(pairs())
def test_together_moves_both_by_the_same_and_a_canvas_with_room_stays(pair: Compose) -> None:
    layout = PairLayout(pair, OBJECTS)
    found = layout.together()
    moves = {
        (u - x, v - y)
        for (_, x, y, *_), (_, u, v, *_) in zip(pair.placed, found.placed, strict=True)
    }
    assert len(moves) == 1
    assert inside(found)
    sizes = {(one.width, one.height) for one in (found, layout.apart(), layout.in_contact())}
    assert len(sizes) == 1, "one canvas for all, so that only the layout differs"
    if not layout.enlarged:
        assert found == pair
    (_, _, _, w, h), (_, _, _, p, q) = pair.placed
    roomy = pair.width >= w + p + 15 or pair.height >= h + q + 15
    assert not (roomy and layout.enlarged and min(pair.width, pair.height) >= max(w + p, h + q))


def test_a_wanted_overlap_is_reached() -> None:
    square = IDS[0], IDS[3]
    pair = Compose(200, 100, ((square[0], 10, 10, 40, 40), (square[1], 60, 10, 40, 40)))
    found = PairLayout(pair, OBJECTS).in_contact(0.25)
    assert PairLayout(found, OBJECTS).overlaps == pytest.approx((0.25, 0.25))

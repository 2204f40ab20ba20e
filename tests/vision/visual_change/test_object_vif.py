"""The measure at the objects: VIF inside their boxes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.vision.arrays import Image
from snellen.vision.visual_change.built_in_measures import Vifp
from snellen.vision.visual_change.measure import delta_v
from snellen.vision.visual_change.object_vif import ObjectVifp, WholeBox, enlarged, whole_boxes
from snellen.vision.visual_change.vif import VifReference
from tests.vision.photographs import noisy, photograph

AT_OBJECTS = ObjectVifp(0.4)
PHOTOGRAPH = photograph(160, 200)
HEIGHT, WIDTH = PHOTOGRAPH.shape[:2]
BOX: WholeBox = (20, 10, 80, 70)


def change(after: Image, boxes: tuple[WholeBox, ...]) -> float:
    return delta_v(AT_OBJECTS.within(PHOTOGRAPH, boxes)(after))


def test_what_changes_outside_of_the_box_does_not_count() -> None:
    after = noisy(PHOTOGRAPH, 60)
    x1, y1, x2, y2 = BOX
    after[y1:y2, x1:x2] = PHOTOGRAPH[y1:y2, x1:x2]
    assert change(after, (BOX,)) == 0
    assert Vifp(0.4).compare(PHOTOGRAPH, after) > 0.3


def test_what_changes_inside_of_the_box_counts_as_in_its_own_picture() -> None:
    after = PHOTOGRAPH.copy()
    x1, y1, x2, y2 = BOX
    after[y1:y2, x1:x2] = noisy(PHOTOGRAPH, 60)[y1:y2, x1:x2]
    inside = Vifp(0.4).compare(PHOTOGRAPH[y1:y2, x1:x2], after[y1:y2, x1:x2])
    assert change(after, (BOX,)) == pytest.approx(inside)
    assert change(after, (BOX,)) > Vifp(0.4).compare(PHOTOGRAPH, after) + 0.2


def test_objects_count_by_the_information_in_them() -> None:
    after = noisy(PHOTOGRAPH, 30)
    boxes = (BOX, (60, 60, 110, 140))
    parts = [(PHOTOGRAPH[b:d, a:c], after[b:d, a:c]) for a, b, c, d in boxes]
    references = [VifReference(before, 0.4) for before, _ in parts]
    kept = sum(
        one.vif(new) * one.information for one, (_, new) in zip(references, parts, strict=True)
    )
    whole = sum(one.information for one in references)
    assert change(after, boxes) == pytest.approx(1 - kept / whole)


def test_without_objects_it_is_vif_of_the_whole_image() -> None:
    after = noisy(PHOTOGRAPH, 30)
    assert change(after, ()) == Vifp(0.4).compare(PHOTOGRAPH, after)
    assert AT_OBJECTS.compare(PHOTOGRAPH, after) == change(after, ())


@given(st.integers(-50, 300), st.integers(-50, 300), st.integers(1, 90), st.integers(1, 90))
def test_boxes_stay_inside_the_image_and_are_large_enough(x: int, y: int, w: int, h: int) -> None:
    boxes = whole_boxes([[x + 0.3, y + 0.3, x + w, y + h]], (HEIGHT, WIDTH))
    for box in boxes:
        x1, y1, x2, y2 = enlarged(box, (HEIGHT, WIDTH))
        assert 0 <= x1 <= box[0] < box[2] <= x2 <= WIDTH
        assert 0 <= y1 <= box[1] < box[3] <= y2 <= HEIGHT
        assert min(x2 - x1, y2 - y1) >= 41


def test_a_uniform_object_is_lost_as_soon_as_it_changes() -> None:
    flat = np.full((100, 100, 3), 90, np.uint8)
    flat[:, 60:] = photograph(100, 40)
    likeness = AT_OBJECTS.within(flat, ((0, 0, 45, 45),))
    assert likeness(flat) == 1
    assert likeness(noisy(flat, 20)) == 0

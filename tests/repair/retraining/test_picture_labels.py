"""Labels: everything that was there, and the inserted objects where their pixels are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.changes.identity import Identity
from snellen.changes.paste.insert import Insert
from snellen.objects.cutouts.cutout import Cutout
from snellen.objects.library.memory_library import MemoryLibrary
from snellen.repair.retraining.picture_labels import (
    moved_annotations,
    pseudo_labels,
    shape_of,
    with_shapes,
)
from snellen.repair.retraining.vocabulary import Vocabulary
from snellen.scenes.polygon_masks import PolygonMasks
from snellen.scenes.scene import PictureArray, Scene
from snellen.vision.annotations import Annotations
from snellen.vision.detections import Detections
from snellen.vision.masks.rle_masks import Masks
from tests.contract.test_case_events import Lowered

SIZE = (60, 80)


def disc(side: int = 21) -> Cutout:
    """A white disc: its corners are transparent."""
    middle = (side - 1) / 2
    y, x = np.mgrid[:side, :side] - middle
    pixels = np.full((side, side, 4), 255, np.uint8)
    pixels[..., 3] = np.where(np.hypot(x, y) <= middle + 0.01, 255, 0)
    return Cutout("disc", pixels)


LIBRARY = MemoryLibrary([disc()])
MATERIALS = {"objects": LIBRARY}
BLACK = Scene("black", PictureArray(np.zeros((*SIZE, 3), np.uint8)), SIZE)


@given(
    st.integers(-8, 75),
    st.integers(-8, 55),
    st.integers(12, 40),
    st.integers(12, 40),
    st.sampled_from(["hard", "feather"]),
)
def test_the_mask_is_where_the_picture_shows_the_object(
    x: int, y: int, width: int, height: int, blending: str
) -> None:
    recipe = Insert(disc().id, x, y, width, height, blending)
    mask = shape_of(recipe, 0, SIZE, MATERIALS).mask
    lit = recipe.build(BLACK, MATERIALS)[..., 0]
    assert mask.any()
    if lit.max() >= 128:
        assert np.array_equal(mask, lit >= 128)
    found = with_shapes(
        Annotations.empty(), [shape_of(recipe, 3, SIZE, MATERIALS)], SIZE, masked=True
    )
    down, along = np.nonzero(mask)
    box = [along.min(), down.min(), along.max() + 1, down.max() + 1]
    assert found.boxes.tolist() == [box]
    assert found.labels.tolist() == [3]
    assert found.areas.tolist() == [mask.sum()]


def known(masks: Masks | None) -> Annotations:
    return Annotations(
        np.array([[1, 2, 9, 9], [50, 5, 70, 30]], np.float32),
        np.array([4, 2]),
        masks,
        np.array([True, False]),
        np.array([False, True]),
        np.array([7.5, 8.5]),
    )


def blocks() -> Masks:
    array = np.zeros((2, *SIZE), dtype=bool)
    array[0, 2:9, 1:9] = array[1, 5:30, 50:70] = True
    return Masks.from_array(array)


@pytest.mark.parametrize("outlined", [False, True])
def test_what_was_there_stays_as_it_was(outlined: bool) -> None:
    masks = blocks()
    polygon = (np.array([[1.0, 2.0], [9.0, 2.0], [9.0, 9.0]]),)
    given_masks = PolygonMasks(SIZE, [polygon, masks.runs[1]]) if outlined else masks
    before = known(given_masks)
    shape = shape_of(Insert(disc().id, 20, 20, 15, 15), 1, SIZE, MATERIALS)
    after = with_shapes(before, [shape], SIZE, masked=True)
    assert after[:2] == before
    assert len(after) == 3
    assert after.masks is not None
    assert np.array_equal(after.masks.to_array()[2], shape.mask)
    assert (bool(after.crowd[2]), bool(after.ignore[2])) == (False, False)
    assert with_shapes(before, [], SIZE, masked=True) is before


def test_without_masks_the_area_is_that_of_the_box() -> None:
    shape = shape_of(Insert(disc().id, 20, 20, 15, 15), 1, SIZE, MATERIALS)
    after = with_shapes(known(None), [shape], SIZE, masked=True)
    assert after.masks is None
    x1, y1, x2, y2 = after.boxes[2].tolist()
    assert after.areas[2] == (x2 - x1) * (y2 - y1)
    assert after.areas[:2].tolist() == [7.5, 8.5]
    bare = with_shapes(Annotations.empty(), [shape], SIZE, masked=False)
    assert bare.masks is None


def test_what_the_subject_saw_becomes_labels_of_the_sets_own_classes() -> None:
    seen = Detections(
        np.array([[-5, 3, 20, 200], [30, 30, 40, 40], [90, 5, 99, 9]]),
        np.array([1, 0, 1]),
        np.array([0.9, 0.8, 0.7]),
    )
    vocabulary = Vocabulary(["traffic light"], [10])
    found = pseudo_labels(seen, ("dog", "Traffic_Light"), vocabulary, SIZE)
    assert found.boxes.tolist() == [[0, 3, 20, 60], [30, 30, 40, 40]], "cut, and gone if outside"
    assert found.labels.tolist() == [0, 1]
    assert vocabulary.names == ("traffic light", "dog")
    assert vocabulary.own_ids == (10, 11)


def test_annotations_move_with_their_recipe_and_lose_what_leaves_the_picture() -> None:
    known = Annotations(
        np.array([[0, 0, 10, 10], [5, 45, 15, 55], [5, 52, 15, 58]], np.float32),
        np.array([2, 1, 0]),
        Masks.from_array(np.ones((3, *SIZE), bool)),
        crowd=np.array([False, True, False]),
    )
    moved = moved_annotations(known, Lowered(), SIZE)
    assert moved.boxes.tolist() == [[0, 10, 10, 20], [5, 55, 15, 60]]
    assert moved.labels.tolist() == [2, 1]
    assert moved.crowd.tolist() == [False, True]
    assert moved.areas.tolist() == [100, 50]
    assert moved.masks is None, "a recipe says only where boxes go"
    assert moved_annotations(known, Identity(), SIZE) is known

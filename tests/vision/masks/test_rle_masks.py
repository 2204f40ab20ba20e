from __future__ import annotations

import numpy as np
import pycocotools.mask as coco
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import ndimage

from snellen.vision.masks.mask_overlap import mask_iou
from snellen.vision.masks.polygons import masks_of_polygons, polygons_of_masks
from snellen.vision.masks.rle_masks import Masks

bitmaps = arrays.arrays(
    bool, st.tuples(st.integers(0, 4), st.integers(1, 9), st.integers(1, 9)), elements=st.booleans()
)
lengths = st.integers(1, 40)
corners = st.lists(
    st.tuples(
        st.floats(-10, 50, allow_nan=False) | st.integers(-5, 45),
        st.floats(-10, 50, allow_nan=False) | st.integers(-5, 45),
    ),
    min_size=3,
    max_size=9,
)


@given(bitmaps)
def test_masks_are_written_and_read_as_coco_does(masks: np.ndarray) -> None:
    ours = Masks.from_array(masks)
    assert np.array_equal(ours.to_array(), masks)
    theirs = [coco.encode(np.asfortranarray(mask.astype(np.uint8))) for mask in masks]
    assert [one["counts"] for one in ours.to_coco()] == [one["counts"].decode() for one in theirs]
    assert Masks.from_coco(theirs, ours.size) == ours


@given(bitmaps, st.integers(0, 15))
def test_mask_iou_is_cocos(masks: np.ndarray, flags: int) -> None:
    ours = Masks.from_array(masks)
    crowd = [bool(flags >> k & 1) for k in range(len(masks))]
    table = mask_iou(ours, ours, crowd=crowd)
    assert table.shape == (len(masks), len(masks))
    if len(masks):
        encoded = [coco.encode(np.asfortranarray(mask.astype(np.uint8))) for mask in masks]
        np.testing.assert_allclose(table, coco.iou(encoded, encoded, crowd), atol=1e-12)


@given(bitmaps)
def test_boxes_of_masks_are_tight(masks: np.ndarray) -> None:
    for box, mask in zip(Masks.from_array(masks).boxes(), masks, strict=True):
        if not mask.any():
            assert box.tolist() == [0, 0, 0, 0]
            continue
        y, x = np.nonzero(mask)
        assert box.tolist() == [x.min(), y.min(), x.max() + 1, y.max() + 1]


def test_masks_of_different_images_are_not_compared() -> None:
    with pytest.raises(ValueError, match="different sizes"):
        mask_iou(Masks.empty((4, 5)), Masks.empty((5, 4)))


@given(corners, lengths, lengths)
@settings(max_examples=100)
def test_a_polygon_is_drawn_to_the_pixel_as_coco_draws_it(
    polygon: list[tuple[float, float]], height: int, width: int
) -> None:
    flat = [float(value) for corner in polygon for value in corner]
    ours = masks_of_polygons([[flat]], (height, width)).to_coco()[0]["counts"]
    assert ours == coco.frPyObjects([flat], height, width)[0]["counts"].decode()


@given(st.lists(corners, min_size=2, max_size=3), lengths, lengths)
def test_polygons_of_one_object_are_joined_as_coco_joins_them(
    polygons: list[list[tuple[float, float]]], height: int, width: int
) -> None:
    flat = [[float(value) for corner in polygon for value in corner] for polygon in polygons]
    ours = masks_of_polygons([flat], (height, width)).to_coco()[0]["counts"]
    theirs = coco.merge(coco.frPyObjects(flat, height, width))["counts"].decode()
    assert ours == theirs


@given(arrays.arrays(bool, st.tuples(st.integers(1, 9), st.integers(1, 9)), elements=st.booleans()))
@settings(max_examples=100)
def test_a_mask_survives_the_way_to_polygons_and_back_but_for_its_holes(mask: np.ndarray) -> None:
    outlines = polygons_of_masks(Masks.from_array(mask[None]))
    back = masks_of_polygons(outlines, (mask.shape[0], mask.shape[1])).to_array()[0]
    # Outlines treat diagonal neighbours as one part, so what they enclose is a hole too.
    assert np.array_equal(back, ndimage.binary_fill_holes(mask))


def test_simplified_outlines_stay_close() -> None:
    y, x = np.mgrid[:80, :80]
    disc = (x - 40) ** 2 + (y - 40) ** 2 < 30**2
    masks = Masks.from_array(disc[None])
    exact, rough = polygons_of_masks(masks), polygons_of_masks(masks, tolerance=1.5)
    assert len(rough[0][0]) < len(exact[0][0]) / 2
    assert mask_iou(masks_of_polygons(rough, (80, 80)), masks)[0, 0] > 0.95


def test_a_polygon_of_two_corners_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 3 corners"):
        masks_of_polygons([[[0, 0, 5, 5]]], (9, 9))


def test_an_object_without_polygons_has_an_empty_mask() -> None:
    assert masks_of_polygons([[]], (3, 4)).areas().tolist() == [0]

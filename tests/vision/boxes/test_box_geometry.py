from __future__ import annotations

from typing import Any

import numpy as np
import pycocotools.mask as coco
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from snellen.vision.boxes.box_geometry import area, clip, iou, overlap, to_xywh

coordinate = st.floats(-500, 500, width=32)
sets_of_boxes = arrays.arrays(
    np.float32, st.tuples(st.integers(0, 7), st.just(4)), elements=coordinate
)


def ordered(boxes: np.ndarray) -> np.ndarray:
    low, high = np.minimum(boxes[:, :2], boxes[:, 2:]), np.maximum(boxes[:, :2], boxes[:, 2:])
    return np.hstack([low, high])


@given(sets_of_boxes, sets_of_boxes, st.integers(0, 127))
def test_iou_is_cocos_to_the_last_bit(one: np.ndarray, other: np.ndarray, flags: int) -> None:
    one, other = ordered(one), ordered(other)
    crowd = [bool(flags >> k & 1) for k in range(len(other))]
    ours = iou(one, other, crowd=crowd)
    assert ours.shape == (len(one), len(other))
    if len(one) and len(other):
        theirs = coco.iou(to_xywh(one), to_xywh(other), [int(flag) for flag in crowd])
        np.testing.assert_allclose(ours, theirs, atol=1e-12)
        fast = iou(one, other, crowd=crowd, dtype=np.float32)
        assert fast.dtype == np.float32


def both_forms(one: np.ndarray, other: np.ndarray, crowd: list[bool], dtype: type) -> list[Any]:
    """The bits of the compiled loop and of whole arrays."""
    found = []
    for few in (0, 10**9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("snellen.vision.compilation.FEW", few)
            found.append(iou(one, other, crowd=crowd, dtype=dtype))
    assert found[0].dtype == found[1].dtype == dtype
    return [one.view(np.uint8) for one in found]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@given(one=sets_of_boxes, other=sets_of_boxes, flags=st.integers(0, 127))
def test_whole_arrays_give_the_bits_of_the_compiled_loop(
    dtype: type, one: np.ndarray, other: np.ndarray, flags: int
) -> None:
    """Also for boxes whose corners are swapped, which have no meaning but must not differ."""
    crowd = [bool(flags >> k & 1) for k in range(len(other))]
    np.testing.assert_array_equal(*both_forms(one, other, crowd, dtype))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_whole_arrays_give_the_bits_of_the_loop_for_crowds_that_overlap(dtype: type) -> None:
    rng = np.random.default_rng(1)
    corner = rng.uniform(0, 60, (2, 40, 2)).astype(np.float32)
    sides = rng.uniform(5, 50, corner.shape).astype(np.float32)
    one, other = np.concatenate([corner, corner + sides], -1)
    crowd = [bool(k % 3) for k in range(len(other))]
    np.testing.assert_array_equal(*both_forms(one, other, crowd, dtype))


def test_float32_is_right_to_1e_5_on_boxes_of_an_image() -> None:
    rng = np.random.default_rng(1)
    corner = rng.uniform(0, 500, (2, 300, 2))
    one, other = np.concatenate([corner, corner + rng.uniform(5, 200, corner.shape)], -1)
    np.testing.assert_allclose(iou(one, other, dtype=np.float32), iou(one, other), atol=1e-5)


@given(sets_of_boxes)
def test_iou_is_symmetric_and_one_with_itself(boxes: np.ndarray) -> None:
    boxes = ordered(boxes)
    both = iou(boxes, boxes)
    np.testing.assert_array_equal(both, both.T)
    solid = area(boxes) > 1e-6
    np.testing.assert_allclose(np.diag(both)[solid], 1)


@pytest.mark.parametrize("order", [[0, 2, 1, 3], [1, 0, 3, 2]])
def test_swapped_axes_change_the_iou(order: list[int]) -> None:
    one, other = np.array([[10, 20, 90, 50.0]]), np.array([[20, 10, 100, 45.0]])
    assert abs(iou(one[:, order], other)[0, 0] - iou(one, other)[0, 0]) > 0.1


def test_boxes_that_touch_do_not_overlap() -> None:
    assert iou([[0, 0, 10, 10]], [[10, 0, 20, 10]]) == 0
    assert iou([[5, 5, 5, 5]], [[0, 0, 10, 10]]) == 0


def test_overlap_is_the_share_of_the_first_box() -> None:
    np.testing.assert_allclose(overlap([[0, 0, 10, 10]], [[5, 0, 100, 100]]), [[0.5]])


@given(sets_of_boxes)
def test_xywh_starts_at_the_corner_and_has_the_sides_of_the_box(boxes: np.ndarray) -> None:
    found = to_xywh(boxes)
    np.testing.assert_array_equal(found[:, :2], boxes[:, :2])
    np.testing.assert_allclose(found[:, :2] + found[:, 2:], boxes[:, 2:], atol=1e-4)


def test_clip_cuts_x_by_the_width_and_y_by_the_height() -> None:
    clipped = clip([[-5, -6, 900, 900], [700, 10, 800, 20]], (480, 640))
    assert clipped.tolist() == [[0, 0, 640, 480], [640, 10, 640, 20]]

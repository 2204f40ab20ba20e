from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from pycocotools import mask as reference

from snellen.scenes.yolo.mask_polygon import mask_polygon
from snellen.vision.arrays import F64, Bools
from tests.scenes.samples import pixel_masks

SIZES = st.tuples(st.integers(1, 20), st.integers(1, 20))


def _filled(polygon: F64, size: tuple[int, int]) -> Bools:
    height, width = size
    # pycocotools takes a list of four numbers for a box, so the first corner is given twice.
    flat = [*polygon[0], *polygon.ravel()]
    return np.asarray(reference.decode(reference.frPyObjects([flat], height, width))[..., 0] > 0)


@given(SIZES.flatmap(pixel_masks))
def test_one_polygon_gives_parts_and_holes_back(mask: Bools) -> None:
    size = (mask.shape[0], mask.shape[1])
    np.testing.assert_array_equal(_filled(mask_polygon(mask), size), mask)


def test_a_ring_and_an_island_are_one_polygon() -> None:
    mask = np.zeros((9, 9), dtype=bool)
    mask[1:8, 1:8] = True
    mask[2:7, 2:7] = False
    mask[4, 4] = True
    polygon = mask_polygon(mask)
    np.testing.assert_array_equal(_filled(polygon, (9, 9)), mask)
    assert len(polygon) == 4 + 2 * 6


def test_an_empty_mask_has_no_corner() -> None:
    assert mask_polygon(np.zeros((3, 3), dtype=bool)).shape == (0, 2)


def test_corners_are_x_then_y() -> None:
    mask = np.zeros((4, 9), dtype=bool)
    mask[:2, :7] = True
    assert mask_polygon(mask).max(axis=0).tolist() == [7, 2]

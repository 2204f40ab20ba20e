"""Mask maps against another interpolation and a plain encoding."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.ndimage import map_coordinates

from snellen.subjects.model_file.letterbox import InputFit, letterbox_of
from snellen.subjects.model_file.mask_maps import MaskMaps
from snellen.vision.masks.rle_masks import Masks


@pytest.mark.parametrize("fit", list(InputFit))
def test_masks_are_the_maps_interpolated_at_pixel_centres(fit: InputFit) -> None:
    rng = np.random.default_rng(1)
    image, network = (90, 140), (64, 64)
    frame = letterbox_of(image, network, fit)
    maps = MaskMaps.from_coefficients(
        rng.normal(size=(3, 5)).astype(np.float32),
        rng.normal(size=(5, 16, 16)).astype(np.float32),
    )
    boxes = np.array([[0, 0, 140, 90], [10.2, 5.7, 80.1, 60.6], [30, 30, 30.2, 70]], np.float32)
    y, x = np.mgrid[:90, :140] + 0.5
    cell_y = (y * frame.scale[0] + frame.offset[0]) / 4 - 0.5
    cell_x = (x * frame.scale[1] + frame.offset[1]) / 4 - 0.5
    found = maps.to_masks(boxes, frame).to_array()
    for mask, one, box in zip(found, maps.maps(), boxes, strict=True):
        full = map_coordinates(one.astype(float), [cell_y, cell_x], order=1, mode="nearest")
        x1, y1, x2, y2 = np.round(box).astype(int)
        expected = np.zeros(image, dtype=bool)
        expected[y1:y2, x1:x2] = full[y1:y2, x1:x2] > 0
        unsure = np.abs(full) < 1e-5
        np.testing.assert_array_equal(mask[~unsure], expected[~unsure])


@given(st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_masks_are_the_maps_above_their_level_in_plain_encoding(seed: int, level: float) -> None:
    rng = np.random.default_rng(seed)
    image = (int(rng.integers(1, 12)), int(rng.integers(1, 12)))
    frame = letterbox_of(image, image, InputFit.STRETCH)
    probabilities = rng.random((2, *image)).astype(np.float32)
    maps = MaskMaps(probabilities, None, np.arange(2), level)
    corners = np.sort(rng.integers(0, [image[1] + 1, image[0] + 1], (2, 2, 2)), axis=1)
    boxes = corners.reshape(2, 4)
    expected = probabilities > level
    for mask, (x1, y1, x2, y2) in zip(expected, boxes, strict=True):
        inside = np.zeros(image, dtype=bool)
        inside[y1:y2, x1:x2] = True
        mask &= inside
    assert maps.to_masks(boxes.astype(np.float32), frame) == Masks.from_array(expected)


def test_selection_keeps_each_box_with_its_own_map() -> None:
    maps = MaskMaps.from_probabilities(
        np.repeat(np.arange(4, dtype=np.float32), 4).reshape(4, 2, 2)
    )
    assert maps[np.array([3, 1])][np.array([True, False])].maps()[0, 0, 0] == 3

"""HOG: the same numbers as OpenCV 4, and the published intersection without storing windows."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as Pillow

from snellen.vision.arrays import F32, Bytes, Image
from snellen.vision.image_features.hog import hog_blocks, hog_blocks_after, hog_intersection

cv2 = pytest.importorskip("cv2")
if not hasattr(cv2, "HOGDescriptor"):
    pytest.skip("OpenCV 5 has no HOG to compare with", allow_module_level=True)


def windows(blocks: F32) -> F32:
    """Windows of 15 x 7 blocks in OpenCV's order: windows by rows, blocks of one by columns."""
    rows, columns = blocks.shape[:2]
    found = [
        blocks[i : i + 15, j : j + 7].swapaxes(0, 1).ravel()
        for i in range(rows - 14)
        for j in range(columns - 6)
    ]
    return np.concatenate(found)


def theirs(image: Image) -> F32:
    return np.asarray(cv2.HOGDescriptor().compute(np.ascontiguousarray(image[..., ::-1]))).ravel()


def noise(seed: int, *shape: int) -> Bytes:
    return np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)


@pytest.mark.parametrize("size", [(128, 64), (136, 80), (131, 77), (160, 127)])
def test_every_value_is_opencvs(size: tuple[int, int]) -> None:
    for image in (noise(1, *size, 3), cv2.GaussianBlur(noise(2, *size, 3), (0, 0), 3)):
        ours = windows(hog_blocks(image))
        assert ours.shape == theirs(image).shape
        assert np.abs(ours - theirs(image)).max() < 1e-4


def test_photographs_agree_too(shared: Callable[[str], Path]) -> None:
    photos = [
        np.array(Pillow.open(path).convert("RGB"))[:300, :400]
        for path in sorted(shared("coco_val64/images").glob("*.jpg"))[:4]
    ]
    for photo in photos:
        assert np.abs(windows(hog_blocks(photo)) - theirs(photo)).max() < 1e-4
    for one, other in pairwise(photos):
        height, width = min(one.shape[0], other.shape[0]), min(one.shape[1], other.shape[1])
        one, other = one[:height, :width], other[:height, :width]
        first, second = theirs(one), theirs(other)
        published = np.minimum(first, second).sum(dtype=float) / first.sum(dtype=float)
        found = hog_intersection(hog_blocks(one), hog_blocks(other))
        assert found == pytest.approx(published, abs=1e-5)
        assert found < 0.9, "two photographs that have nothing to do with each other"


@given(
    corner=st.tuples(st.integers(0, 69), st.integers(0, 89)),
    size=st.tuples(st.integers(1, 90), st.integers(1, 70)),
)
def test_blocks_after_a_local_change_are_those_of_the_whole_image(
    corner: tuple[int, int], size: tuple[int, int]
) -> None:
    before = noise(7, 90, 70, 3)
    (x1, y1), (width, height) = corner, size
    x2, y2 = min(x1 + width, 70), min(y1 + height, 90)
    after = before.copy()
    after[y1:y2, x1:x2] = noise(8, y2 - y1, x2 - x1, 3)
    found = hog_blocks_after(hog_blocks(before), after, (x1, y1, x2, y2))
    assert np.abs(found - hog_blocks(after)).max() < 1e-6


def test_swapping_rows_and_columns_is_noticed() -> None:
    image = cv2.GaussianBlur(noise(3, 144, 144, 3), (0, 0), 2)
    turned = np.ascontiguousarray(image.swapaxes(0, 1))
    assert np.abs(windows(hog_blocks(turned)) - theirs(image)).max() > 0.05


@pytest.mark.parametrize("size", [(5, 5), (15, 200), (16, 16), (40, 40), (127, 63)])
def test_an_image_smaller_than_a_window_still_has_a_value(size: tuple[int, int]) -> None:
    one, other = hog_blocks(noise(4, *size, 3)), hog_blocks(noise(5, *size, 3))
    assert hog_intersection(one, one) == 1
    assert 0 < hog_intersection(one, other) <= 1


def test_a_flat_image_has_all_its_gradients_everywhere() -> None:
    flat = hog_blocks(np.full((128, 64, 3), 9, dtype=np.uint8))
    assert hog_intersection(flat, hog_blocks(noise(6, 128, 64, 3))) == 1


def test_blocks_of_two_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="same shape"):
        hog_intersection(hog_blocks(noise(1, 32, 32, 3)), hog_blocks(noise(1, 40, 32, 3)))

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.objects.similarity import (
    average_hash,
    average_hashes,
    distances,
    majority,
    nearest,
    region_hashes,
)
from snellen.vision.arrays import Bytes

HASHES = st.integers(0, 2**64 - 1)


def by_definition(pixels: Bytes) -> int:
    """imagehash's average hash: 8 x 8 grey means, a one where above their mean, first bit highest.

    pixels: H x W x 3, sides a multiple of 8, so that a cell is a plain block mean.
    """
    grey = pixels.astype(np.float64) @ [0.299, 0.587, 0.114]
    height, width = grey.shape
    cells = grey.reshape(8, height // 8, 8, width // 8).mean(axis=(1, 3))
    bits = (cells > cells.mean()).flatten()
    return int("".join("1" if bit else "0" for bit in bits), 2)


def photograph(seed: int, height: int, width: int) -> Bytes:
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


@given(st.integers(0, 10**6), st.integers(1, 9), st.integers(1, 9))
def test_the_hash_is_that_of_the_definition(seed: int, rows: int, columns: int) -> None:
    pixels = photograph(seed, 8 * rows, 8 * columns)
    opaque = np.dstack([pixels, np.full(pixels.shape[:2], 255, np.uint8)])
    assert average_hash(pixels) == average_hash(opaque) == by_definition(pixels)


def test_what_lies_under_transparent_pixels_does_not_count() -> None:
    rng = np.random.default_rng(3)
    one = rng.integers(0, 256, (37, 51, 4), dtype=np.uint8)
    one[..., 3] = np.where(rng.random((37, 51)) < 0.5, 0, 255)
    other = one.copy()
    other[one[..., 3] == 0, :3] = 255 - other[one[..., 3] == 0, :3]
    assert average_hash(one) == average_hash(other)
    opaque = other.copy()
    opaque[..., 3] = 255
    assert average_hash(one) != average_hash(opaque), "else alpha would play no part at all"


def test_a_flat_object_has_no_bit_set_whatever_the_rounding() -> None:
    for value in range(256):
        assert average_hash(np.full((13, 29, 3), value, np.uint8)) == 0


def test_several_crops_at_once_are_hashed_as_each_alone() -> None:
    crops = [photograph(seed, 5 + 7 * seed, 90 - 8 * seed) for seed in range(10)]
    assert average_hashes(crops).tolist() == [average_hash(crop) for crop in crops]
    assert average_hashes([]).shape == (0,)


def test_a_small_change_of_light_or_size_changes_few_bits() -> None:
    import cv2

    smooth = cv2.resize(photograph(1, 5, 6), (240, 200), interpolation=cv2.INTER_CUBIC)
    smaller = cv2.resize(smooth, (120, 100), interpolation=cv2.INTER_AREA)
    darker = (smooth * 0.8).astype(np.uint8)
    [near, dark] = distances(average_hash(smooth), average_hashes([smaller, darker]))
    assert near <= 2
    assert dark <= 2
    assert distances(average_hash(smooth), [average_hash(photograph(2, 200, 240))])[0] > 10


def test_regions_are_cut_at_the_border_and_never_empty() -> None:
    image = photograph(4, 64, 96)
    boxes = np.array(
        [[8, 16, 24, 48], [-10, -10, 40, 40], [95.9, 63.9, 99, 99], [10.4, 10.4, 10.5, 10.5]]
    )
    expected = [image[16:48, 8:24], image[:40, :40], image[63:, 95:], image[10:11, 10:11]]
    assert region_hashes(image, boxes).tolist() == [average_hash(crop) for crop in expected]


@given(st.lists(HASHES, min_size=1, max_size=9))
def test_the_majority_is_that_of_each_bit_and_the_first_breaks_ties(hashes: list[int]) -> None:
    expected = 0
    for place in range(64):
        bits = [hash >> place & 1 for hash in hashes]
        ones = sum(bits)
        expected |= (bits[0] if 2 * ones == len(bits) else int(2 * ones > len(bits))) << place
    assert majority(hashes) == expected


def test_a_majority_keeps_the_low_bits_that_a_mean_of_integers_loses() -> None:
    odd = 2**63 + 1
    assert majority([odd, odd, odd]) == odd
    assert int(np.mean(np.array([odd, odd, odd], dtype=np.float64))) != odd


def test_the_majority_of_nothing_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one"):
        majority([])


@given(HASHES, st.lists(HASHES, max_size=20))
def test_distances_count_the_bits_that_differ(reference: int, hashes: list[int]) -> None:
    assert distances(reference, hashes).tolist() == [(reference ^ h).bit_count() for h in hashes]


@given(HASHES, st.lists(st.sampled_from([0, 1, 3, 2**63, 2**64 - 1]), max_size=12))
def test_of_equally_near_ones_the_first_is_taken(reference: int, hashes: list[int]) -> None:
    order = sorted(range(len(hashes)), key=lambda k: ((reference ^ hashes[k]).bit_count(), k))
    assert nearest(reference, hashes, count=5) == order[:5]

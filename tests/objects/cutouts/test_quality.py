from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage

from snellen.objects.cutouts.alpha import window_of
from snellen.objects.cutouts.occlusion import hidden_by_boxes, hidden_by_masks, in_front
from snellen.objects.cutouts.quality import (
    UNKNOWN_SHARPNESS,
    edge_contrast,
    hole_share,
    sharpness,
    without_specks,
)
from snellen.vision.arrays import Bools
from tests.objects.pictures import disc


@given(st.integers(0, 10**6), st.sampled_from([0.2, 0.5, 0.8]))
def test_holes_are_what_scipy_fills(seed: int, share: float) -> None:
    mask = np.random.default_rng(seed).random((13, 17)) < share
    mask[6, 8] = True
    # OpenCV's outer contour is 8-connected: a gap open to the outside only at a corner is a hole.
    full = ndimage.binary_fill_holes(mask)
    assert hole_share(mask) == pytest.approx(1 - mask.sum() / full.sum())


def test_specks_go_and_fragments_are_counted() -> None:
    mask = disc((100, 100), (30, 30), 20) | disc((100, 100), (75, 75), 15)
    mask[2, 95] = True
    cleaned, fragments = without_specks(mask)
    assert fragments == 2
    assert not cleaned[2, 95]
    assert cleaned.sum() == mask.sum() - 1


def test_parts_that_touch_by_a_corner_hang_together() -> None:
    mask = np.kron(np.eye(2, dtype=bool), np.ones((8, 8), bool)) > 0
    assert without_specks(mask)[1] == 1


def test_blur_lowers_sharpness_and_light_does_not() -> None:
    coarse = np.random.default_rng(0).integers(0, 256, (10, 10, 3), dtype=np.uint8)
    sharp = cv2.resize(coarse, (120, 120), interpolation=cv2.INTER_NEAREST)
    mask = disc((120, 120), (60, 60), 50)
    values = [sharpness(cv2.GaussianBlur(sharp, (0, 0), s), mask) for s in (0.5, 2, 4, 8)]
    assert values == sorted(values, reverse=True)
    assert values[-1] < 0.2 * values[0]
    dim = sharp // 2
    assert sharpness(dim, mask) == pytest.approx(sharpness(sharp, mask), rel=0.05)


def test_sharpness_is_compared_at_a_common_size() -> None:
    small = np.random.default_rng(0).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    large = cv2.resize(small, (512, 512), interpolation=cv2.INTER_NEAREST)
    masks = np.ones((64, 64), bool), np.ones((512, 512), bool)
    assert sharpness(large, masks[1]) == pytest.approx(sharpness(small, masks[0]), rel=0.1)


def test_of_a_flat_or_thin_object_no_blur_is_claimed() -> None:
    assert (
        sharpness(np.full((40, 40, 3), 90, np.uint8), np.ones((40, 40), bool)) == UNKNOWN_SHARPNESS
    )
    line = np.zeros((40, 40), bool)
    line[20] = True
    noise = np.random.default_rng(0).integers(0, 256, (40, 40, 3), dtype=np.uint8)
    assert sharpness(noise, line) == UNKNOWN_SHARPNESS


def test_an_edge_has_the_contrast_of_what_it_parts() -> None:
    mask = disc((60, 60), (30, 30), 18)
    for inside, outside in ((200, 100), (90, 90), (255, 0)):
        image = np.where(mask[..., None], inside, outside).astype(np.uint8).repeat(3, axis=2)
        assert edge_contrast(image, mask) == pytest.approx(abs(inside - outside) / 255, abs=1e-6)
    assert edge_contrast(image, np.ones((60, 60), bool)) == 0


def hidden(*masks: Bools) -> list[float]:
    windows = [window_of(mask) for mask in masks]
    found = hidden_by_masks(masks, [window for window in windows if window is not None])
    return [float(share) for share in found]


def test_an_object_behind_another_is_occluded_and_the_one_in_front_is_not() -> None:
    near = disc((120, 120), (60, 80), 30)
    far = disc((120, 120), (60, 40), 30) & ~near
    alone = disc((120, 120), (8, 110), 6)
    behind, before, apart = hidden(far, near, alone)
    assert behind > 0.15
    assert before == 0
    assert apart == 0


def test_a_person_before_a_bus_hides_it_though_its_feet_are_higher() -> None:
    bus = np.zeros((100, 200), bool)
    bus[10:90, 10:190] = True
    person = np.zeros_like(bus)
    person[30:80, 90:110] = True
    of_bus, of_person = hidden(bus & ~person, person)
    assert of_bus > 0.15
    assert of_person == 0


def test_pixels_that_two_masks_share_count_as_hidden() -> None:
    table = np.zeros((100, 100), bool)
    table[20:80, 10:90] = True
    plate = disc((100, 100), (50, 50), 25)
    share = (table & plate).sum() / table.sum()
    assert hidden(table, plate) == [pytest.approx(share), 0]


def test_of_two_objects_one_is_in_front_and_both_only_where_that_is_unclear() -> None:
    """Unclear: about level bases, or boxes that overlap by 30%, as of a horse and its rider."""
    rng = np.random.default_rng(0)
    corner = rng.uniform(0, 100, (40, 2))
    boxes = np.hstack([corner, corner + rng.uniform(5, 80, (40, 2))])
    front = in_front(boxes)
    assert (front | front.T | np.eye(40, dtype=bool)).all()
    assert not front.diagonal().any()
    both = [(a, b) for a, b in np.argwhere(front & front.T) if a < b]
    assert both
    assert all(_unclear(boxes[a], boxes[b]) for a, b in both)
    assert hidden_by_boxes(np.zeros((0, 4))).shape == (0,)


def _unclear(a: np.ndarray, b: np.ndarray) -> bool:
    common = np.minimum(a[2:], b[2:]) - np.maximum(a[:2], b[:2])
    shared = float(np.prod(np.maximum(common, 0)))
    shares = [shared / float(np.prod(one[2:] - one[:2])) for one in (a, b)]
    level = abs(a[3] - b[3]) < 0.1 * max(a[3] - a[1], b[3] - b[1])
    return bool(level or max(shares) >= 0.3)

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import ndimage

from snellen.objects.cutouts.alpha import cut_out, inner_colours, soft_alpha, window_of
from snellen.vision.arrays import Bools, Bytes
from tests.objects.pictures import disc


@st.composite
def masks(draw: st.DrawFn) -> Bools:
    """A mask of any shape, not empty."""
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    coarse = rng.random((draw(st.integers(1, 6)), draw(st.integers(1, 6)))) < 0.6
    coarse[0, 0] = True
    return np.repeat(np.repeat(coarse, draw(st.integers(1, 7)), 0), draw(st.integers(1, 7)), 1)


@given(masks())
def test_opacity_is_where_the_mask_is_and_nowhere_else(mask: Bools) -> None:
    alpha = soft_alpha(mask)
    assert ((alpha > 0) == mask).all()
    far_inside = ndimage.distance_transform_edt(np.pad(mask, 1))[1:-1, 1:-1] > 4
    assert (alpha[far_inside] == 255).all()


def test_the_edge_is_soft_over_about_a_pixel() -> None:
    mask = np.zeros((40, 40), bool)
    mask[10:30, 10:30] = True
    row = soft_alpha(mask)[20].astype(int)
    assert (row[:10] == 0).all()
    assert 100 < row[10] < 180
    assert 230 < row[11] < 255
    assert (row[13:27] == 255).all()


def test_the_staircase_of_a_slanting_edge_is_smoothed() -> None:
    mask = disc((60, 60), (30.3, 29.6), 21)
    alpha = soft_alpha(mask)
    shades = set(alpha[mask].tolist()) - {255}
    assert len(shades) >= 10, "a hard edge would have none, a constant rim one"


def test_a_line_one_pixel_wide_stays_visible() -> None:
    mask = np.zeros((9, 9), bool)
    mask[4] = True
    assert (soft_alpha(mask)[4] >= 60).all()


@pytest.mark.parametrize("value", [255, 0, 124])
def test_no_colour_makes_a_hole(value: int) -> None:
    """Keying on pure white, as published, turns a white shirt into a hole."""
    mask = disc((50, 50), (25, 25), 20)
    image = np.full((50, 50, 3), value, np.uint8)
    found = cut_out(image, mask, "ball")
    assert (found.pixels[10:30, 10:30, 3] == 255).all()
    assert (found.pixels[..., :3] == value).all()


def test_a_true_hole_stays_a_hole() -> None:
    mask = disc((60, 60), (30, 30), 25) & ~disc((60, 60), (30, 30), 10)
    found = cut_out(np.zeros((60, 60, 3), np.uint8), mask, "ring")
    assert found.pixels[25, 25, 3] == 0
    assert found.pixels[25, 7, 3] == 255


@given(masks(), st.integers(0, 12), st.integers(0, 12))
def test_a_cut_out_is_cropped_to_its_mask(mask: Bools, top: int, left: int) -> None:
    padded = np.pad(mask, ((top, 5), (left, 3)))
    image = np.random.default_rng(0).integers(0, 256, (*padded.shape, 3), dtype=np.uint8)
    found = cut_out(image, padded, "thing", "digest")
    window = window_of(padded)
    assert window is not None
    x1, y1, x2, y2 = window
    assert found.size == (y2 - y1, x2 - x1)
    assert found.source == "digest"
    opaque = found.pixels[..., 3] >= 250
    assert (found.pixels[opaque, :3] == image[y1:y2, x1:x2][opaque]).all()


def test_an_empty_mask_has_no_window_and_no_cut_out() -> None:
    empty = np.zeros((5, 5), bool)
    assert window_of(empty) is None
    with pytest.raises(ValueError, match="empty mask"):
        cut_out(np.zeros((5, 5, 3), np.uint8), empty, "nothing")


def test_the_background_bleeds_into_no_pixel_that_is_seen() -> None:
    """A red disc on green whose mask is a pixel too generous: the rim must not be green."""
    truth = disc((80, 80), (40, 40), 25)
    image = np.where(truth[..., None], [200, 30, 30], [20, 220, 20]).astype(np.uint8)
    generous = disc((80, 80), (40, 40), 26)
    plain = np.dstack([image, soft_alpha(generous)])
    found = cut_out(image, generous, "disc").pixels

    def green_seen(pixels: Bytes) -> float:
        excess = pixels[..., 1].astype(float) - pixels[..., 0]
        return float((excess.clip(0) * pixels[..., 3]).sum())

    assert green_seen(found) < 0.6 * green_seen(plain)
    outside = found[..., 3] == 0
    assert np.abs(found[outside, :3].astype(int) - [200, 30, 30]).max() <= 190
    assert (found[0, 0, :3] != image[14, 14]).any(), "colour under alpha 0 comes from inside"


def test_colours_come_from_the_nearest_opaque_pixel() -> None:
    pixels = np.zeros((1, 6, 3), np.uint8)
    pixels[0, :, 0] = [10, 20, 30, 200, 210, 220]
    alpha = np.array([[0, 128, 255, 255, 128, 0]], np.uint8)
    red = inner_colours(pixels, alpha)[0, :, 0].tolist()
    assert red == [30, 25, 30, 200, 205, 200]

"""Colour matching: towards the surroundings, part of the way, and bounded."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from snellen.changes.paste.colour_matching import MAX_GAIN, MAX_SHIFT, match_palette
from snellen.changes.paste.insert import Insert
from snellen.changes.paste.palette import Palette, palette
from snellen.changes.paste.scene_look import surrounding_palette
from snellen.vision.arrays import F32, Bytes
from tests.changes.pastes import Shelf, disc, noise, scene_of


def lab(colour: npt.ArrayLike) -> F32:
    pixel = np.array(colour, dtype=np.float32).reshape(1, 1, 3) / 255
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_RGB2LAB)[0, 0])


def inserted(colour: tuple[int, int, int], around: tuple[int, int, int]) -> Bytes:
    cutout = disc(40, 40, colour, (0, 0, 0))
    scene = scene_of(np.full((100, 100, 3), around, dtype=np.uint8))
    image = Insert(cutout.id, 30, 30, 40, 40, "matched").build(scene, {"objects": Shelf(cutout)})
    return np.asarray(image[50, 50])


@pytest.mark.parametrize("around", [(30, 30, 30), (220, 220, 220), (150, 100, 90), (60, 90, 140)])
def test_an_object_moves_towards_its_surroundings_and_not_beyond_the_bound(
    around: tuple[int, int, int],
) -> None:
    before = lab((120, 118, 121))
    after, there = lab(inserted((120, 118, 121), around)), lab(around)
    moved, whole = after - before, there - before
    assert np.all(np.abs(moved) <= MAX_SHIFT + 0.6), "rounding to 8 bits moves L*a*b* by less"
    assert np.linalg.norm(whole - moved) < np.linalg.norm(whole)
    unbounded = np.abs(whole) / 2 < MAX_SHIFT
    assert np.abs(moved - whole / 2)[unbounded].max(initial=0) < 0.8


def test_an_object_of_the_surroundings_colours_keeps_them() -> None:
    assert np.abs(inserted((90, 120, 60), (90, 120, 60)).astype(int) - (90, 120, 60)).max() <= 1


def test_only_pixels_beside_the_object_are_its_surroundings() -> None:
    image = np.full((60, 60, 3), 50, dtype=np.uint8)
    image[20:40, 20:40] = 200  # beneath the object
    image[:8] = 255  # far away
    alpha = np.full((20, 20), 255, dtype=np.uint8)
    found = surrounding_palette(image, alpha, 20, 20)
    assert found is not None
    assert np.allclose(found.mean, lab((50, 50, 50)), atol=0.01)
    assert np.allclose(found.spread, 0, atol=0.01)


def test_an_object_as_large_as_the_scene_has_no_surroundings_and_keeps_its_colours() -> None:
    image = noise(1, 30, 30, 3)
    assert surrounding_palette(image, np.full((30, 30), 255, dtype=np.uint8), 0, 0) is None
    colours = noise(2, 30, 30, 3)
    own = palette(colours, np.full((30, 30), 255, dtype=np.uint8))
    assert match_palette(colours, own, None) is colours


def test_contrast_is_raised_and_lowered_within_bounds() -> None:
    colours = np.repeat(noise(3, 30, 30, 1) // 4 + 96, 3, axis=2)
    full = np.full((30, 30), 255, dtype=np.uint8)
    own = palette(colours, full)
    assert own is not None
    for scene, low, high in (
        (np.full((9, 9, 3), 120), 0.78, 0.83),
        (noise(4, 60, 60, 3), 1.2, 1.3),
    ):
        there = palette(scene.astype(np.uint8), np.ones(scene.shape[:2], dtype=np.uint8))
        after = palette(match_palette(colours, own, there), full)
        assert after is not None
        assert low < after.spread[0] / own.spread[0] < high


def test_matching_equals_the_formula_pixel_by_pixel() -> None:
    """Whole rows are computed at a time; the formula is that of one pixel."""
    colours = noise(4, 20, 30, 3)
    own, around = (
        Palette(np.array(mean, np.float32), np.array(spread, np.float32), chroma=chroma)
        for mean, spread, chroma in (((60, 9, -7), (20, 5, 5), None), ((40, 1, 2), (8, 3, 3), 2.0))
    )
    grey = np.array([1, 0.5, 0.5])
    shift = np.clip((around.mean - grey * own.mean) / 2, -MAX_SHIFT, MAX_SHIFT)
    gain = max((9 / 21) ** 0.5, 1 / MAX_GAIN)
    values = cv2.cvtColor(colours.astype(np.float32) / 255, cv2.COLOR_RGB2LAB).astype(float) * grey
    values[..., 0] = own.mean[0] + (values[..., 0] - own.mean[0]) * gain
    rgb = cv2.cvtColor((values + shift).astype(np.float32), cv2.COLOR_LAB2RGB)
    expected = np.clip(np.rint(255 * rgb), 0, 255)
    found = match_palette(colours, own, around)
    assert np.abs(found - expected).max() <= 1
    assert (found == expected).mean() > 0.99

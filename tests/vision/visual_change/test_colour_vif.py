"""The colour-aware measure: grey VIF times the share of the colours that is preserved."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from snellen.errors import UserError
from snellen.vision.arrays import Image
from snellen.vision.visual_change.built_in_measures import Vifp
from snellen.vision.visual_change.colour_vif import ColourVifp, colours_of
from snellen.vision.visual_change.vif import VifReference
from tests.vision.photographs import noisy, photograph

COLOUR, GREY = ColourVifp(0.4), Vifp(0.4)
PHOTOGRAPH = photograph(120, 160)


def flooded(image: Image, share: float) -> Image:
    """The image with blue light poured over it."""
    return np.uint8(np.round(image + share * (np.array([0, 0, 255]) - image)))  # type: ignore[return-value]


def lab_by_hand(rgb: tuple[int, int, int]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """a* and b* by the definition of CIE 1976 for sRGB and D65."""
    encoded = np.array(rgb) / 255
    linear = np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array(
        [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
         [0.0193339, 0.1191920, 0.9503041]]
    )  # fmt: skip
    xyz = to_xyz @ linear / (0.95047, 1.0, 1.08883)
    x, y, z = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("rgb", [(255, 0, 0), (12, 200, 90), (128, 128, 128), (3, 4, 250)])
def test_colours_are_those_of_cielab(rgb: tuple[int, int, int]) -> None:
    found = colours_of(np.full((1, 1, 3), rgb, np.uint8))[0, 0]
    assert found == pytest.approx(lab_by_hand(rgb), abs=0.3)


def test_the_same_image_has_not_changed() -> None:
    assert COLOUR.compare(PHOTOGRAPH, PHOTOGRAPH) == 0


def test_a_picture_flooded_with_blue_is_nearly_lost() -> None:
    found = flooded(PHOTOGRAPH, 0.6)
    assert GREY.compare(PHOTOGRAPH, found) < 0.6
    assert COLOUR.compare(PHOTOGRAPH, found) > 0.95
    shifted = PHOTOGRAPH.copy()
    shifted[..., 2] = 255
    assert COLOUR.compare(PHOTOGRAPH, shifted) > GREY.compare(PHOTOGRAPH, shifted) + 0.2


def test_more_blue_is_more_change() -> None:
    found = [COLOUR.compare(PHOTOGRAPH, flooded(PHOTOGRAPH, k / 10)) for k in range(11)]
    assert all(later > sooner for sooner, later in pairwise(found[:7]))
    assert found[-1] == 1


def test_it_is_vif_times_the_mean_agreement_of_colours() -> None:
    image = np.random.default_rng(1).integers(0, 256, (48, 64, 3), np.uint8)
    after = np.roll(image, 1, axis=2)
    colours = [
        np.array([[lab_by_hand(tuple(pixel)) for pixel in row] for row in one[::8, ::8]])
        for one in (image, after)
    ]
    small = [np.ascontiguousarray(one[::8, ::8]) for one in (image, after)]
    assert [colours_of(one) for one in small] == [pytest.approx(one, abs=0.3) for one in colours]
    distance = np.linalg.norm(colours_of(after) - colours_of(image), axis=2)
    agreement = np.clip(1 - distance / 70, 0, 1).mean()
    seen = VifReference(image.astype(np.float32), 0.4).vif(after.astype(np.float32))
    assert ColourVifp(0.4, 70.0).compare(image, after) == pytest.approx(
        1 - seen * agreement, abs=1e-5
    )


def test_without_a_change_of_colour_it_is_grey_vif() -> None:
    grey = np.repeat(PHOTOGRAPH[..., 1:2], 3, axis=2)
    after = np.repeat(noisy(grey, 20)[..., 1:2], 3, axis=2)
    assert COLOUR.compare(grey, after) == pytest.approx(GREY.compare(grey, after), abs=1e-3)


def test_it_finds_no_less_than_grey_vif() -> None:
    for after in (noisy(PHOTOGRAPH, 10), PHOTOGRAPH // 2, PHOTOGRAPH[..., ::-1]):
        image = np.ascontiguousarray(after)
        assert COLOUR.compare(PHOTOGRAPH, image) >= GREY.compare(PHOTOGRAPH, image) - 0.01


def test_a_shift_of_all_colours_leaves_the_grey_image_related() -> None:
    narrow = np.round(60 + 0.5 * PHOTOGRAPH).astype(np.uint8)
    shifted = narrow + np.array([7, 3, 0], dtype=np.uint8)
    found = colours_of(shifted) - colours_of(narrow)
    agreement = np.clip(1 - np.linalg.norm(found, axis=2) / 50, 0, 1).mean()
    changed = COLOUR.compare(narrow, shifted)
    assert changed == pytest.approx(1 - agreement, abs=2e-3)
    assert GREY.compare(narrow, shifted) > 5e-3, "rounded grey is not"


def test_a_distance_of_0_is_refused() -> None:
    with pytest.raises(UserError, match="lost: found 0"):
        ColourVifp(lost=0)

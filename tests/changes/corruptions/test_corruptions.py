"""What holds of every corruption: pure, reproducible, continuous, the identity at level 0."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.changes.corruptions.corruption import LEVELS, Corruption
from snellen.changes.corruptions.registry import (
    CORRUPTIONS,
    SETS,
    corruption,
)
from snellen.errors import UserError
from snellen.scenes.pictures import read_picture
from snellen.vision.arrays import Image
from snellen.vision.visual_change.measure import delta_v
from snellen.vision.visual_change.registry import visual_measure
from tests.changes.corruptions.photographs import photograph

NAMES = CORRUPTIONS.kinds()
WITHOUT_CHANCE = {
    *("gaussian_blur", "defocus_blur", "zoom_blur", "jpeg_compression", "pixelate"),
    *("brightness", "contrast", "saturate", "desaturate", "gamma", "darkness"),
}
IN_COLOUR = {"saturate", "desaturate", "rgb_shift", "color_jitter"}
"""Changes of colour, which a measure of the grey image sees by accident only."""
MAY_FALL = {"snow", "spatter", "jpeg_compression", "pixelate", "zoom_blur"}
"""Those whose visual change may fall by 0.01, the others by half of that: rounding."""
PHOTOGRAPH = photograph(1, 96, 131)


def moved(worse: Corruption, image: Image, low: float, high: float, seed: int = 3) -> float:
    """Mean absolute difference between two levels, in grey levels."""
    first, second = worse.change(image, low, seed), worse.change(image, high, seed)
    return float(np.abs(first.astype(int) - second).mean())


def test_the_names_are_those_users_know() -> None:
    assert len(SETS["imagenet-c"]) == 15
    assert len(SETS["imagenet-c-extra"]) == 4
    assert {*SETS["imagenet-c"], *SETS["imagenet-c-extra"]} < set(NAMES)
    assert all(corruption(name).name == name for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_level_0_is_the_image_itself_bit_for_bit(name: str) -> None:
    worse = corruption(name)
    case = worse.change(PHOTOGRAPH, 0.0, 5)
    assert np.array_equal(case, PHOTOGRAPH)
    assert case is not PHOTOGRAPH
    assert moved(worse, PHOTOGRAPH, 0, 1e-6) < 0.02, "a level just above 0 must not jump"


@pytest.mark.parametrize("name", NAMES)
def test_where_visual_change_starts_the_image_is_unchanged(name: str) -> None:
    worse = corruption(name)
    assert moved(worse, PHOTOGRAPH, 0, worse.start) < 0.01


@pytest.mark.parametrize("name", NAMES)
def test_a_little_more_level_changes_the_image_a_little(name: str) -> None:
    """Random fields are scaled, not drawn again: at all levels, and across every knot."""
    worse, step = corruption(name), 1e-4
    for level in [*np.linspace(0.02, 0.98, 13), *(knot - step / 2 for knot in LEVELS[1:6])]:
        assert moved(worse, PHOTOGRAPH, level, level + step) < 0.7, level


@pytest.mark.parametrize("name", NAMES)
def test_smaller_steps_make_smaller_changes(name: str) -> None:
    worse = corruption(name)
    for level in (0.11, 0.43, 0.9):
        far = moved(worse, PHOTOGRAPH, level, level + 0.05)
        near = moved(worse, PHOTOGRAPH, level, level + 0.001)
        assert near <= max(far / 3, 0.05), level


@pytest.mark.parametrize("name", NAMES)
def test_the_same_arguments_give_the_same_pixels_in_any_thread(name: str) -> None:
    worse = corruption(name)
    np.random.seed(1)  # noqa: NPY002 - nothing global may matter
    alone = worse.change(PHOTOGRAPH, 0.6, 7)
    before = PHOTOGRAPH.copy()
    with ThreadPoolExecutor(3) as threads:
        cases = list(threads.map(lambda _: worse.change(PHOTOGRAPH, 0.6, 7), range(4)))
    assert all(np.array_equal(case, alone) for case in cases)
    assert np.array_equal(before, PHOTOGRAPH), "the image handed in must stay as it was"


@pytest.mark.parametrize("name", NAMES)
def test_another_seed_gives_another_image_where_chance_plays_a_part(name: str) -> None:
    worse = corruption(name)
    first, second = (worse.change(PHOTOGRAPH, 0.6, seed) for seed in (1, 2))
    assert np.array_equal(first, second) == (name in WITHOUT_CHANCE)


@settings(max_examples=60)
@given(
    name=st.sampled_from(NAMES),
    height=st.integers(32, 90),
    width=st.integers(32, 90),
    level=st.floats(0, 1),
    seed=st.integers(0, 2**40),
)
def test_any_size_from_32_pixels_on_keeps_its_shape(
    name: str, height: int, width: int, level: float, seed: int
) -> None:
    image = photograph(seed % 7, height, width)
    case = corruption(name).change(image, level, seed)
    assert case.shape == image.shape
    assert case.dtype == np.uint8
    assert case.flags.c_contiguous


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("grey", [0, 255])
def test_black_and_white_images_have_no_nans_to_stumble_over(name: str, grey: int) -> None:
    image = np.full((40, 33, 3), grey, np.uint8)
    for level in (1e-9, 0.3, 1.0):
        assert corruption(name).change(image, level, 2).shape == image.shape


@pytest.mark.parametrize("name", sorted(set(NAMES) - IN_COLOUR))
def test_higher_severities_look_worse(name: str) -> None:
    """Visual change at the knots, between which the level leads from one setting to another."""
    likeness = visual_measure("vifp").against(photograph(2, 192, 256))
    worse = corruption(name)
    found = [likeness(worse.change(photograph(2, 192, 256), level, 4)) for level in LEVELS[:-1]]
    assert all(later < sooner + 0.01 for sooner, later in pairwise(found))
    assert found[5] < 0.9 * found[1]
    assert found[0] == pytest.approx(1)


def falls(name: str, image: Image, seed: int, steps: int) -> float:
    """The largest fall of visual change from a level to any higher one."""
    measure = "vifp_colour(sigma_nsq=0.4)" if name in IN_COLOUR else "vifp(sigma_nsq=0.4)"
    likeness, worse = visual_measure(measure).against(image), corruption(name)
    found = [
        delta_v(likeness(worse.change(image, level / steps, seed))) for level in range(steps + 1)
    ]
    return float((np.maximum.accumulate(found) - found).max())


@pytest.mark.parametrize("name", NAMES)
def test_visual_change_rises_with_the_level(name: str) -> None:
    allowed = 0.01 if name in MAY_FALL else 0.005
    assert falls(name, photograph(4, 120, 160), 1, 24) <= allowed


@pytest.mark.parametrize("name", NAMES)
def test_visual_change_rises_with_the_level_in_20_photographs(
    name: str, shared: Callable[[str], Path]
) -> None:
    allowed = 0.01 if name in MAY_FALL else 0.005
    for seed, file in enumerate(sorted(shared("coco_val64/images").glob("*.jpg"))[:60:3]):
        picture = read_picture(file)
        size = [side // 4 for side in picture.shape[1::-1]]
        image = np.ascontiguousarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
        assert falls(name, image, seed, 12) <= allowed, file.name


@pytest.mark.parametrize("name", NAMES)
def test_level_1_goes_beyond_severity_5(name: str) -> None:
    image = photograph(2, 192, 256)
    likeness = visual_measure("vifp_colour" if name in IN_COLOUR else "vifp").against(image)
    worse = corruption(name)
    last, before = likeness(worse.change(image, 1.0, 4)), likeness(worse.change(image, 5 / 6, 4))
    assert last < before or last == 0, "no colour is left to lose"
    assert last <= likeness(worse.at_severity(image, 5, 4))


def test_severities_out_of_order_stand_beside_the_levels() -> None:
    """Published settings are reached by severity, and by level where visual change rises."""
    apart = {name for name in NAMES if corruption(name).published}
    assert apart == {"saturate", "snow", "spatter", "fog", "frost"}
    for name in set(NAMES) - apart:
        worse = corruption(name)
        case = worse.at_severity(PHOTOGRAPH, 3, 4)
        assert np.array_equal(case, worse.change(PHOTOGRAPH, 0.5, 4))
    with pytest.raises(UserError, match="severity: found 6, expected an integer from 1 to 5"):
        corruption("fog").at_severity(PHOTOGRAPH, 6)


def test_what_cannot_be_corrupted_is_reported() -> None:
    frost = corruption("frost")
    with pytest.raises(UserError, match=r"level: found 1\.2, expected a number from 0"):
        frost.change(PHOTOGRAPH, 1.2)
    with pytest.raises(UserError, match="level: found nan"):
        frost.change(PHOTOGRAPH, float("nan"))
    with pytest.raises(UserError, match="seed: found -1"):
        frost.change(PHOTOGRAPH, 0.2, -1)
    with pytest.raises(UserError, match="found an image of 31 x 96 pixels, expected at least 32"):
        frost.change(PHOTOGRAPH[:, :31], 0.2)
    with pytest.raises(UserError, match=r"of shape .* and type float64"):
        frost.change(PHOTOGRAPH / 255.0, 0.2)  # type: ignore[arg-type]
    with pytest.raises(UserError, match="unknown corruption 'forst'; did you mean 'frost'"):
        corruption("forst")


def test_a_view_of_a_larger_image_is_as_good_as_a_copy() -> None:
    view = np.repeat(PHOTOGRAPH, 2, axis=1)[:, ::2]
    for name in NAMES:
        worse = corruption(name)
        assert np.array_equal(worse.change(view, 0.5, 1), worse.change(PHOTOGRAPH, 0.5, 1)), name

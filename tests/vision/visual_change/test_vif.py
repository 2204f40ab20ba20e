"""VIF against sewar's and against its definition, and on special images."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.signal import correlate2d

from snellen.errors import UserError
from snellen.scenes.pictures import read_picture
from snellen.vision.arrays import F64, AnyArray, Bytes
from snellen.vision.visual_change.grey_planes import grey
from snellen.vision.visual_change.measure import delta_v
from snellen.vision.visual_change.vif import SIGMA_NSQ, VifReference
from tests.vision.photographs import (
    blurred,
    faded,
    half_covered,
    levels,
    noisy,
    photograph,
)


def vifp(reference: AnyArray, image: AnyArray, sigma_nsq: float = SIGMA_NSQ) -> float:
    return VifReference(reference, sigma_nsq).vif(image)


def defined_vif(reference: Bytes, image: Bytes, sigma_nsq: float) -> float:
    """VIF from its formula, at the scales that fit a window."""
    kept = there = 0.0
    a, b = reference.astype(np.float64), image.astype(np.float64)
    for scale in (1, 2, 3, 4):
        size = 2 ** (5 - scale) + 1
        offsets = np.arange(size) - size // 2
        bell = np.exp(-(offsets[:, None] ** 2 + offsets**2) / (2 * (size / 5) ** 2))
        window = bell / bell.sum()

        def mean(values: F64, window: F64 = window) -> F64:
            return correlate2d(values, window, mode="valid")

        if scale > 1:
            if min(a.shape) < size or min(mean(a)[::2, ::2].shape) < size:
                break
            a, b = mean(a)[::2, ::2], mean(b)[::2, ::2]
        var_a, var_b = mean(a * a) - mean(a) ** 2, mean(b * b) - mean(b) ** 2
        shared = mean(a * b) - mean(a) * mean(b)
        gain = np.where((var_a < 1e-10) | (var_b < 1e-10), 0, shared / (var_a + 1e-10))
        rest = np.where(gain <= 0, var_b, var_b - gain * shared).clip(1e-10)
        gain = gain.clip(0)
        var_a = np.where(var_a < 1e-10, 0, var_a)
        kept += np.log2(1 + gain**2 * var_a / (rest + sigma_nsq)).sum()
        there += np.log2(1 + var_a / sigma_nsq).sum()
    return kept / there


CHANGES: dict[str, Callable[[Bytes], Bytes]] = {
    "noise": lambda image: noisy(image, 12),
    "blur": lambda image: blurred(image, 1.5),
    "less contrast": lambda image: faded(image, 0.6),
    "more contrast": lambda image: faded(image, -0.2),
    "negative": lambda image: np.asarray(255 - image, dtype=np.uint8),
    "half covered": half_covered,
    "brighter": lambda image: levels(image + 70.0),
}


@pytest.mark.parametrize("sigma_nsq", [2.0, 0.4])
@pytest.mark.parametrize("size", [(41, 41), (42, 57), (90, 43), (120, 161)])
def test_vif_is_that_of_sewar(size: tuple[int, int], sigma_nsq: float) -> None:
    sewar = pytest.importorskip("sewar", reason="sewar, the reference for VIF, is not installed")
    image = photograph(*size, channels=1)[..., 0]
    for name, change in CHANGES.items():
        changed = change(image)
        expected = sewar.vifp(image, changed, sigma_nsq)
        assert vifp(image, changed, sigma_nsq) == pytest.approx(expected, abs=1e-9), name


def test_vif_of_photographs_is_that_of_sewar(shared: Callable[[str], Path]) -> None:
    sewar = pytest.importorskip("sewar", reason="sewar, the reference for VIF, is not installed")
    paths = sorted(shared("coco_val64/images").iterdir())[:1]
    for path in paths:
        image = read_picture(path)[:200, :300]
        for name, change in CHANGES.items():
            changed = change(image)
            expected = sewar.vifp(grey(image), grey(changed), 0.4)
            assert vifp(image, changed, 0.4) == pytest.approx(expected, abs=1e-9), (path, name)


@pytest.mark.parametrize("size", [(17, 17), (17, 90), (24, 25), (32, 32), (40, 40), (41, 41)])
def test_a_small_image_is_compared_at_the_scales_it_has(size: tuple[int, int]) -> None:
    image = photograph(*size, channels=1)[..., 0]
    for name, change in CHANGES.items():
        changed = change(image)
        expected = defined_vif(image, changed, 2.0)
        assert vifp(image, changed) == pytest.approx(expected, abs=1e-9), name


@pytest.mark.parametrize(
    ("side", "scales"), [(17, 1), (24, 1), (25, 2), (32, 2), (33, 3), (40, 3), (41, 4)]
)
def test_how_many_scales_an_image_has(side: int, scales: int) -> None:
    assert len(VifReference(photograph(side, 100)).scales) == scales


def test_no_scale_fits_under_17_pixels() -> None:
    with pytest.raises(UserError, match=r"60 x 16 pixels; vifp needs at least 17 x 17"):
        vifp(photograph(16, 60), photograph(16, 60, seed=2))


def test_images_of_different_sizes_are_refused() -> None:
    with pytest.raises(UserError, match=r"reference is 50 x 60 pixels and the image 60 x 50"):
        vifp(photograph(60, 50), photograph(50, 60))


@pytest.mark.parametrize("sigma_nsq", [0.0, -1.0, float("nan"), float("inf")])
def test_noise_of_the_eye_without_a_variance_is_refused(sigma_nsq: float) -> None:
    with pytest.raises(UserError, match="sigma_nsq: found"):
        vifp(photograph(50, 50), photograph(50, 50), sigma_nsq)


def test_grey_is_of_red_green_and_blue_in_that_order() -> None:
    red, blue = np.zeros((2, 1, 1, 3), dtype=np.uint8)
    red[..., 0], blue[..., 2] = 255, 255
    assert grey(red) == 76
    assert grey(blue) == 29
    image = photograph(64, 64)
    assert vifp(image, noisy(image, 9)) != vifp(image[..., ::-1], noisy(image, 9)[..., ::-1])


def test_floats_and_bytes_of_one_image_agree() -> None:
    image, changed = photograph(64, 80), noisy(photograph(64, 80), 9)
    whole = vifp(image, changed)
    assert vifp(image.astype(np.float32), changed.astype(np.float64)) == pytest.approx(
        whole, abs=2e-3
    )
    plane = grey(image)
    assert vifp(plane.astype(np.uint8), grey(changed)) == whole


@pytest.mark.parametrize("level", [0, 1, 77, 128, 254, 255])
def test_an_image_of_one_grey_has_nothing_to_lose_but_its_flatness(level: int) -> None:
    flat = np.full((64, 64, 3), level, dtype=np.uint8)
    other = np.full((64, 64, 3), 255 - level, dtype=np.uint8)
    assert vifp(flat, flat) == 1
    assert vifp(flat, other) == 1
    assert vifp(flat, noisy(flat, 5)) == 0
    assert vifp(noisy(flat, 5), flat) == pytest.approx(0, abs=1e-9)


def test_flat_parts_say_nothing() -> None:
    image, changed = (np.full((120, 120), 250, dtype=np.uint8) for _ in range(2))
    image[40:60, 40:60] = photograph(20, 20, channels=1)[..., 0]
    changed[40:60, 40:60] = noisy(image[40:60, 40:60], 20)
    assert vifp(image, changed, 0.4) == pytest.approx(defined_vif(image, changed, 0.4), abs=1e-9)


def test_more_contrast_is_a_vif_above_1_and_no_visual_change() -> None:
    image = faded(photograph(80, 80), 0.5)
    vif = vifp(image, faded(image, -0.5))
    assert vif > 1.05
    assert delta_v(vif) == 0


def images(side: int = 48) -> st.SearchStrategy[Bytes]:
    return arrays.arrays(np.uint8, (side, side + 5, 3), fill=st.integers(0, 255))


@given(images(), images())
@settings(max_examples=60)
def test_delta_v_lies_between_0_and_1(reference: Bytes, image: Bytes) -> None:
    assert 0 <= delta_v(vifp(reference, image)) <= 1
    assert delta_v(vifp(reference, reference.copy())) == 0


@given(
    st.integers(0, 10_000), st.integers(41, 90), st.integers(41, 90), st.sampled_from([0.4, 2.0])
)
@settings(max_examples=25)
def test_a_reference_that_is_kept_gives_the_same_as_a_new_one(
    seed: int, height: int, width: int, sigma_nsq: float
) -> None:
    image = photograph(height, width, seed)
    kept = VifReference(image, sigma_nsq)
    for changed in (noisy(image, 5), blurred(image, 1), noisy(image, 5), image):
        assert kept.vif(changed) == vifp(image, changed, sigma_nsq)


@given(st.integers(0, 10_000), st.sampled_from([(41, 41), (57, 73), (89, 65)]))
@settings(max_examples=25)
def test_mirrored_images_differ_as_much(seed: int, size: tuple[int, int]) -> None:
    # For these sizes downsampling takes the same pixels from either end.
    image = photograph(*size, seed)
    changed = noisy(blurred(image, 0.8), 6, seed)
    straight = pytest.approx(vifp(image, changed), abs=1e-9)
    for axis in (0, 1):
        assert vifp(np.flip(image, axis), np.flip(changed, axis)) == straight
    assert vifp(image.swapaxes(0, 1), changed.swapaxes(0, 1)) == straight


@pytest.mark.parametrize(
    ("change", "most"), [(noisy, 60), (blurred, 6), (faded, 1)], ids=["noise", "blur", "contrast"]
)
@pytest.mark.parametrize("sigma_nsq", [2.0, 0.4])
def test_more_of_a_change_is_more_visual_change(
    change: Callable[[Bytes, float], Bytes], most: float, sigma_nsq: float
) -> None:
    for seed in range(4):
        image = photograph(96, 128, seed)
        reference = VifReference(image, sigma_nsq)
        changes = [
            delta_v(reference.vif(change(image, most * share))) for share in (0.1, 0.2, 0.4, 0.6, 1)
        ]
        assert changes == sorted(changes)
        assert changes[0] + 0.25 < changes[-1]

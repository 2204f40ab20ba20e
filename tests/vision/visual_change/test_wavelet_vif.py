"""The wavelet VIF: against its formulas written out slowly, closed forms, and a peer."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.errors import UserError
from snellen.vision.arrays import F64, AnyArray
from snellen.vision.visual_change.built_in_measures import Vifvec
from snellen.vision.visual_change.grey_planes import grey
from snellen.vision.visual_change.registry import visual_measure
from snellen.vision.visual_change.steerable_pyramid import oriented_bands, pyramid_filters
from snellen.vision.visual_change.wavelet_vif import (
    SIGMA_NSQ,
    WINDOWS,
    WaveletVifReference,
    block_covariance,
    level_count,
)
from tests.vision.photographs import blurred, faded, noisy, photograph


def vifvec(reference: AnyArray, image: AnyArray, sigma_nsq: float = SIGMA_NSQ) -> float:
    return WaveletVifReference(reference, sigma_nsq).vif(image)


def blocks_of(band: F64, step: int) -> F64:
    """(R, C, 9) the 3 x 3 blocks of a band, every step-th."""
    view = np.lib.stride_tricks.sliding_window_view(band, (3, 3))[::step, ::step]
    return view.reshape(*view.shape[:2], 9)


def defined_vif(reference: AnyArray, image: AnyArray, sigma_nsq: float) -> float:
    """VIF block by block from the formulas of the vector mixture model."""
    levels = level_count(*reference.shape[:2])
    pairs = [oriented_bands(grey(one).astype(np.float32), levels) for one in (reference, image)]
    kept = there = 0.0
    for place, bands in enumerate(zip(*pairs, strict=True)):
        window = WINDOWS[place // 2]
        rows, columns = (side // 3 for side in bands[0].shape)
        x, y = (one[: 3 * rows, : 3 * columns].astype(np.float64) for one in bands)
        covariance = np.cov(blocks_of(x, 1).reshape(-1, 9), rowvar=False, bias=True)
        inverse, eigenvalues = np.linalg.inv(covariance), np.linalg.eigvalsh(covariance)
        vectors = blocks_of(x, 3)
        border, half = int(np.ceil((window - 1) / 2 / 3)), window // 2
        for row in range(border, rows - border):
            for column in range(border, columns - border):
                down, across = 3 * row + 1, 3 * column + 1
                where = np.s_[down - half : down + half + 1, across - half : across + half + 1]
                gain, noise = channel(x[where], y[where])
                vector = vectors[row, column]
                scale = vector @ inverse @ vector / 9
                kept += np.log2(1 + gain**2 * scale * eigenvalues / (noise + sigma_nsq)).sum()
                there += np.log2(1 + scale * eigenvalues / sigma_nsq).sum()
    return kept / there


def channel(x: F64, y: F64) -> tuple[float, float]:
    """The gain and the noise of y = g x + v, by least squares about the means."""
    if x.var() * x.size < 1e-15:
        return 0.0, max(y.var(), 1e-15)
    if y.var() * y.size < 1e-15:
        return 0.0, 1e-15
    shared = ((x - x.mean()) * (y - y.mean())).mean()
    gain = shared / x.var()
    return (gain, max(y.var() - gain * shared, 1e-15)) if gain >= 0 else (0.0, y.var())


@pytest.mark.parametrize(
    "change", [lambda one: noisy(one, 12), lambda one: blurred(one, 1), lambda one: faded(one, 0.5)]
)
@pytest.mark.parametrize("size", [(76, 90), (40, 33), (24, 61)])
@pytest.mark.parametrize("sigma_nsq", [0.4, 2.0])
def test_it_is_what_the_formulas_say(
    change: object, size: tuple[int, int], sigma_nsq: float
) -> None:
    image = photograph(*size)
    changed = change(image)  # type: ignore[operator]
    expected = defined_vif(image, changed, sigma_nsq)
    assert vifvec(image, changed, sigma_nsq) == pytest.approx(expected, rel=1e-5)
    assert 0 < expected < 1


def test_an_inverted_part_keeps_nothing() -> None:
    image = photograph(76, 90)
    changed = image.copy()
    changed[:, 45:] = 255 - changed[:, 45:]
    expected = defined_vif(image, changed, SIGMA_NSQ)
    assert vifvec(image, changed) == pytest.approx(expected, rel=1e-5)
    assert vifvec(image, 255 - image) == pytest.approx(0, abs=1e-9)


def textured(side: int = 120, seed: int = 1) -> F64:
    rng = np.random.default_rng(seed)
    smooth = np.cumsum(np.cumsum(rng.normal(size=(side, side)), 0), 1)
    return np.asarray(128 + 40 * rng.normal(size=(side, side)) + smooth)


@given(st.floats(0.05, 3), st.floats(-80, 80))
@settings(max_examples=15, deadline=None)
def test_a_gain_has_a_closed_form_and_an_offset_changes_nothing(gain: float, offset: float) -> None:
    """With y = g x + c there is no noise: each eigenvalue counts log(1 + g^2 s^2 l / sigma^2)."""
    plane = textured()
    reference = WaveletVifReference(plane)
    kept = sum(
        np.log(1 + gain**2 * one.scale[..., None] * one.eigenvalues / SIGMA_NSQ).sum()
        for one in reference.bands
    )
    found = reference.vif(gain * plane + offset)
    assert found == pytest.approx(kept / reference.information, rel=2e-3)
    assert (found > 1) == (gain > 1 + 1e-3) or abs(gain - 1) < 2e-3


def band_energies(levels: int) -> list[float]:
    """The variance of each band of white noise of variance 1, from the taps."""
    filters = pyramid_filters()
    side = 256

    def spectrum(taps: F64, stretch: int) -> F64:
        padded = np.zeros((side, side))
        wide = np.zeros([stretch * (one - 1) + 1 for one in taps.shape])
        wide[::stretch, ::stretch] = taps
        padded[: wide.shape[0], : wide.shape[1]] = wide
        return np.abs(np.fft.fft2(padded)) ** 2

    passed, found = spectrum(filters.first_low, 1), []
    for level in range(levels):
        if level:
            passed = passed * spectrum(filters.low, 2 ** (level - 1))
        found += [float((passed * spectrum(filters.across, 2**level)).mean())] * 2
    return found


@pytest.mark.parametrize("variance", [20.0, 400.0, 5000.0])
def test_white_noise_on_a_known_mixture_gives_the_information_of_its_channel(
    variance: float,
) -> None:
    """Gain 1, and in each band the noise that its filter passes."""
    rng = np.random.default_rng(3)
    plane = 128 + 60 * rng.normal(size=(400, 400))
    reference = WaveletVifReference(plane)
    expected = sum(
        np.log(1 + one.scale[..., None] * one.eigenvalues / (variance * energy + SIGMA_NSQ)).sum()
        for one, energy in zip(reference.bands, band_energies(4), strict=True)
    )
    found = reference.vif(plane + np.sqrt(variance) * rng.normal(size=plane.shape))
    assert found == pytest.approx(expected / reference.information, abs=0.02)


def test_more_noise_leaves_less() -> None:
    image = photograph(120, 160).astype(np.float64)
    noise = np.random.default_rng(1).normal(size=image.shape)
    reference = WaveletVifReference(image)
    found = [reference.vif(image + scale * noise) for scale in (0, 1, 2, 5, 10, 20, 50, 100)]
    assert found[0] == 1
    assert all(one > other for one, other in pairwise(found))
    assert found[-1] < 0.1


def test_increased_contrast_is_no_visual_change() -> None:
    image = (photograph(90, 90) // 4 + 90).astype(np.uint8)
    sharper = np.clip(2 * image.astype(int) - 120, 0, 255).astype(np.uint8)
    assert vifvec(image, sharper) > 1
    assert Vifvec().compare(image, sharper) == 0


def test_the_covariance_is_that_of_all_overlapping_blocks() -> None:
    band = np.random.default_rng(2).normal(1, 3, size=(31, 44)).astype(np.float32)
    blocks = blocks_of(band[:30, :42].astype(np.float64), 1).reshape(-1, 9)
    expected = np.cov(blocks, rowvar=False, bias=True)
    assert block_covariance(band) == pytest.approx(expected, abs=1e-9)


def test_small_and_uniform_images() -> None:
    assert [level_count(side, 500) for side in (20, 21, 28, 29, 32, 33, 64, 65)] == [
        *(0, 1, 1, 2, 2, 3, 3, 4)
    ]
    with pytest.raises(UserError, match="vifvec needs at least 21 x 21"):
        vifvec(np.zeros((20, 90), np.uint8), np.zeros((20, 90), np.uint8))
    with pytest.raises(UserError, match="of the same size"):
        vifvec(np.zeros((40, 40), np.uint8), np.zeros((40, 41), np.uint8))
    flat, other = np.full((40, 40), 9, np.uint8), np.full((40, 40), 90, np.uint8)
    assert vifvec(flat, other) == 1
    assert vifvec(flat, photograph(40, 40)) == 0
    assert vifvec(photograph(40, 40), flat) == pytest.approx(0, abs=1e-9)


def test_its_name_holds_its_parameter() -> None:
    assert visual_measure("vifvec").identity == "vifvec(sigma_nsq=0.4)"
    with pytest.raises(UserError, match="sigma_nsq"):
        visual_measure("vifvec(sigma_nsq=0)")

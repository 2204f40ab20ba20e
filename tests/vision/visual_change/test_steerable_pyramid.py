"""The bands of the steerable pyramid: response, energy, and the published implementation."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.vision.arrays import F64
from snellen.vision.visual_change.steerable_pyramid import oriented_bands, pyramid_filters
from tests.vision.photographs import photograph

SIDE = 128


def response(taps: F64) -> F64:
    """The magnitude of a filter's response by frequency, (SIDE, SIDE)."""
    padded = np.zeros((SIDE, SIDE))
    padded[: taps.shape[0], : taps.shape[1]] = taps
    return np.abs(np.fft.fft2(padded))


def test_low_pass_filters_keep_the_mean_and_bands_lose_it() -> None:
    filters = pyramid_filters()
    assert filters.first_low.sum() == pytest.approx(1, abs=1e-3)
    assert filters.low.sum() == pytest.approx(2, abs=1e-6)
    assert filters.across.sum() == pytest.approx(0, abs=1e-12)
    for taps in (filters.first_low, filters.low):
        assert (taps == taps.T).all()
        assert (taps == taps[::-1, ::-1]).all()
    assert (filters.across == -filters.across[:, ::-1]).all()
    assert (filters.across == filters.across[::-1]).all()


def test_a_band_responds_most_to_its_own_direction_at_half_the_highest_frequency() -> None:
    across = response(pyramid_filters().across)
    row, column = np.unravel_index(across[: SIDE // 2, : SIDE // 2].argmax(), (SIDE // 2,) * 2)
    assert row == 0
    assert column == pytest.approx(SIDE // 4, abs=2)
    assert across[:, 0].max() < 1e-9


def test_the_squared_responses_of_a_level_sum_to_what_it_was_given() -> None:
    """Six directions go with cos^5 of the angle; filters of 7 x 7 taps do so within 16%."""
    filters = pyramid_filters()
    along = np.arange(2, SIDE // 4)
    directions = np.cos(np.arange(6) * np.pi / 6) ** 10
    bands = response(filters.across)[0, along] ** 2 * directions.sum()
    total = bands + response(filters.low)[0, along] ** 2 / 4
    assert total == pytest.approx(np.ones(len(along)), abs=0.16)
    assert total.mean() == pytest.approx(1, abs=0.07)


def test_coefficients_double_with_every_level() -> None:
    """A slow ramp has the same slope everywhere: twice as steep per sample, twice the gain."""
    ramp = np.tile(np.arange(160.0, dtype=np.float32), (160, 1))
    across, down = (list(oriented_bands(ramp, 4))[start::2] for start in (0, 1))
    slopes = [float(band[band.shape[0] // 2, band.shape[1] // 2]) for band in across]
    assert slopes[1:] == pytest.approx([4 * one for one in slopes[:-1]], rel=2e-3)
    assert max(abs(band).max() for band in down) < 1e-3


@pytest.mark.parametrize("size", [(75, 92), (96, 64)])
def test_the_bands_are_those_of_the_published_toolbox(size: tuple[int, int]) -> None:
    pyrtools = pytest.importorskip("pyrtools", reason="the reference implementation")
    image = photograph(*size)[..., 1].astype(np.float64)
    found = pyrtools.pyramids.SteerablePyramidSpace(image, height=3, order=5).pyr_coeffs
    ours = list(oriented_bands(image.astype(np.float32), 3))
    for place, band in enumerate(ours):
        level, direction = divmod(place, 2)
        theirs = found[level, 3 * direction]
        assert band.shape == theirs.shape
        sign = 1 if np.vdot(band, theirs) > 0 else -1
        assert np.abs(band - sign * theirs).max() < 2e-3 * np.abs(theirs).max()

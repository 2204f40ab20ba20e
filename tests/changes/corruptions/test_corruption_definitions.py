"""Each published severity against its definition, computed here plainly and slowly."""

from __future__ import annotations

import colorsys
import io

import numpy as np
import pytest
from PIL import Image as Pillow
from scipy import ndimage

from snellen.changes.corruptions.fog import AIR, HORIZON, NEAREST, distances
from snellen.changes.corruptions.registry import corruption
from snellen.vision.arrays import Image
from snellen.vision.visual_change.registry import visual_measure
from tests.changes.corruptions.photographs import photograph

SMALL = photograph(3, 45, 57)


def at_severity(name: str, severity: int, image: Image = SMALL, seed: int = 9) -> Image:
    return corruption(name).at_severity(image, severity, seed)


def off(case: Image, expected: np.ndarray) -> float:
    return float(np.abs(case.astype(np.float64) - np.clip(expected, 0, 255)).max())


def by_hsv(image: Image, change: object) -> np.ndarray:
    out = np.empty(image.shape)
    for place in np.ndindex(image.shape[:2]):
        hsv = colorsys.rgb_to_hsv(*(image[place] / 255))
        out[place] = colorsys.hsv_to_rgb(*change(*hsv))  # type: ignore[operator]
    return 255 * out


@pytest.mark.parametrize(("severity", "rise"), list(enumerate([0.1, 0.2, 0.3, 0.4, 0.5], 1)))
def test_brightness_raises_the_value_and_keeps_the_hue(severity: int, rise: float) -> None:
    expected = by_hsv(SMALL, lambda h, s, v: (h, s, min(v + rise, 1)))
    assert off(at_severity("brightness", severity), expected) <= 0.51


@pytest.mark.parametrize(
    ("severity", "factor", "added"),
    [(1, 0.3, 0), (2, 0.1, 0), (3, 2, 0), (4, 5, 0.1), (5, 20, 0.2)],
)
def test_saturate_changes_the_saturation_alone(severity: int, factor: float, added: float) -> None:
    image = SMALL.copy()
    image[:4] = image[:4, :, :1]  # greys, which HSV counts as reds
    expected = by_hsv(image, lambda h, s, v: (h, min(s * factor + added, 1), v))
    assert off(at_severity("saturate", severity, image), expected) <= 0.51


@pytest.mark.parametrize(("severity", "left"), list(enumerate([0.4, 0.3, 0.2, 0.1, 0.05], 1)))
def test_contrast_draws_each_channel_to_its_mean(severity: int, left: float) -> None:
    means = SMALL.mean(axis=(0, 1))
    assert off(at_severity("contrast", severity), (SMALL - means) * left + means) <= 0.51


@pytest.mark.parametrize(("severity", "quality"), list(enumerate([25, 18, 15, 10, 7], 1)))
def test_jpeg_is_what_pillow_writes_at_that_quality(severity: int, quality: int) -> None:
    buffer = io.BytesIO()
    Pillow.fromarray(SMALL).save(buffer, "JPEG", quality=quality)
    assert np.array_equal(at_severity("jpeg_compression", severity), np.array(Pillow.open(buffer)))


@pytest.mark.parametrize(("severity", "share"), list(enumerate([0.6, 0.5, 0.4, 0.3, 0.25], 1)))
@pytest.mark.parametrize("shape", [(45, 57), (57, 45), (64, 96)])
def test_pixelate_has_the_published_number_of_pixels(
    severity: int, share: float, shape: tuple[int, int]
) -> None:
    image = photograph(4, *shape)
    small = (int(shape[1] * share), int(shape[0] * share))
    coarse = Pillow.fromarray(image).resize(small, Pillow.Resampling.BOX)
    expected = np.array(coarse.resize(shape[::-1], Pillow.Resampling.NEAREST))
    assert np.array_equal(at_severity("pixelate", severity, image), expected)


@pytest.mark.parametrize(
    ("severity", "radius", "softening"),
    [(1, 3, 0.1), (2, 4, 0.5), (3, 6, 0.5), (4, 8, 0.5), (5, 10, 0.5)],
)
def test_defocus_is_the_mean_over_a_disc(severity: int, radius: int, softening: float) -> None:
    """The published kernel: a disc on its own grid, with a rim softened within that grid."""
    half = max(radius, 8)
    rows, columns = np.mgrid[-half : half + 1, -half : half + 1]
    disc = (rows**2 + columns**2 <= radius**2).astype(float)
    reach = 2 if radius > 8 else 1
    taps = np.exp(-(np.arange(-reach, reach + 1) ** 2) / (2 * softening**2))
    taps /= taps.sum()
    for axis in (0, 1):
        disc = ndimage.correlate1d(disc, taps, axis=axis, mode="mirror")
    kernel = disc / (rows**2 + columns**2 <= radius**2).sum()
    image = SMALL.astype(np.float64)
    expected = np.dstack(
        [ndimage.correlate(image[..., c], kernel, mode="mirror") for c in range(3)]
    )
    assert off(at_severity("defocus_blur", severity), expected) <= 1.5


@pytest.mark.parametrize(("severity", "sigma"), list(enumerate([1, 2, 3, 4, 6], 1)))
def test_gaussian_blur_has_the_published_width(severity: int, sigma: float) -> None:
    image = photograph(5, 90, 111)
    expected = ndimage.gaussian_filter(image.astype(float), (sigma, sigma, 0), mode="nearest")
    assert off(at_severity("gaussian_blur", severity, image), expected) <= 2.5


def test_a_wide_blur_does_not_jump_where_it_begins_to_be_done_at_a_smaller_size() -> None:
    from snellen.changes.corruptions.blur import smooth

    image = photograph(6, 131, 90)
    for sigma in (5, 10):
        below, above = smooth(image, sigma - 1e-6), smooth(image, sigma)
        assert np.abs(below.astype(int) - above).max() <= 3


GREY = np.full((200, 220, 3), 128, np.uint8)


@pytest.mark.parametrize(("severity", "spread"), list(enumerate([0.08, 0.12, 0.18], 1)))
def test_gaussian_noise_has_the_published_deviation(severity: int, spread: float) -> None:
    noise = at_severity("gaussian_noise", severity, GREY).astype(float) - 128
    assert abs(noise.mean()) < 0.5
    expected = np.clip(np.random.default_rng(1).normal(0, spread * 255, 10**6), -128, 127).std()
    assert noise.std() == pytest.approx(expected, rel=0.01)
    neighbours = np.corrcoef(noise[:, 1:].ravel(), noise[:, :-1].ravel())[0, 1]
    assert abs(neighbours) < 0.02


@pytest.mark.parametrize("grey", [20, 128, 200])
@pytest.mark.parametrize(("severity", "white"), [(1, 60), (3, 12), (5, 3)])
def test_shot_noise_counts_photons(severity: int, white: int, grey: int) -> None:
    image = np.full_like(GREY, grey)
    found = at_severity("shot_noise", severity, image).astype(float)
    counts = np.random.default_rng(2).poisson(grey / 255 * white, 400_000)
    expected = np.clip(counts * 255 / white, 0, 255)
    assert found.mean() == pytest.approx(expected.mean(), abs=0.02 * expected.std() + 0.5)
    assert found.std() == pytest.approx(expected.std(), rel=0.02)
    steps = np.unique(np.rint(np.clip(np.arange(4 * white) * 255 / white, 0, 255)))
    assert all(np.abs(steps - value).min() <= 1 for value in np.unique(found))


def test_shot_noise_below_severity_1_has_the_variance_of_more_photons() -> None:
    found = corruption("shot_noise").change(GREY, 1 / 12, 3).astype(float)
    assert found.std() == pytest.approx(255 * np.sqrt(128 / 255 / 120), rel=0.03)


@pytest.mark.parametrize(("severity", "share"), list(enumerate([0.03, 0.06, 0.09, 0.17, 0.27], 1)))
def test_impulse_noise_strikes_the_published_share(severity: int, share: float) -> None:
    found = at_severity("impulse_noise", severity, GREY)
    for value in (0, 255):
        assert (found == value).mean() == pytest.approx(share / 2, abs=0.003)
    assert (found == 128).mean() == pytest.approx(1 - share, abs=0.005)


def test_what_impulse_noise_struck_stays_struck_at_higher_levels() -> None:
    low, high = (corruption("impulse_noise").change(GREY, level, 1) for level in (0.4, 0.7))
    assert np.array_equal(low[low != 128], high[low != 128])


@pytest.mark.parametrize(("severity", "spread"), [(1, 0.15), (3, 0.35)])
def test_speckle_noise_grows_with_the_value(severity: int, spread: float) -> None:
    for grey in (50, 100):
        found = at_severity("speckle_noise", severity, np.full_like(GREY, grey)).astype(float)
        assert (found - grey).std() == pytest.approx(spread * grey, rel=0.02)


def test_fog_thickens_with_distance_as_by_beer_and_lambert() -> None:
    """Light is left as exp(-thickness), which patches vary by a quarter; the rest is air."""
    dark = np.zeros((200, 64, 3), np.uint8)
    depth = corruption("fog").settings(0.5)[0]
    white = corruption("fog").change(dark, 0.5, 3)[..., 0] / AIR[0]
    thickness = -np.log(1 - white.mean(axis=1))
    horizon = int(200 * HORIZON)
    assert thickness[:horizon].mean() == pytest.approx(depth, rel=0.25)
    assert thickness[-1] == pytest.approx(NEAREST * depth, rel=0.35)
    assert (np.diff(thickness[horizon + 20 :: 20]) < 0).all()
    assert distances(200)[:horizon].min() == 1
    assert (np.diff(distances(200)) <= 0).all()


def test_thick_fog_is_the_colour_of_air() -> None:
    thick = corruption("fog").change(SMALL, 1.0, 1)
    assert np.abs(thick[:5].astype(int) - np.array(AIR)).max() < 4


def test_frost_is_less_pale_than_as_published() -> None:
    """At a visual change that both make, fewer pixels are washed out to white."""
    image = photograph(1, 160, 200)
    frost, likeness = corruption("frost"), visual_measure("vifp").against(image)
    published = frost.at_severity(image, 3, 2)
    levels = np.linspace(0, 1, 41)
    own = min(
        (frost.change(image, float(level), 2) for level in levels),
        key=lambda case: abs(likeness(case) - likeness(published)),
    )
    assert abs(likeness(own) - likeness(published)) < 0.03
    assert (own > 240).mean() < 0.2 * (published > 240).mean()

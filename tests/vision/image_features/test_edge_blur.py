"""The blur of edges is measured whatever their contrast, and detail falls with blur and size."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from scipy.special import ndtr

from snellen.objects.cutouts.quality import detail
from snellen.vision.image_features.edge_blur import blur_of_crests, edge_blur
from snellen.vision.image_features.edge_crests import crests_of


def blocks(low: int, high: int, side: int = 120) -> np.ndarray:
    """A chequerboard of squares of 20 pixels."""
    rows, columns = np.indices((side, side)) // 20
    grey = np.where((rows + columns) % 2, low, high).astype(np.uint8)
    return np.dstack([grey] * 3)


@pytest.mark.parametrize("sigma", [1.5, 3.0])
@pytest.mark.parametrize(("low", "high"), [(0, 255), (100, 180)])
def test_a_known_blur_is_measured_whatever_the_contrast(sigma: float, low: int, high: int) -> None:
    soft = cv2.GaussianBlur(blocks(low, high), (0, 0), sigma)
    assert edge_blur(soft, np.ones((120, 120), bool)) == pytest.approx(sigma, rel=0.3)


def edges(sigma: float, degrees: float, contrast: float, noise: float, *, many: bool) -> np.ndarray:
    """A step, or one every 24 pixels, as the integral of a Gaussian; exact, without a filter."""
    rows, columns = np.indices((120, 120)) - 59.7
    angle = np.deg2rad(degrees)
    across = columns * np.cos(angle) + rows * np.sin(angle)
    steps = 24 * np.arange(-4, 5) if many else np.zeros(1)
    height = sum((-1) ** n * ndtr((across - step) / sigma) for n, step in enumerate(steps))
    grain = np.random.default_rng(round(degrees)).normal(0, noise, across.shape)
    grey = 128 + contrast * (height - 0.5) + grain
    return np.dstack([np.clip(np.rint(grey), 0, 255).astype(np.uint8)] * 3)


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("sigma", [0.7, 1, 1.4, 1.6, 2, 3, 4])
def test_a_lone_edge_is_as_blurred_as_many_in_any_direction_contrast_and_noise(
    sigma: float, many: bool
) -> None:
    """Pixels beside a lone edge once made it seem 31 pixels wide, noise a wide one sharp."""
    whole = np.ones((120, 120), bool)
    for noise in (0, 0.03, 0.07):
        for contrast in (40, 80, 210):
            for degrees in (0, 10, 27, 45, 90):
                seen = edges(sigma, degrees, contrast, noise * contrast, many=many)
                assert edge_blur(seen, whole) == pytest.approx(sigma, rel=0.3)


@pytest.mark.parametrize("sigma", [1.0, 2.0])
def test_faint_texture_beside_an_edge_does_not_hide_its_blur(sigma: float) -> None:
    rng = np.random.default_rng(3)
    texture = cv2.GaussianBlur(rng.normal(0, 1, (120, 120)), (0, 0), float(np.hypot(1, sigma)))
    seen = edges(sigma, 20, 150, 2, many=False) + (9 * texture / texture.std())[..., None]
    seen = np.clip(np.rint(seen), 0, 255).astype(np.uint8)
    assert edge_blur(seen, np.ones((120, 120), bool)) == pytest.approx(sigma, rel=0.3)


def test_close_sharp_edges_are_not_taken_for_wide_ones() -> None:
    """After the coarse blur, stripes of 5 pixels run into each other."""
    rows, columns = np.indices((120, 120))
    for across in (columns, rows, columns + rows):
        stripes = cv2.GaussianBlur(np.where(across // 5 % 2, 60.0, 200.0), (0, 0), 0.8)
        seen = np.dstack([np.rint(stripes).astype(np.uint8)] * 3)
        assert edge_blur(seen, np.ones((120, 120), bool)) == pytest.approx(0.8, rel=0.3)


def test_only_the_pixels_that_count_are_looked_at() -> None:
    """Each half by itself, and the same from the crests of the whole picture."""
    left, right = edges(1, 0, 150, 1, many=False), edges(2.5, 0, 150, 1, many=False)
    both, half = np.hstack([left, right]), np.ones((120, 110), bool)
    crests = crests_of(both)
    for start, sigma in ((5, 1), (125, 2.5)):
        inside = np.zeros(both.shape[:2], bool)
        inside[:, start : start + 110] = True
        found = edge_blur(both, inside)
        assert found == pytest.approx(sigma, rel=0.2)
        assert blur_of_crests(crests, half, 0, start) == found


@pytest.mark.parametrize("added", [1.0, 2.0])
def test_a_blur_adds_its_square_to_a_sharp_picture(added: float) -> None:
    sharp = cv2.GaussianBlur(blocks(60, 200), (0, 0), 0.7)
    soft = cv2.GaussianBlur(sharp, (0, 0), added)
    whole = np.ones((120, 120), bool)
    before, after = edge_blur(sharp, whole), edge_blur(soft, whole)
    assert before is not None
    assert after is not None
    assert after**2 - before**2 == pytest.approx(added**2, rel=0.2)


def test_a_plain_surface_has_no_edges() -> None:
    plain = np.full((40, 40, 3), 90, np.uint8)
    assert edge_blur(plain, np.ones((40, 40), bool)) is None
    assert edge_blur(blocks(0, 255), np.zeros((120, 120), bool)) is None


def test_detail_falls_with_blur_and_with_size_and_not_with_enlargement() -> None:
    def of(pixels: np.ndarray) -> float:
        return detail(np.dstack([pixels, np.full(pixels.shape[:2], 255, np.uint8)]))

    photograph = cv2.GaussianBlur(blocks(20, 230), (0, 0), 1.0)
    assert of(cv2.GaussianBlur(photograph, (0, 0), 2.0)) < 0.6 * of(photograph)
    assert of(photograph[:60, :60]) < 0.6 * of(photograph)
    enlarged = cv2.resize(photograph, (240, 240), interpolation=cv2.INTER_LINEAR)
    assert of(enlarged) == pytest.approx(of(photograph), rel=0.25)

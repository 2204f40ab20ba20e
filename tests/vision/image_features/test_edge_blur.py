"""The blur of edges is measured whatever their contrast, and detail falls with blur and size."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from snellen.objects.cutouts.quality import detail
from snellen.vision.image_features.edge_blur import edge_blur


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


@pytest.mark.parametrize("sigma", [1.0, 1.5, 2.0, 3.0])
@pytest.mark.parametrize("noise", [0.0, 3.0])
def test_a_lone_edge_is_as_blurred_as_many(sigma: float, noise: float) -> None:
    """Pixels beside an edge would make it seem 30 pixels wide."""
    lone = np.full((200, 200, 3), 40.0, np.float32)
    lone[:, 100:] = 200
    soft = cv2.GaussianBlur(lone, (0, 0), sigma)
    grain = np.random.default_rng(1).normal(0, noise, soft.shape[:2])
    seen = np.clip(np.round(soft + grain[..., None]), 0, 255).astype(np.uint8)
    assert edge_blur(seen, np.ones((200, 200), bool)) == pytest.approx(sigma, rel=0.15)


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

"""Measures of realism against independent references."""

from __future__ import annotations

import numpy as np
import pytest
from experiments.multitest.realism import (
    STEP,
    depth_profile,
    earth_movers,
    frechet_distance,
    jensen_shannon,
    local_density,
    profile_of,
    range_band,
    scaled_by,
    visibility_gap,
)
from experiments.multitest.realism_patches import image_patches, range_patches
from hypothesis import given
from hypothesis import strategies as st
from scipy.linalg import sqrtm
from scipy.spatial.distance import jensenshannon
from scipy.stats import wasserstein_distance

SEEDS = st.integers(0, 2**31)


def _by_sqrtm(a: np.ndarray, b: np.ndarray) -> float:
    one, two = np.cov(a.T, bias=True), np.cov(b.T, bias=True)
    gap = a.mean(axis=0) - b.mean(axis=0)
    return float(gap @ gap + np.trace(one + two - 2 * np.real(sqrtm(one @ two))))


@given(SEEDS, st.integers(2, 8))
def test_frechet_is_what_the_matrix_root_of_scipy_gives(seed: int, width: int) -> None:
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(40, width)) @ rng.normal(size=(width, width))
    b = rng.normal(size=(25, width)) @ rng.normal(size=(width, width)) + rng.normal(size=width)
    assert frechet_distance(a, b) == pytest.approx(_by_sqrtm(a, b), rel=1e-5, abs=1e-6)


def test_frechet_of_normals_with_known_parameters_is_the_closed_form() -> None:
    steps = np.linspace(-1, 1, 1001)
    a = (steps / steps.std())[:, None]
    b = 3.0 * a + 2.0
    # (2 - 0)^2 + (3 - 1)^2, of standard deviations 1 and 3.
    assert frechet_distance(a, b) == pytest.approx(8.0)


@given(SEEDS)
def test_frechet_is_symmetric_and_0_for_the_same_sample_even_with_fewer_samples_than_features(
    seed: int,
) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=(6, 20)), rng.normal(size=(5, 20))
    assert frechet_distance(a, b) == pytest.approx(frechet_distance(b, a), rel=1e-6)
    assert frechet_distance(a, a[::-1]) == pytest.approx(0.0, abs=1e-6)


def test_samples_of_different_features_or_with_nan_are_refused() -> None:
    with pytest.raises(ValueError, match="shapes"):
        frechet_distance(np.zeros((3, 2)), np.zeros((3, 4)))
    with pytest.raises(ValueError, match="finite"):
        frechet_distance(np.full((3, 2), np.nan), np.zeros((3, 2)))


def test_scaling_makes_units_irrelevant_and_leaves_constant_features_out() -> None:
    rng = np.random.default_rng(3)
    real, made = rng.normal(size=(50, 3)), rng.normal(size=(30, 3)) + 1
    units = np.array([1000.0, 0.001, 1.0])
    plain = frechet_distance(scaled_by(real, real), scaled_by(real, made))
    other = frechet_distance(
        scaled_by(real * units, real * units), scaled_by(real * units, made * units)
    )
    assert plain == pytest.approx(other)
    real[:, 1] = 7.0
    assert not scaled_by(real, made)[:, 1].any()


@given(SEEDS)
def test_distances_of_histograms_are_those_of_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.integers(0, 5, (2, 20)) + np.eye(20, dtype=np.int64)[0]
    middles = (np.arange(20) + 0.5) * STEP
    assert jensen_shannon(a, b) == pytest.approx(jensenshannon(a, b, base=2), abs=1e-9)
    assert earth_movers(a, b) == pytest.approx(wasserstein_distance(middles, middles, a, b))


def test_an_empty_histogram_has_no_distance() -> None:
    assert np.isnan(jensen_shannon([0, 0], [1, 0]))
    assert np.isnan(earth_movers([0, 0], [1, 0]))


@given(SEEDS)
def test_local_density_is_that_of_all_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.uniform(0, 1, (60, 4)) + np.array([12, 3, -1, 0])
    apart = np.linalg.norm(points[:, None, :3] - points[None, :, :3], axis=2)
    counts = (apart <= 0.3).sum(axis=1) - 1
    ranges = np.linalg.norm(points[:, :3], axis=1)
    assert local_density(points) == pytest.approx((counts * (ranges / 10) ** 2).mean())
    assert local_density(np.zeros((0, 4))) == 0.0


def test_a_profile_goes_by_depth_and_not_by_range_and_each_thing_weighs_the_same() -> None:
    thing = np.array([[10.0, 0, 0], [10.1, 0, 0], [11.1, 0, 0], [30, 0, 0]])
    profile = depth_profile(thing)
    assert profile[[0, 4, 19]].tolist() == [2, 1, 1]
    assert profile.sum() == 4
    assert np.array_equal(depth_profile(thing + np.array([20, 0, 0])), profile)
    many = np.tile([[5.0, 0, 0]], (100, 1))
    assert profile_of([thing, many, np.zeros((0, 3))])[0] == pytest.approx((0.5 + 1.0) / 2)


def test_bands_are_half_open_and_end() -> None:
    assert [range_band(x) for x in (0, 9.99, 10, 69.9, 70, 200)] == [0, 0, 1, 4, None, None]
    assert visibility_gap(0.2, 0.9) == pytest.approx(0.7)


def test_a_patch_encodes_colour_and_direction() -> None:
    image = np.zeros((80, 80, 3), np.uint8)
    image[:, ::8] = 255
    image[..., 2] = 51
    [*patches] = image_patches(image, (16, 16, 64, 64))
    assert len(patches) == 16
    for one in patches:
        assert one[2] == pytest.approx(0.2, abs=0.01)
        assert one[5] == pytest.approx(0, abs=0.01)
        assert one[6:14].argmax() == 0
        assert one[6:14].sum() == pytest.approx(1)
    turned = image_patches(image.transpose(1, 0, 2).copy(), (16, 16, 64, 64))
    assert (turned[:, 6:14].argmax(axis=1) == 4).all()


def test_a_box_outside_of_the_image_gives_no_patches() -> None:
    image = np.zeros((50, 50, 3), np.uint8)
    assert image_patches(image, (80, 10, 90, 20)).shape == (0, 15)
    assert range_patches(np.zeros((4, 4)), np.zeros((0, 3))).shape == (0, 9)


def _wall(distance: float) -> np.ndarray:
    azimuth, elevation = np.meshgrid(
        np.radians(np.arange(-8, 8, 0.2) + 0.1), np.radians(np.arange(-8, 4, 0.42) + 0.2)
    )
    x = np.full(azimuth.size, distance)
    y, z = distance * np.tan(azimuth.ravel()), distance / np.cos(azimuth.ravel())
    return np.column_stack([x, y, z * np.tan(elevation.ravel()), np.full(x.size, 0.3)])


def test_returns_that_shine_through_an_object_are_detected() -> None:
    wall = _wall(30.0)
    thing = wall[(np.abs(wall[:, 1]) < 1.5) & (np.abs(wall[:, 2] + 1) < 1)].copy()
    thing[:, :3] *= 0.5
    hidden = (np.abs(wall[:, 1]) < 1.5) & (np.abs(wall[:, 2] + 1) < 1)
    right = range_patches(np.vstack([wall[~hidden], thing]), thing)
    wrong = range_patches(np.vstack([wall, thing]), thing)
    assert right[:, 6].max() == 0
    assert wrong[:, 6].max() > 0.1
    assert wrong[:, 5].max() > right[:, 5].max()
    assert frechet_distance(scaled_by(wrong, right), scaled_by(wrong, wrong)) > 0


def test_range_patches_do_not_depend_on_where_the_thing_is_seen() -> None:
    wall = _wall(20.0)
    thing = wall[np.abs(wall[:, 1]) < 1.0]
    turn = np.pi - 0.01  # Behind, where azimuth leaps.
    across = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    turned = wall.copy()
    turned[:, :2] = wall[:, :2] @ across.T
    there = turned[np.abs(wall[:, 1]) < 1.0]
    one, two = range_patches(wall, thing), range_patches(turned, there)
    assert min(len(one), len(two)) > 20
    assert one[:, [0, 1, 4]].mean(axis=0) == pytest.approx(two[:, [0, 1, 4]].mean(axis=0), abs=0.05)

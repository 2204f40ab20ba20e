"""The smoothing spline against scipy's, and its choice of smoothness against brute force."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import BSpline, make_smoothing_spline

from snellen.methods.human.procedures.smoothing_spline import (
    SPAR,
    SmoothingSpline,
    knot_count,
)


def points(seed: int, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = np.sort(rng.choice(np.arange(1, 101), count, replace=False)) / 100
    y = 0.97 - 0.6 * np.clip(x - 0.6, 0, None) + rng.normal(0, 0.03, count)
    return x, y, rng.uniform(0.5, 4, count)


@given(st.integers(0, 10_000), st.integers(5, 49), st.floats(0.2, 1.3), st.booleans())
def test_below_50_points_it_is_the_natural_smoothing_spline(
    seed: int, count: int, spar: float, weighted: bool
) -> None:
    x, y, weights = points(seed, count)
    ours = SmoothingSpline(x, weights if weighted else None)
    scaled = (x - x[0]) / (x[-1] - x[0])
    reference = make_smoothing_spline(
        scaled, y, weights if weighted else None, lam=ours.penalty(spar)
    )
    assert np.allclose(ours.at(y, spar), reference(scaled), atol=1e-6)


@pytest.mark.parametrize("count", [60, 89])
@pytest.mark.parametrize("spar", [0.2, 0.6, 1.0])
def test_from_50_points_on_it_is_a_penalised_fit_with_fewer_knots(count: int, spar: float) -> None:
    x, y, _ = points(1, count)
    ours = SmoothingSpline(x)
    scaled = (x - x[0]) / (x[-1] - x[0])
    places = np.floor(np.linspace(0, count - 1, knot_count(count)) + 1e-9).astype(int)
    knots = np.r_[0, 0, 0, scaled[places], 1, 1, 1]
    basis = BSpline.design_matrix(scaled, knots, 3).toarray()
    fine = np.linspace(0, 1, 40_001)[:-1] + 0.5 / 40_000
    bends = BSpline(knots, np.eye(basis.shape[1]), 3)(fine, nu=2)
    penalty = bends.T @ bends / 40_000
    inner = slice(2, basis.shape[1] - 3)
    ratio = np.trace((basis.T @ basis)[inner, inner]) / np.trace(penalty[inner, inner])
    weight = ratio * 256 ** (3 * spar - 1)
    fit = basis @ np.linalg.solve(basis.T @ basis + weight * penalty, basis.T @ y)
    assert np.allclose(ours.at(y, spar), fit, atol=1e-4)


def left_out(x: np.ndarray, y: np.ndarray, weight: float) -> float:
    scaled = (x - x[0]) / (x[-1] - x[0])
    errors = []
    for out in range(len(x)):
        rest = np.arange(len(x)) != out
        fit = make_smoothing_spline(scaled[rest], y[rest], lam=weight)
        errors.append((y[out] - fit(scaled[out])) ** 2)
    return float(np.mean(errors))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_smoothness_predicts_left_out_points_better_than_its_neighbours(seed: int) -> None:
    x, y, _ = points(seed, 30)
    ours = SmoothingSpline(x)
    fitted = ours.fitted(y)
    spars = np.linspace(0, SPAR[1], 61)
    nearest = spars[np.argmin([np.abs(ours.at(y, one) - fitted).max() for one in spars])]
    here, low, high = (
        left_out(x, y, ours.penalty(one)) for one in (nearest, nearest - 0.15, nearest + 0.15)
    )
    assert here <= low + 1e-9
    assert here <= high + 1e-9 or nearest > SPAR[1] - 0.1


def test_a_straight_line_is_kept() -> None:
    x = np.linspace(0.01, 1, 70)
    assert np.allclose(SmoothingSpline(x).fitted(1 - 0.4 * x), 1 - 0.4 * x, atol=1e-9)


def test_too_few_or_falling_places_are_refused() -> None:
    for places in ([0.1, 0.2, 0.3], [0.1, 0.3, 0.2, 0.4]):
        with pytest.raises(ValueError, match="at least 4 rising"):
            SmoothingSpline(places)

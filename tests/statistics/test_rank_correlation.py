"""Rank correlation: scipy's value, and an interval by scene."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from snellen.statistics.bootstrap import scene_weights
from snellen.statistics.rank_correlation import rank_correlation, spearman, weighted_spearman


@given(st.integers(0, 10**6), st.integers(3, 60), st.booleans())
@settings(max_examples=50)
def test_the_correlation_is_scipys_ties_or_not(seed: int, count: int, tied: bool) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=count)
    y = 0.5 * x + rng.normal(size=count)
    if tied:
        x, y = np.round(x), np.round(2 * y)
    if len(set(x)) > 1 and len(set(y)) > 1:
        assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic)


@given(st.integers(0, 10**6))
@settings(max_examples=30)
def test_a_pair_that_counts_twice_is_as_if_it_stood_there_twice(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = np.round(rng.normal(size=25), 1), np.round(rng.normal(size=25), 1)
    weights = rng.integers(0, 4, (6, 25)).astype(float)
    found = weighted_spearman(x, y, weights)
    for value, row in zip(found, weights.astype(int), strict=True):
        expected = stats.spearmanr(np.repeat(x, row), np.repeat(y, row)).statistic
        assert value == pytest.approx(expected)


def test_what_never_changes_correlates_with_nothing() -> None:
    assert np.isnan(spearman([1, 1, 1], [1, 2, 3]))


def test_the_interval_widens_where_the_objects_of_a_scene_are_alike() -> None:
    rng = np.random.default_rng(2)
    scenes = np.repeat(np.arange(30), 10)
    common = rng.normal(size=(2, 30))[:, scenes]
    x, y = common + 0.2 * rng.normal(size=(2, 300))
    weights = scene_weights(30, 600, rng)
    by_scene = rank_correlation(x, y, scenes, weights)
    alone = rank_correlation(x, y, np.arange(300), scene_weights(300, 600, rng))
    assert by_scene.value == alone.value == pytest.approx(spearman(x, y))
    assert by_scene.high - by_scene.low > 2 * (alone.high - alone.low)
    assert by_scene.low < 0 < by_scene.high, "30 independent scenes prove nothing here"


def test_the_interval_holds_the_truth_about_as_often_as_it_says() -> None:
    truth = 6 / np.pi * np.arcsin(0.5 / 2)  # Spearman's of a normal pair with correlation 0.5
    held = 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        x, y = rng.multivariate_normal([0, 0], [[1, 0.5], [0.5, 1]], 60).T
        found = rank_correlation(x, y, np.arange(60), scene_weights(60, 300, rng))
        held += found.low <= truth <= found.high
    assert 0.88 <= held / 150 <= 1


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 2 pairs"):
        spearman([1], [2])
    with pytest.raises(ValueError, match="finite"):
        spearman([1, np.nan], [2, 3])
    with pytest.raises(ValueError, match="one scene for each of 2 objects"):
        rank_correlation([1, 2], [3, 4], [0, 9], np.ones((3, 2)))

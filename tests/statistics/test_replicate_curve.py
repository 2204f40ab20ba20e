"""Curves from bootstrap replicates: they agree with quantiles and never claim too much."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from snellen.statistics.replicate_curve import replicate_curve

RNG = np.random.default_rng(1)


def test_limits_are_quantiles_within_the_replicates_and_normal_beyond() -> None:
    drawn = RNG.normal(0.05, 0.02, 20_000)
    curve = replicate_curve(0.05, drawn, 5000)
    low, high = np.quantile(drawn, [0.05, 0.95])
    found = curve.interval(0.9)
    assert (found.low, found.high) == pytest.approx((low, high))
    assert curve.p(0.0, "lower") == pytest.approx(special.ndtr(-2.5), rel=0.1)
    assert curve.p(-0.05, "lower") == pytest.approx(special.ndtr(-5), rel=0.9), "extrapolated"
    assert curve.p(-0.05, "lower") > 0


def test_limits_move_away_as_the_tail_gets_smaller() -> None:
    curve = replicate_curve(0.02, RNG.exponential(0.02, 500), 40)
    scores = np.linspace(0, -6, 200)
    assert (np.diff([curve.lower(score) for score in scores]) <= 1e-12).all()
    assert (np.diff([curve.upper(score) for score in scores]) >= -1e-12).all()


def test_replicates_that_all_agree_prove_no_more_than_their_scenes_do() -> None:
    """The rule of three: none of n scenes differs, so at most 3 / n of all do."""
    zeros = np.zeros(100)
    for scenes in (50, 1000):
        high = replicate_curve(0.0, zeros, scenes).interval(0.9).high
        assert 2.5 / scenes < high < 5 / scenes


def test_more_scenes_narrow_it_by_the_square_root() -> None:
    drawn = RNG.normal(0.0, 0.05, 4000)
    widths = [replicate_curve(0.0, drawn, 4000, times).interval(0.9) for times in (1, 4)]
    assert widths[1].high == pytest.approx(widths[0].high / 2)


def test_nothing_known_is_undecided() -> None:
    assert np.isnan(replicate_curve(float("nan"), [], 10).p(0.0, "lower"))
    assert np.isnan(replicate_curve(0.1, [np.nan], 10).p(0.0, "lower"))

"""Alpha spending: published boundaries, and the level kept in simulated runs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from snellen.statistics.looks import look_levels


@pytest.mark.parametrize(
    ("spending", "published"),
    [
        # Lan-DeMets boundaries for five equal looks at one-sided 0.025, as gsDesign prints them.
        ("obrien-fleming", [4.8769, 3.3569, 2.6803, 2.2898, 2.0310]),
        ("pocock", [2.4380, 2.4268, 2.4101, 2.3966, 2.3859]),
    ],
)
def test_boundaries_are_the_published_ones(spending: str, published: list[float]) -> None:
    levels = look_levels([20, 40, 60, 80, 100], 0.025, spending)  # type: ignore[arg-type]
    assert stats.norm.isf(levels) == pytest.approx(published, abs=2e-3)


@pytest.mark.parametrize("spending", ["pocock", "obrien-fleming"])
@pytest.mark.parametrize(
    "looks", [[25, 75, 200, 400], [10, 20, 400], [5], list(range(20, 401, 20))]
)
def test_stopping_at_the_first_decision_errs_as_often_as_it_says(
    spending: str, looks: list[int]
) -> None:
    levels = look_levels(looks, 0.05, spending)  # type: ignore[arg-type]
    steps = np.diff(looks, prepend=0)
    sums = np.cumsum(np.random.default_rng(1).normal(0, steps**0.5, (40_000, len(looks))), axis=1)
    stopped = (sums / np.sqrt(looks) > stats.norm.isf(levels)).any(axis=1)
    assert stopped.mean() == pytest.approx(0.05, abs=0.004)


@pytest.mark.parametrize(
    ("looks", "level", "says"),
    [([], 0.05, "rising"), ([5, 5], 0.05, "rising"), ([0, 5], 0.05, "rising"), ([5], 0.6, "0.5")],
)
def test_impossible_looks_are_refused(looks: list[int], level: float, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        look_levels(looks, level)

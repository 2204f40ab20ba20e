from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from snellen.statistics.intervals import (
    Interval,
    difference,
    wilson,
    wilson_rate,
)

counts = st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
confidences = st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99, 0.999])


@given(counts, confidences)
def test_wilson_agrees_with_scipy(count: tuple[int, int], confidence: float) -> None:
    reference = stats.binomtest(*count).proportion_ci(confidence, "wilson")
    assert np.allclose(wilson(*count, confidence), reference, atol=1e-12)


@pytest.mark.parametrize(
    ("failing", "cases", "low", "high"),
    # R. G. Newcombe, Statistics in Medicine 17 (1998) 857-872, Table I, method 3.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)],
)
def test_wilson_gives_newcombes_published_values(
    failing: int, cases: int, low: float, high: float
) -> None:
    assert np.round(wilson(failing, cases), 4).tolist() == [low, high]


@pytest.mark.parametrize(
    ("first", "second", "low", "high"),
    # R. G. Newcombe, Statistics in Medicine 17 (1998) 873-890, Table II, method 10.
    [
        ((56, 70), (48, 80), 0.0524, 0.3339),
        ((9, 10), (3, 10), 0.1705, 0.8090),
        ((10, 10), (0, 20), 0.6791, 1.0),
        ((10, 10), (0, 10), 0.6075, 1.0),
    ],
)
def test_difference_gives_newcombes_published_values(
    first: tuple[int, int], second: tuple[int, int], low: float, high: float
) -> None:
    gap = difference(wilson_rate(*first), wilson_rate(*second))
    assert (round(gap.low, 4), round(gap.high, 4)) == (low, high)


def test_no_cases_say_nothing() -> None:
    rate = wilson_rate(0, 0)
    assert math.isnan(rate.value)
    assert (rate.low, rate.high) == (0.0, 1.0)
    assert rate.to_json()["value"] is None


def test_ends_are_exactly_0_and_1_when_none_or_all_fail() -> None:
    cases = np.arange(1, 3000)
    low, high = wilson(np.zeros_like(cases), cases)
    assert np.all(low == 0)
    assert np.all((high > 0) & (high < 1))
    low, high = wilson(cases, cases)
    assert np.all(high == 1)
    assert np.all((low > 0) & (low < 1))


@given(counts)
def test_an_interval_holds_its_value_and_mirrors_when_failures_become_successes(
    count: tuple[int, int],
) -> None:
    failing, cases = count
    rate, mirrored = wilson_rate(failing, cases), wilson_rate(cases - failing, cases)
    assert rate.low <= rate.value <= rate.high
    assert rate.low == pytest.approx(1 - mirrored.high, abs=1e-9)


@given(counts, counts)
def test_a_difference_changes_sign_when_the_rates_change_places(
    first: tuple[int, int], second: tuple[int, int]
) -> None:
    there = difference(wilson_rate(*first), wilson_rate(*second))
    back = difference(wilson_rate(*second), wilson_rate(*first))
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))
    assert -1 <= there.low <= there.value <= there.high <= 1


def test_a_difference_with_an_unknown_rate_spans_all_that_is_possible() -> None:
    gap = difference(wilson_rate(0, 0), wilson_rate(5, 10))
    assert math.isnan(gap.value)
    assert gap.low < -0.7
    assert gap.high > 0.7


@pytest.mark.parametrize("count", [(-1, 4), (5, 4), (1, math.inf), (math.nan, 3)])
def test_impossible_counts_are_refused(count: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="between 0 and the number of cases"):
        wilson(*count)


def test_a_difference_of_unequal_confidences_is_refused() -> None:
    with pytest.raises(ValueError, match="confidences differ"):
        difference(wilson_rate(1, 2, 0.9), wilson_rate(1, 2, 0.95))


def test_json_has_what_the_summary_needs() -> None:
    fields = Interval(0.5, 0.25, 0.75, "wilson").to_json()
    assert list(fields) == ["value", "low", "high", "method", "confidence"]

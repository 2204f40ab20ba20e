from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from snellen.statistics.binomial import binomial_test

counts = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
rates = st.one_of(st.sampled_from([0.0, 0.5, 1.0, 0.1, 0.25]), st.floats(1e-6, 1 - 1e-6))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@given(count=counts, rate=rates)
@example(count=(0, 10), rate=0.0)
@example(count=(10, 10), rate=1.0)
@example(count=(3, 10), rate=0.0)
@example(count=(2, 4), rate=0.5)
def test_agrees_with_scipy(alternative: str, count: tuple[int, int], rate: float) -> None:
    reference = stats.binomtest(*count, rate, alternative=alternative).pvalue  # type: ignore[arg-type]
    found = binomial_test(*count, rate, alternative)  # type: ignore[arg-type]
    assert float(found) == pytest.approx(reference, rel=1e-6, abs=1e-12)


def test_arrays_give_what_single_counts_give() -> None:
    failing, rate = np.arange(0, 51)[:, None], np.array([0.02, 0.2, 0.5, 0.97])
    found = binomial_test(failing, 50, rate)
    for i, j in np.ndindex(found.shape):
        reference = stats.binomtest(int(failing[i, 0]), 50, float(rate[j])).pvalue
        assert found[i, j] == pytest.approx(reference, rel=1e-6, abs=1e-12)


def test_a_million_cases_are_no_harder() -> None:
    reference = stats.binomtest(1_000, 1_000_000, 0.0011).pvalue
    assert float(binomial_test(1_000, 1_000_000, 0.0011)) == pytest.approx(reference, rel=1e-6)


@pytest.mark.parametrize(
    ("failing", "cases", "rate"), [(5, 4, 0.5), (-1, 4, 0.5), (1.5, 4, 0.5), (1, 4, 1.5)]
)
def test_impossible_input_is_refused(failing: float, cases: float, rate: float) -> None:
    with pytest.raises(ValueError):
        binomial_test(failing, cases, rate)

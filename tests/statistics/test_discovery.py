from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from snellen.statistics.discovery import benjamini_hochberg, benjamini_yekutieli

p_values = st.lists(st.one_of(st.floats(0, 1), st.sampled_from([0.0, 0.01, 0.05, 1.0])), min_size=1)


@given(p_values)
def test_both_agree_with_scipy(p: list[float]) -> None:
    assert np.allclose(benjamini_hochberg(p), stats.false_discovery_control(p, method="bh"))
    assert np.allclose(benjamini_yekutieli(p), stats.false_discovery_control(p, method="by"))


def test_the_published_example_of_benjamini_and_hochberg() -> None:
    # Y. Benjamini, Y. Hochberg, J. R. Statist. Soc. B 57 (1995), section 3.2: four of 15 at 0.05.
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459]
    p += [0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]
    assert np.flatnonzero(benjamini_hochberg(p) <= 0.05).tolist() == [0, 1, 2, 3]


def test_no_tests_give_no_p_values() -> None:
    assert benjamini_hochberg([]).shape == (0,)
    assert benjamini_yekutieli([]).shape == (0,)


def test_few_discoveries_are_false_when_most_nulls_are_true() -> None:
    rng = np.random.default_rng(4)
    real = np.arange(100) < 20
    false_shares = []
    for _ in range(2000):
        scores = rng.normal(np.where(real, 3.0, 0.0))
        found = benjamini_hochberg(stats.norm.sf(scores)) <= 0.10
        false_shares.append(float(np.mean(~real[found])) if found.any() else 0.0)
    assert 0.07 <= np.mean(false_shares) <= 0.09  # 0.10 times the share of true nulls, 0.8


@pytest.mark.parametrize("p", [[-0.1], [1.1], [float("nan")], [[0.1]]])
def test_what_is_not_a_p_value_is_refused(p: list[float]) -> None:
    with pytest.raises(ValueError, match="p-values"):
        benjamini_hochberg(p)

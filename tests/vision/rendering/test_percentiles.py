"""Percentiles equal numpy's to the bit, so that frames do not change."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from snellen.vision.rendering.percentiles import percentile


@given(
    st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=60),
    st.sampled_from([1.0, 3.0, 10.0, 15.0, 40.0, 50.0, 75.0, 97.0, 99.0, 100.0]),
)
def test_percentiles_are_those_of_numpy(values: list[float], share: float) -> None:
    assert percentile(np.array(values), share) == np.percentile(values, share)


@given(st.lists(st.integers(0, 255), min_size=1, max_size=60))
def test_bytes_do_not_run_over(values: list[int]) -> None:
    table = np.array(values, dtype=np.uint8)
    assert percentile(table, 1.0) == np.percentile(table, 1.0)

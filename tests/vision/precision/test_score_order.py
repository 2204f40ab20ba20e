"""Small sets are ordered without compiling, exactly as large ones are."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from snellen.vision.boxes import match_kernels
from snellen.vision.precision import score_order
from snellen.vision.precision.score_order import by_class_and_score, ranks


@pytest.mark.parametrize("count", [0, 1, 2, 500])
@pytest.mark.parametrize("classes", [1, 7])
def test_numpy_and_the_compiled_loop_give_the_same_order_and_ranks(
    count: int, classes: int
) -> None:
    rng = np.random.default_rng(count)
    label = rng.integers(0, classes, count).astype(np.int32)
    score = (rng.integers(-3, 9, count) / 8).astype(np.float32)  # many ties, some zeros
    score[::5] *= -1  # -0.0 too
    image = rng.integers(0, 4, count).astype(np.int32)
    order, bounds = by_class_and_score(label, score, classes)
    expected, expected_bounds = match_kernels.by_class_and_score(label, score, classes)
    assert_array_equal(order, expected)
    assert_array_equal(bounds, expected_bounds)
    found = ranks(image[order], bounds, 4)
    assert_array_equal(found, match_kernels.ranks(image[order], bounds, 4))
    assert found.dtype == np.int32


def test_a_large_set_goes_to_the_compiled_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_order, "SMALL", 1)
    label, score = np.array([1, 0, 1], np.int32), np.array([0.1, 0.2, 0.3], np.float32)
    order, bounds = by_class_and_score(label, score, 2)
    assert order.tolist() == [1, 2, 0]
    assert ranks(np.zeros(3, np.int32), bounds, 1).tolist() == [0, 0, 1]

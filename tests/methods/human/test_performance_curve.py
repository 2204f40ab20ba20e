"""Scores by degree against curves whose areas are known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snellen.methods.human.performance_curve import (
    binned,
    compare_with_people,
    performance_curve,
)

V = (np.arange(2000) + 0.5) / 2000


@given(st.floats(0.1, 1), st.floats(0.1, 1))
def test_flat_curves_have_the_share_of_the_heights(human: float, subject: float) -> None:
    found = compare_with_people((V, np.full(2000, subject)), (V, np.full(2000, human)))
    assert found.subject == pytest.approx(subject, abs=1e-6)
    assert found.human == pytest.approx(human, abs=1e-6)
    assert found.human_relative == pytest.approx(min(1, subject / human), abs=1e-6)


def test_the_area_under_a_falling_line_is_its_mean() -> None:
    assert performance_curve(V, 1 - V).area == pytest.approx(0.5, abs=0.01)


def test_a_subject_that_breaks_early_loses_what_people_keep() -> None:
    people, subject = 1 - 0.2 * V, 1 - 0.8 * V
    found = compare_with_people((V, subject), (V, people))
    assert found.human_relative == pytest.approx(found.subject / found.human, abs=1e-3)
    assert found.human_relative == pytest.approx(0.6 / 0.9, abs=0.01)


def test_being_better_than_people_somewhere_does_not_make_up_for_worse_elsewhere() -> None:
    people = np.full(2000, 0.8)
    subject = np.where(V < 0.5, 1.0, 0.4)
    found = compare_with_people((V, subject), (V, people))
    assert found.human_relative < 0.85
    assert found.subject == pytest.approx(0.7, abs=0.03)


@given(st.integers(0, 1000))
def test_a_curve_never_rises_and_stays_within_0_and_1(seed: int) -> None:
    rng = np.random.default_rng(seed)
    delta_v = rng.uniform(size=300)
    found = performance_curve(delta_v, (rng.uniform(size=300) < 1 - delta_v).astype(float))
    assert np.all(np.diff(found.values) <= 0)
    assert found.values.min() >= 0
    assert found.values.max() <= 1


def test_scores_are_of_the_range_that_both_cover() -> None:
    found = compare_with_people((V[V < 0.6], np.ones(1200)), (V[V > 0.2], np.ones(1600)))
    assert (found.low, found.high) == pytest.approx((0.225, 0.575))
    with pytest.raises(ValueError, match="no common range"):
        compare_with_people(([0.1, 0.2], [1, 1]), ([0.8, 0.9], [1, 1]))


def test_values_count_by_their_answers() -> None:
    centres, means = binned([0.51, 0.52], [1.0, 0.0], [3, 1])
    assert centres.tolist() == [0.525]
    assert means.tolist() == [0.75]

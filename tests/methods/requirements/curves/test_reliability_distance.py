"""The published distance: what it is, and why it cannot be read against 0."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.methods.requirements.checks.requirement_check import check_requirement
from snellen.methods.requirements.curves.area_loss import area_loss
from snellen.methods.requirements.curves.curve_rows import CurveRows, curve_rows
from snellen.methods.requirements.curves.reliability_distance import (
    distance,
    envelope,
    reliability_distance,
)
from snellen.methods.requirements.evidence.arms import arms
from snellen.methods.requirements.evidence.case_table import case_table
from snellen.methods.requirements.evidence.run_evidence import RunEvidence
from snellen.methods.requirements.evidence.subtask_counts import subtask_counts
from snellen.methods.requirements.specification.margin import Margin
from snellen.statistics.bootstrap import scene_weights
from snellen.statistics.non_inferiority import LossStatus
from tests.methods.requirements.simulated_evidence import falling, requirement, simulated, steady

RNG = np.random.default_rng
POINTS = st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=20)


def rows_of(evidence: RunEvidence, **values: str) -> CurveRows:
    part = subtask_counts(requirement(**values), case_table(evidence))
    return curve_rows(part, arms(evidence, "frost", -1.0, 0.9))


@given(POINTS, POINTS)
@settings(max_examples=60)
def test_it_is_the_share_of_points_below_by_brute_force(
    first: list[tuple[float, float]], second: list[tuple[float, float]]
) -> None:
    def best(points: list[tuple[float, float]], recall: float) -> float:
        return max((p for r, p in points if r >= recall - 1e-9), default=0.0)

    recalls, _ = envelope(*zip(*second, strict=True))
    below = [best(second, r) < best(first, r) - 1e-9 for r in recalls.tolist()]
    got = reliability_distance(tuple(zip(*first, strict=True)), tuple(zip(*second, strict=True)))  # type: ignore[arg-type]
    assert got == pytest.approx(np.mean(below))


@given(POINTS)
def test_a_curve_is_at_no_distance_from_itself(points: list[tuple[float, float]]) -> None:
    curve = tuple(zip(*points, strict=True))
    assert reliability_distance(curve, curve) == 0  # type: ignore[arg-type]


def test_no_curve_has_no_distance() -> None:
    assert math.isnan(reliability_distance(([], []), ([0.5], [0.5])))
    assert math.isnan(reliability_distance(([0.5], [0.5]), ([], [])))


def test_a_subject_that_does_not_change_is_at_no_distance() -> None:
    found = distance(rows_of(simulated(RNG(1), 100, 3)), 0, 1, RNG(2))
    assert found.value == 0
    assert found.satisfied


def test_a_much_worse_subject_is_at_a_distance_of_nearly_one() -> None:
    worse = (steady(0.75), falling(0.95, 0.0, 0.5), steady(0.9))
    evidence = simulated(RNG(1), 300, 2, rates=worse, false=lambda v: np.where(v > 0, 2.0, 0.3))
    found = distance(rows_of(evidence, subtask="whole"), 0, 3, RNG(2))
    assert found.value > 0.95
    assert found.p_value <= 0.1  # it ends at 1, and chance comes close to that now and then
    assert not found.satisfied
    weights = scene_weights(300, 50, RNG(3))
    rows = rows_of(evidence, subtask="whole")
    assert area_loss(rows, 3, weights, Margin.fixed(0.02), RNG(2)).p_value <= 0.01


def test_equal_quality_is_at_a_distance_of_about_0_4_and_so_never_satisfied() -> None:
    """METHODS: 0.42 +- 0.31 for two curves drawn from the same quality; their mean is near 0.4."""
    values = []
    for seed in range(150):
        rows = rows_of(simulated(RNG(seed), 100, 1, redrawn=True), subtask="whole")
        values.append(distance(rows, 0, 2, RNG(seed), permutations=1).value)
    assert 0.3 < np.mean(values) < 0.55
    assert 0.2 < np.std(values) < 0.45
    assert np.mean(np.array(values) <= 0) < 0.2


def test_its_null_is_what_equal_quality_gives_and_its_p_value_is_even() -> None:
    found = []
    for seed in range(60):
        rows = rows_of(simulated(RNG(seed), 100, 1, redrawn=True), subtask="whole")
        found.append(distance(rows, 0, 2, RNG(seed), permutations=39))
    assert np.mean([one.null for one in found]) == pytest.approx(0.45, abs=0.1)
    share = np.mean([one.p_value <= 0.1 for one in found])
    assert share < 0.22  # 0.1, and three standard errors of 60 runs


def test_the_published_distance_of_a_later_subtask_misses_what_the_verdict_sees() -> None:
    """The first detection that is right puts (1, 1) on the curve, and the envelope is flat then."""
    worse = (steady(0.75), falling(0.95, 0.0, 0.4), steady(0.9))
    evidence = simulated(RNG(1), 300, 2, rates=worse)
    found = check_requirement(
        requirement(subtask="classify"), evidence, scene_weights(300, 200, RNG(1)), RNG(2)
    )
    assert found.distance == 0
    assert found.status == LossStatus.VIOLATED

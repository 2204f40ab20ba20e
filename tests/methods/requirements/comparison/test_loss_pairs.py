"""The difference of two losses: its value by hand, its coverage by simulation."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.methods.requirements.checks.metric_loss import rate_difference
from snellen.methods.requirements.comparison.loss_pairs import compared_requirement, loss_difference
from snellen.methods.requirements.evidence.case_table import case_table
from snellen.statistics.bootstrap import scene_weights
from snellen.statistics.intervals import Interval
from snellen.statistics.non_inferiority import LossStatus
from snellen.vision.arrays import F64
from tests.methods.requirements.simulated_evidence import requirement, simulated

SCENES = 60
WEIGHTS = scene_weights(SCENES, 400, np.random.default_rng(1))


def sums(before: float, after: float, hard: F64, rng: np.random.Generator) -> F64:
    """(4, scenes) found and there, before and after; hard scenes are hard for both subjects."""
    there = np.full(SCENES, 6)
    found = [rng.binomial(there, np.clip(rate - hard, 0, 1)) for rate in (before, after)]
    return np.stack([found[0], there, found[1], there]).astype(np.float64)


def gap(a: F64, b: F64) -> Interval:
    losses = [rate_difference(one[:2], one[2:]) for one in (a, b)]
    return loss_difference(a, b, losses[0], losses[1], WEIGHTS)


def test_it_is_what_b_loses_less_what_a_loses() -> None:
    rng = np.random.default_rng(2)
    a, b = (sums(0.9, after, rng.normal(0, 0.05, SCENES), rng) for after in (0.85, 0.5))
    lost = [one[0].sum() / one[1].sum() - one[2].sum() / one[3].sum() for one in (a, b)]
    found = gap(a, b)
    assert found.value == pytest.approx(lost[1] - lost[0])
    assert found.low > 0, "B loses far more"
    assert gap(b, a).value == pytest.approx(-found.value)


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    rng, runs, held = np.random.default_rng(3), 400, 0
    for _ in range(runs):
        hard = rng.normal(0, 0.1, SCENES)
        found = gap(sums(0.85, 0.75, hard, rng), sums(0.8, 0.6, hard, rng))
        held += found.low <= 0.1 <= found.high
    # 95% of 400 is 380, give or take 4.4; three of those down is 367.
    assert held >= 367


def test_few_scenes_that_bear_on_it_do_not_make_it_sure() -> None:
    whole = np.stack([np.full(SCENES, 6.0)] * 4)
    other = whole.copy()
    other[:, :20] = 3.0  # fewer objects, all of them found: nothing is lost by either
    found = gap(whole, other)
    assert found.value == 0
    assert found.low < -0.02 < 0.02 < found.high


def test_three_scenes_that_lose_are_not_many_because_the_rest_is_there() -> None:
    """With rates below 1, every scene moves them a little; it is three that were seen to lose."""
    a, b = np.stack([np.full(SCENES, 6.0)] * 4), np.stack([np.full(SCENES, 6.0)] * 4)
    a[2, 0], b[2, 1:3] = 5.0, 4.0
    found = gap(a, b)
    assert found.method.startswith("newcombe")
    assert found.low < 0 < found.high
    assert np.isfinite([found.low, found.high]).all()


def test_a_side_without_objects_has_no_difference() -> None:
    whole, none = np.stack([np.full(SCENES, 6.0)] * 4), np.zeros((4, SCENES))
    assert np.isnan(gap(whole, none).value)


def test_a_requirement_that_demands_nothing_is_undecided_for_both() -> None:
    rng = np.random.default_rng(4)
    table = case_table(simulated(rng, 40, 2, kind="preservation"))
    weights = scene_weights(40, 200, rng)
    idle = requirement(kind="preservation", threshold=0.2)
    found = compared_requirement(idle, table, table, weights, 0.2)
    assert found.status == (LossStatus.UNDECIDED, LossStatus.UNDECIDED)
    assert found.losses == ()
    some = requirement(kind="preservation", threshold=0.5, thresholds=(0.2, 0.5))
    both = compared_requirement(some, table, table, weights, 0.2)
    assert {one.threshold for one in both.losses} == {0.5}

"""Areas under curves over visual change, of subjects and beside people."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from snellen.methods.requirements.curves.area_grade import AreaGrade, grade
from snellen.methods.requirements.evidence.case_table import case_table
from snellen.methods.requirements.evidence.subtask_counts import subtask_counts
from snellen.statistics.bootstrap import scene_weights
from tests.methods.requirements.simulated_evidence import (
    Rate,
    falling,
    requirement,
    simulated,
    steady,
)

RNG = np.random.default_rng
PLACES = np.linspace(0, 0.9, 200)


def graded_as(localise: Rate, human: Rate | None = None, seed: int = 1) -> AreaGrade:
    evidence = simulated(RNG(seed), 400, 2, rates=(localise, steady(1.0), steady(1.0)))
    part = subtask_counts(requirement(), case_table(evidence))
    people = None if human is None else (PLACES, human(PLACES))
    weights = scene_weights(400, 200, RNG(seed))
    return grade(part, "recall", "frost", 0.9, weights, human=people)


@pytest.mark.parametrize(
    ("rate", "wanted"),
    [(steady(0.8), 0.8), (falling(0.9, 0.45, 0.5), 0.65), (lambda v: 1 - v, 0.55)],
)
def test_the_area_is_the_mean_over_the_range_and_its_interval_holds_it(
    rate: Rate, wanted: float
) -> None:
    found = graded_as(rate)
    assert found.area.value == pytest.approx(wanted, abs=0.04)
    assert found.area.low < wanted < found.area.high
    assert found.area.high - found.area.low < 0.12


def test_the_interval_of_the_area_covers_nearly_as_it_says() -> None:
    held = [graded_as(falling(0.9, 0.45, 0.5), seed=seed).area for seed in range(40)]
    assert sum(one.low <= 0.65 <= one.high for one in held) >= 34


def test_a_subject_as_good_as_people_has_all_of_their_area() -> None:
    beside = graded_as(falling(0.9, 0.45, 0.5), falling(0.9, 0.45, 0.5)).graded
    assert beside is not None
    assert beside.human_relative == pytest.approx(1.0, abs=0.05)


def test_a_subject_that_fails_where_people_do_not_loses_that_share() -> None:
    beside = graded_as(falling(0.9, 0.45, 0.45), steady(0.9)).graded
    assert beside is not None
    assert beside.human_relative == pytest.approx(0.75, abs=0.05)
    assert beside.human == pytest.approx(0.9, abs=0.01)


def test_being_better_than_people_in_one_range_does_not_pay_for_another() -> None:
    beside = graded_as(lambda v: np.where(v < 0.45, 1.0, 0.3), steady(0.6)).graded
    assert beside is not None
    assert beside.human_relative == pytest.approx(0.75, abs=0.06)


def test_cases_that_are_not_changed_at_all_count_in_the_first_bin() -> None:
    """A transformation at level 0 has a visual change of exactly 0; it is still a case."""
    evidence = simulated(RNG(1), 60, 2, rates=(steady(0.5), steady(1.0), steady(1.0)))
    changes = evidence.delta_v.copy()
    frost = np.flatnonzero(evidence.transformation == "frost")
    changes[frost] = np.where(np.arange(len(frost)) % 2, 0.0, 0.85)
    part = subtask_counts(requirement(), case_table(replace(evidence, delta_v=changes)))
    found = grade(part, "recall", "frost", 0.9, scene_weights(60, 50, RNG(1)), bins=9)
    assert found.delta_v.tolist() == pytest.approx([0.05, 0.85])

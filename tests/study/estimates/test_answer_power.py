"""The planned number of answers against simulated studies."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.study.estimates.answer_power import (
    AssumedCurve,
    StudyPlan,
    answers_needed,
    more_answers,
)
from snellen.study.estimates.curve.curve_fit import fit_curve
from snellen.study.estimates.simulation.simulated_trials import simulated_trials

CURVE, PLAN = AssumedCurve(people=0.1, scenes=0.05), StudyPlan(each=30, scenes=200)


def test_a_study_of_the_planned_size_has_the_wanted_interval() -> None:
    need = answers_needed(0.12, CURVE, PLAN)
    assert need is not None
    assert need.length <= 0.12
    lengths = []
    for seed in range(8):
        trials = simulated_trials(CURVE, PLAN, need.people, np.random.default_rng(seed))
        fit = fit_curve(trials)
        assert fit is not None
        lengths.append(fit.high - fit.low)
    assert np.mean(lengths) == pytest.approx(0.12, rel=0.15)


def test_half_the_length_takes_about_four_times_the_answers() -> None:
    wide, narrow = (answers_needed(one, CURVE, StudyPlan(scenes=10**6)) for one in (0.1, 0.05))
    assert wide is not None
    assert narrow is not None
    assert narrow.answers / wide.answers == pytest.approx(4, rel=0.02)
    assert more_answers(1000, 0.2, 0.1) == 3000
    assert more_answers(1000, 0.09, 0.1) == 0


def test_guessing_and_lapses_cost_answers() -> None:
    sizes = [
        need.answers
        for chance, lapse in ((0.0, 0.02), (0.25, 0.02), (0.5, 0.02), (0.5, 0.1))
        if (need := answers_needed(0.1, AssumedCurve(chance=chance, lapse=lapse), PLAN))
    ]
    assert sizes == sorted(sizes)
    assert len(set(sizes)) == 4


def test_few_scenes_that_differ_cannot_be_outweighed_by_people() -> None:
    assert answers_needed(0.05, AssumedCurve(scenes=0.2), StudyPlan(scenes=20)) is None

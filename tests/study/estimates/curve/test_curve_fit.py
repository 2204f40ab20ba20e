"""The fit of people together: what makes its interval wide."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from snellen.study.estimates.answer_power import AssumedCurve, StudyPlan
from snellen.study.estimates.curve.answer_spread import design_effect, influences
from snellen.study.estimates.curve.curve_family import FAMILIES
from snellen.study.estimates.curve.curve_fit import CurveFit, fit_curve
from snellen.study.estimates.curve.curve_posterior import curve_posterior
from snellen.study.estimates.curve.judged_trials import JudgedTrials
from snellen.study.estimates.simulation.simulated_trials import simulated_trials

PLAN = StudyPlan(each=40, scenes=400)


def drawn(curve: AssumedCurve, people: int, seed: int = 1) -> JudgedTrials:
    return simulated_trials(curve, PLAN, people, np.random.default_rng(seed))


def fitted(trials: JudgedTrials) -> CurveFit:
    found = fit_curve(trials)
    assert found is not None
    return found


def test_people_who_differ_widen_the_interval() -> None:
    """The planted fault: answers of few people who differ taken for independent ones."""
    trials = drawn(AssumedCurve(people=0.2, scenes=0.0), 30)
    alone = replace(
        trials, person=np.arange(len(trials)), scene=np.arange(len(trials), dtype=np.int64)
    )
    known, ignored = fitted(trials), fitted(alone)
    assert ignored.inflation < 1.2
    assert known.inflation > 2
    assert known.high - known.low > 1.3 * (ignored.high - ignored.low)


def test_scenes_that_differ_widen_the_interval() -> None:
    few = replace(PLAN, scenes=12)
    trials = simulated_trials(
        AssumedCurve(people=0.0, scenes=0.2), few, 60, np.random.default_rng(2)
    )
    assert fitted(trials).inflation > 3
    assert fitted(replace(trials, scene=trials.person * 40)).inflation < 2


def test_an_answer_given_four_times_counts_once() -> None:
    trials = drawn(AssumedCurve(people=0.0, scenes=0.0), 60)
    rows = np.repeat(np.arange(len(trials)), 4)
    copies = JudgedTrials(
        trials.delta_v[rows], trials.right[rows], trials.chance[rows], rows, trials.scene[rows] * 0
    )
    posterior = curve_posterior(copies.counts(), FAMILIES["gauss"])
    assert design_effect(copies, posterior, 0.95) == pytest.approx(4.0, rel=0.1)
    assert fitted(copies).high == pytest.approx(fitted(trials).high, abs=0.02)


def test_an_influence_is_what_leaving_the_answer_out_changes() -> None:
    trials = drawn(AssumedCurve(people=0.0, scenes=0.0, lapse=0.05), 100)
    whole = curve_posterior(trials.counts(), FAMILIES["gauss"], 0.5)
    moved = influences(trials, whole)
    for fold in (3, 7, 11, 33):
        out = np.arange(len(trials)) % 40 == fold
        some = curve_posterior(trials.chosen(~out).counts(), FAMILIES["gauss"], 0.5)
        change = float((whole.quantiles([0.5]) - some.quantiles([0.5]))[0])
        assert change == pytest.approx(float(moved[out].sum()), rel=0.25, abs=2e-4)


def test_a_curve_that_never_falls_is_limited_by_the_data() -> None:
    trials = drawn(AssumedCurve(threshold=1.6, people=0.0, scenes=0.0), 40)
    found = fitted(trials)
    assert found.limited
    assert found.value > 0.9


def test_too_few_answers_are_not_fitted() -> None:
    trials = drawn(AssumedCurve(), 1)
    assert fit_curve(trials.chosen(np.arange(40) < 9)) is None
    assert fit_curve(trials.chosen(trials.delta_v == 0)) is None

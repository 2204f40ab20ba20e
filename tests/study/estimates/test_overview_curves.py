"""Live curves: bins, thresholds, and answers still wanted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from snellen.study.estimates.overview_curves import curves_of
from snellen.study.estimates.simulation.simulated_people import SimulatedPeople
from snellen.study.estimates.simulation.simulated_session import SimulatedStudy
from snellen.study.estimates.study_posteriors import study_posteriors
from snellen.study.record import StudyRecord
from snellen.study.trial import StudyTask
from tests.study.fake_study import FakeStudy, classify_design


@pytest.fixture(scope="module")
def record() -> StudyRecord:
    design = classify_design(3)
    study = FakeStudy(design)
    SimulatedStudy(study, design, SimulatedPeople()).run(30, np.random.default_rng(3))
    return study.read()


def test_a_curve_has_its_answers_and_its_threshold(record: StudyRecord) -> None:
    [curve] = curves_of(record, wanted=0.05)
    assert (curve.task, curve.label, curve.transformation) == (StudyTask.CLASSIFY, "any", "frost")
    answered = sum(one.answers for one in curve.bins)
    assert 1000 < answered <= 1200
    assert curve.bins[0].delta_v == 0
    assert curve.bins[0].share > 0.9
    assert curve.bins[-1].share < 0.7
    assert curve.threshold is not None
    value, low, high = curve.threshold
    assert low < value < high
    assert curve.more_answers == pytest.approx(answered * (((high - low) / 0.05) ** 2 - 1), abs=2)


def test_a_study_that_is_precise_enough_wants_no_more(record: StudyRecord) -> None:
    [curve] = curves_of(record, wanted=0.9)
    assert curve.more_answers == 0


def test_few_answers_have_no_threshold(record: StudyRecord) -> None:
    [curve] = curves_of(replace(record, answers=record.answers[:8]))
    assert curve.threshold is None
    assert curve.more_answers is None
    assert curves_of(replace(record, answers=())) == ()


def test_a_running_study_knows_its_curve(record: StudyRecord) -> None:
    [posterior] = study_posteriors(record)["frost"]
    [curve] = curves_of(record)
    assert curve.threshold is not None
    assert posterior.quantiles([0.5])[0] == pytest.approx(curve.threshold[0], abs=0.03)

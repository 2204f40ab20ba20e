"""Planted bad raters are found, diligent slow ones are kept."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given as given_values
from hypothesis import strategies as st
from scipy import stats

from snellen.study.estimates.raters.rater_filter import guessed_as_well, rate, rated
from snellen.study.estimates.raters.rater_report import RaterReport
from snellen.study.estimates.raters.rater_rule import RaterRule, RaterTest
from snellen.study.estimates.scores.task_scores import score_answers
from snellen.study.estimates.simulation.simulated_people import (
    Manner,
    SimulatedPeople,
    SimulatedPerson,
)
from snellen.study.estimates.simulation.simulated_session import SimulatedStudy
from snellen.study.record import StudyRecord
from snellen.study.trial import ClassAnswer
from tests.study.fake_study import FakeStudy, classify_design

PEOPLE = SimulatedPeople()


def answered(person: SimulatedPerson, count: int, seed: int = 1, batches: int = 3) -> StudyRecord:
    """A study that only people of one manner took part in."""
    design = classify_design(seed)
    study = FakeStudy(design, batches)
    session = SimulatedStudy(study, design, PEOPLE)
    rng = np.random.default_rng(seed)
    for _ in range(count):
        session.take_part(person, rng)
    return study.read()


def report(manner: Manner, lapse: float = 0.02, count: int = 40) -> RaterReport:
    return rated(score_answers(answered(SimulatedPerson(0.0, lapse, manner), count)))[1]


@pytest.mark.parametrize(
    ("manner", "least", "test"),
    [
        (Manner.CLICKER, 36, RaterTest.CHANCE),
        (Manner.SAME, 36, RaterTest.CHANCE),
        (Manner.SLEEPER, 28, RaterTest.HALF),
    ],
)
def test_planted_bad_raters_are_found(manner: Manner, least: int, test: RaterTest) -> None:
    found = report(manner)
    assert found.removed >= least, found.words()
    assert found.by_test()[test] > 10


@pytest.mark.parametrize("manner", [Manner.DILIGENT, Manner.SLOW])
def test_diligent_raters_are_kept_however_slow(manner: Manner) -> None:
    assert report(manner).removed <= 1


def test_the_same_choice_again_and_again_is_found_without_easy_pictures() -> None:
    record = answered(SimulatedPerson(0.0, 0.0, Manner.SAME), 5)
    same = tuple(
        one.model_copy(update={"answer": ClassAnswer(choice="yes")}) for one in record.answers
    )
    rule = RaterRule(chance_least=1000, half_least=1000, sanity_level=1e-12)
    found = rate(score_answers(replace(record, answers=same)), rule)
    assert found.by_test()[RaterTest.SAME] == 5


def test_answers_faster_than_a_look_are_found() -> None:
    record = answered(SimulatedPerson(0.0, 0.0), 3)
    [first, *_] = sorted({one.participant for one in record.answers})
    hasty = tuple(
        one.model_copy(update={"response_ms": 90.0})
        if one.participant == first and one.place % 3 == 0
        else one
        for one in record.answers
    )
    found = rate(score_answers(replace(record, answers=hasty)), RaterRule())
    assert found.failed[first] == (RaterTest.SPEED,)
    assert found.removed == 1


def test_the_rule_is_recorded_and_names_nobody() -> None:
    found = report(Manner.CLICKER, count=4)
    written = found.to_json()
    assert written["rule"]["fast_ms"] == 150.0
    assert written["removed"] == found.removed
    assert not any(name in str(written) for name in found.failed)


def test_practice_does_not_count() -> None:
    record = answered(SimulatedPerson(0.0, 0.0, Manner.CLICKER), 2)
    practice = {
        name: one.model_copy(update={"kind": "practice"}) for name, one in record.trials.items()
    }
    assert rate(score_answers(replace(record, trials=practice)), RaterRule()).failed == {}


@given_values(st.integers(1, 30), st.floats(0.05, 0.95), st.integers(0, 30))
def test_guessing_is_the_binomial_test(count: int, chance: float, right: int) -> None:
    right = min(right, count)
    exact = stats.binomtest(right, count, chance, "greater").pvalue
    assert guessed_as_well(right, [chance] * count) == pytest.approx(exact, abs=1e-9)


def test_mixed_chances_are_counted_exactly() -> None:
    rng = np.random.default_rng(1)
    chances = [0.5] * 6 + [0.25] * 6
    drawn = Counter((rng.random((100_000, 12)) < chances).sum(axis=1).tolist())
    share = sum(count for right, count in drawn.items() if right >= 7) / 100_000
    assert guessed_as_well(7, chances) == pytest.approx(share, abs=0.005)

"""How often the interval of a study holds the true threshold, with sixty people who differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from snellen.study.estimates.curve.curve_family import FamilyName
from snellen.study.estimates.curve.curve_fit import CurveFit, fit_curve
from snellen.study.estimates.raters.rater_filter import rated
from snellen.study.estimates.scores.task_scores import score_answers
from snellen.study.estimates.simulation.simulated_people import Manner, SimulatedPeople
from snellen.study.estimates.simulation.simulated_session import SimulatedStudy
from snellen.study.estimates.study_curves import ANY, curve_trials
from snellen.study.participation import Participation
from snellen.study.record import StudyRecord

PARTICIPANTS = 60


@dataclass(frozen=True)
class OpenStudy:
    """A study without answers: its design, what takes answers, and how they are read.

    name: of a participant in the record, by their code.
    """

    design: StudyRecord
    study: Participation
    read: Callable[[], StudyRecord]
    name: Callable[[str], str] = str


@dataclass(frozen=True)
class CoverageTrial:
    """One simulated study. raters: participants by whether they looked, and whether they count."""

    fit: CurveFit
    covered: bool
    raters: Counter[tuple[bool, bool]]


def simulated_study(
    opener: Callable[[int], OpenStudy],
    people: SimulatedPeople,
    seed: int,
    family: FamilyName = "gauss",
) -> CoverageTrial:
    """Sixty people answer a study of a seed; its first curve is fitted."""
    opened = opener(seed)
    session = SimulatedStudy(opened.study, opened.design, people)
    persons = session.run(PARTICIPANTS, np.random.default_rng((seed, 1)))
    kept, report = rated(score_answers(opened.read()))
    [trials] = [one for key, one in curve_trials(kept).items() if key.label == ANY]
    fit = fit_curve(trials, family)
    assert fit is not None
    return CoverageTrial(
        fit,
        fit.low <= people.threshold() <= fit.high,
        Counter(
            (person.manner is Manner.DILIGENT, (report.failed.get(opened.name(code), ()) == ()))
            for code, person in persons
        ),
    )

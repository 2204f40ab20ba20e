"""Answers of a planned study, drawn from an assumed curve."""

from __future__ import annotations

import numpy as np
from scipy import special

from snellen.study.estimates.answer_power import AssumedCurve, StudyPlan
from snellen.study.estimates.curve.judged_trials import JudgedTrials
from snellen.study.estimates.simulation.simulated_people import SimulatedPeople


def assumed_people(curve: AssumedCurve) -> SimulatedPeople:
    """People whose threshold, all together, is the assumed one."""
    start = SimulatedPeople(0.0, curve.width, curve.people, curve.scenes, curve.lapse)
    middle = curve.threshold - start.threshold(curve.fall)
    return SimulatedPeople(middle, curve.width, curve.people, curve.scenes, curve.lapse)


def simulated_trials(
    curve: AssumedCurve, plan: StudyPlan, people: int, rng: np.random.Generator
) -> JudgedTrials:
    """The answers of so many people, each about scenes drawn at random."""
    count = people * plan.each
    person = np.repeat(np.arange(people), plan.each)
    scene = rng.integers(0, plan.scenes, count)
    changed = rng.random(count) >= plan.originals
    delta_v = np.where(changed, rng.uniform(0, plan.reach, count), 0.0)
    shifts = rng.normal(0, curve.people, people)[person]
    shifts += rng.normal(0, curve.scenes, plan.scenes)[scene]
    middle = assumed_people(curve).middle + shifts
    spread = curve.width / (2 * float(special.ndtri(0.95)))
    seen = rng.random(count) >= special.ndtr((delta_v - middle) / spread)
    looked = rng.random(count) >= curve.lapse / (1 - curve.chance)
    right = (seen & looked) | (rng.random(count) < curve.chance)
    return JudgedTrials(delta_v, right, np.full(count, curve.chance), person, scene)

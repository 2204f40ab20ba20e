"""Answers that a uniform and an adaptive design need for an interval of the same length."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from snellen.study.estimates.curve.curve_family import FAMILIES
from snellen.study.estimates.curve.curve_fit import CurveFit, fit_curve
from snellen.study.estimates.curve.curve_posterior import CurvePosterior, curve_posterior
from snellen.study.estimates.curve.judged_trials import JudgedTrials
from snellen.study.estimates.placement import next_samples
from snellen.study.estimates.simulation.simulated_people import SimulatedPeople, SimulatedPerson
from snellen.study.record import ORIGINAL, StudySample

EACH = 20
"""Answers of one participant."""
SCENES, LEVELS = 200, 25
ORIGINALS = 0.1
CHANCE = 0.5


@dataclass(frozen=True)
class DesignCost:
    """Answers until the interval is short enough, and the interval then.

    answers: those of the largest study if it never is.
    """

    answers: int
    reached: bool
    fit: CurveFit


def pool() -> list[StudySample]:
    """Each scene unchanged and at 25 visual changes from 0.04 to 1."""
    return [
        StudySample(
            sample=f"{scene}-{place}",
            scene=f"s{scene}",
            transformation="frost" if place else ORIGINAL,
            level=place / LEVELS if place else None,
            delta_v=place / LEVELS,
            recipe={},
        )
        for scene in range(SCENES)
        for place in range(LEVELS + 1)
    ]


def cost(
    people: SimulatedPeople, wanted: float, seed: int, *, adaptive: bool, most: int = 400
) -> DesignCost:
    """Participants are added one by one until the interval is at most `wanted` long."""
    rng = np.random.default_rng(seed)
    samples = pool()
    by_name = {one.sample: one for one in samples}
    choose = _adaptive if adaptive else _uniform
    rows: list[tuple[float, bool, int, int]] = []
    known: CurvePosterior | None = None
    fit: CurveFit | None = None
    for number in range(most):
        person = people.person(rng)
        for name in choose(samples, known, rng):
            one = by_name[name]
            right = _right(people, person, one, seed, rng)
            rows.append((one.delta_v, right, number, int(one.scene[1:])))
        trials = _trials(rows)
        known = curve_posterior(trials.counts(), FAMILIES["gauss"])
        fit = fit_curve(trials) if number >= 4 else None
        if fit is not None and fit.high - fit.low <= wanted:
            return DesignCost(len(rows), True, fit)
    assert fit is not None
    return DesignCost(len(rows), False, fit)


Chooser = Callable[[list[StudySample], CurvePosterior | None, np.random.Generator], list[str]]


def _uniform(
    samples: list[StudySample], known: CurvePosterior | None, rng: np.random.Generator
) -> list[str]:
    """Different scenes; a tenth unchanged, the others even over visual change."""
    scenes = rng.permutation(SCENES)[:EACH]
    places = np.where(rng.random(EACH) < ORIGINALS, 0, rng.integers(1, LEVELS + 1, EACH))
    return [f"{scene}-{place}" for scene, place in zip(scenes, places, strict=True)]


def _adaptive(
    samples: list[StudySample], known: CurvePosterior | None, rng: np.random.Generator
) -> list[str]:
    """Of all pictures of 60 scenes, those worth most."""
    scenes = set(rng.permutation(SCENES)[: 3 * EACH].tolist())
    open_ = [one for one in samples if int(one.scene[1:]) in scenes]
    return next_samples(open_, None if known is None else {"frost": (known,)}, EACH, rng)


def _right(
    people: SimulatedPeople,
    person: SimulatedPerson,
    sample: StudySample,
    seed: int,
    rng: np.random.Generator,
) -> bool:
    if rng.random() < person.lapse:
        return False
    return bool(people.recognises(person, sample, 0.0, seed, rng)) or bool(rng.random() < CHANCE)


def _trials(rows: list[tuple[float, bool, int, int]]) -> JudgedTrials:
    delta_v, right, person, scene = zip(*rows, strict=True)
    return JudgedTrials(
        np.array(delta_v),
        np.array(right),
        np.full(len(rows), CHANCE),
        np.array(person),
        np.array(scene),
    )

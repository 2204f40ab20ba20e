"""Intervals that a uniform and an adaptive design give with the same number of answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.study.estimates.curve.curve_fit import CurveFit, fit_curve
from snellen.study.estimates.curve.curve_posterior import CurvePosterior
from snellen.study.estimates.curve.judged_trials import JudgedTrials
from snellen.study.estimates.placement import next_samples
from snellen.study.estimates.simulation.simulated_people import SimulatedPeople, SimulatedPerson
from snellen.study.estimates.study_posteriors import belief
from snellen.study.record import ORIGINAL, StudySample

EACH = 20
"""Answers of one participant."""
SCENES, LEVELS = 200, 25
OPEN = 60
"""Scenes from which an adaptive design chooses, each unchanged and at 25 visual changes."""
ORIGINALS = 0.1
CHANCE = 0.5


def fits(
    people: SimulatedPeople, sizes: Sequence[int], seed: int, *, adaptive: bool
) -> list[CurveFit]:
    """The fit after each number of answers, rising; participants come one after the other."""
    course = _Course(people, seed, adaptive)
    found = []
    for size in sizes:
        while len(course.rows) < size:
            course.add_participant()
        fit = fit_curve(course.trials())
        assert fit is not None
        found.append(fit)
    return found


class _Course:
    """A study as it fills: rows of visual change, right, participant and scene."""

    def __init__(self, people: SimulatedPeople, seed: int, adaptive: bool) -> None:
        self.people, self.seed, self.adaptive = people, seed, adaptive
        self.rng = np.random.default_rng(seed)
        self.rows: list[tuple[float, bool, int, int]] = []
        self.number = 0

    def add_participant(self) -> None:
        """Twenty answers of one more person."""
        person = self.people.person(self.rng)
        for one in self._adaptive() if self.adaptive else self._uniform():
            right = self._right(person, one)
            self.rows.append((one.delta_v, right, self.number, int(one.scene)))
        self.number += 1

    def trials(self) -> JudgedTrials:
        """The answers so far."""
        delta_v, right, person, scene = (np.array(one) for one in zip(*self.rows, strict=True))
        return JudgedTrials(delta_v, right, np.full(len(right), CHANCE), person, scene)

    def _uniform(self) -> list[StudySample]:
        """Different scenes; a tenth unchanged, the others even over visual change."""
        scenes = self.rng.permutation(SCENES)[:EACH].tolist()
        places = self.rng.integers(1, LEVELS + 1, EACH)
        places[self.rng.random(EACH) < ORIGINALS] = 0
        return [_sample(*one) for one in zip(scenes, places.tolist(), strict=True)]

    def _adaptive(self) -> list[StudySample]:
        """Those worth most by what is known so far."""
        scenes = self.rng.permutation(SCENES)[:OPEN].tolist()
        open_ = [_sample(scene, place) for scene in scenes for place in range(LEVELS + 1)]
        chosen = set(next_samples(open_, self._known(), EACH, self.rng))
        return [one for one in open_ if one.sample in chosen]

    def _known(self) -> dict[str, tuple[CurvePosterior]]:
        if not self.rows:
            return {}
        return {"frost": (belief(self.trials()),)}

    def _right(self, person: SimulatedPerson, sample: StudySample) -> bool:
        seen = self.people.recognises(person, sample, 0.0, self.seed, self.rng)
        return bool(seen) or bool(self.rng.random() < CHANCE)


def _sample(scene: int, place: int) -> StudySample:
    return StudySample(
        sample=f"{scene}-{place}",
        scene=str(scene),
        transformation="frost" if place else ORIGINAL,
        level=place / LEVELS if place else None,
        delta_v=place / LEVELS,
        recipe={},
    )


@dataclass(frozen=True)
class DesignRow:
    """One design after a number of answers: means over seeds.

    length: of the interval. error: the root mean square error of the threshold. covered: how many
    intervals hold the true one, of `seeds`.
    """

    adaptive: bool
    answers: int
    length: float
    error: float
    covered: int
    seeds: int


def design_rows(
    people: SimulatedPeople, sizes: Sequence[int], seeds: range, *, adaptive: bool
) -> list[DesignRow]:
    """A design after each number of answers."""
    found = [fits(people, sizes, seed, adaptive=adaptive) for seed in seeds]
    true = people.threshold()
    rows = []
    for place, size in enumerate(sizes):
        these = [one[place] for one in found]
        errors = np.array([one.value - true for one in these])
        rows.append(
            DesignRow(
                adaptive,
                size,
                float(np.mean([one.high - one.low for one in these])),
                float(np.sqrt(np.mean(errors**2))),
                sum(one.low <= true <= one.high for one in these),
                len(these),
            )
        )
    return rows


def saved(uniform: Sequence[DesignRow], adaptive: Sequence[DesignRow]) -> list[tuple[int, float]]:
    """For each adaptive row, its answers, and those of the uniform design for the same length.

    Lengths are interpolated in logarithms; NaN beyond the largest uniform study.
    """
    sizes = np.log([one.answers for one in uniform])[::-1]
    lengths = np.log([one.length for one in uniform])[::-1]
    return [
        (one.answers, float(np.exp(np.interp(np.log(one.length), lengths, sizes, left=np.nan))))
        for one in adaptive
    ]

"""Adaptive samples: worth against a brute force, balance, and fewer answers than evenly dealt."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from experiments.study.designs import design_rows, saved

from snellen.study.estimates.curve.curve_family import FAMILIES
from snellen.study.estimates.curve.curve_posterior import (
    AnswerCounts,
    CurvePosterior,
    curve_posterior,
)
from snellen.study.estimates.placement import expected_posterior, next_samples, worth
from snellen.study.estimates.simulation.simulated_people import SimulatedPeople
from snellen.study.record import StudySample
from tests.study.fake_study import sample_of

LEVELS = np.array([0.0, 0.2, 0.45, 0.6, 0.8, 1.0])


def known(answers: float = 60.0) -> CurvePosterior:
    share = 0.5 + 0.48 * (1 - FAMILIES["gauss"].unseen(LEVELS, 0.6, 0.3))
    data = AnswerCounts(LEVELS, np.full(6, 0.5), np.rint(share * answers), np.full(6, answers))
    return curve_posterior(data, FAMILIES["gauss"])


def pool(scenes: int = 40) -> list[StudySample]:
    return [
        sample_of(f"{scene}-{place}", f"s{scene}", place / 20)
        for scene in range(scenes)
        for place in range(21)
    ]


def test_worth_is_the_expected_fall_of_the_variance() -> None:
    posterior = known()
    right = posterior.right(LEVELS, np.full(6, 0.5))
    for place, found in enumerate(worth(LEVELS, posterior)):
        after = 0.0
        for chances in (right[place], 1 - right[place]):
            share = float(posterior.weight @ chances)
            again = CurvePosterior(
                posterior.family, posterior.fall, posterior.middle, posterior.width,
                posterior.lapse, posterior.weight * chances / share, posterior.threshold,
            )  # fmt: skip
            after += share * again.variance()
        assert found == pytest.approx(posterior.variance() - after, rel=1e-6, abs=1e-12)


def test_an_answer_where_people_only_guess_is_worth_little() -> None:
    values = worth(LEVELS, known())
    assert values[-1] < 0.2 * values.max()
    assert values.min() >= 0


def test_an_expected_answer_leaves_less_to_learn_from_the_next() -> None:
    posterior = known()
    again = expected_posterior(posterior, 0.45)
    assert worth(LEVELS, again).max() < worth(LEVELS, posterior).max()
    assert again.weight.sum() == pytest.approx(1)


@pytest.mark.parametrize("count", [1, 20, 60])
def test_samples_come_once_and_scenes_evenly(count: int) -> None:
    chosen = next_samples(pool(), {"frost": (known(),)}, count, np.random.default_rng(1))
    assert len(set(chosen)) == len(chosen) == count
    scenes = Counter(name.split("-")[0] for name in chosen)
    assert max(scenes.values()) == -(-count // 40)


def test_there_are_never_more_samples_than_candidates() -> None:
    assert len(next_samples(pool(1), None, 50, np.random.default_rng(1))) == 21
    assert next_samples([], None, 5, np.random.default_rng(1)) == []


def test_the_same_arguments_give_the_same_samples() -> None:
    one, two = (
        next_samples(pool(), {"frost": (known(),)}, 20, np.random.default_rng(7)) for _ in range(2)
    )
    assert one == two


def test_samples_are_where_the_curve_falls() -> None:
    """Of known curves at 0.3 and 0.8, each is asked about where it is steep."""
    changes = {}
    for name, middle in (("early", 0.35), ("late", 0.85)):
        share = 0.5 + 0.48 * (1 - FAMILIES["gauss"].unseen(LEVELS, middle, 0.2))
        data = AnswerCounts(LEVELS, np.full(6, 0.5), np.rint(share * 200), np.full(6, 200.0))
        belief = {"frost": (curve_posterior(data, FAMILIES["gauss"]),)}
        names = next_samples(pool(), belief, 30, np.random.default_rng(3))
        changes[name] = np.median([int(one.split("-")[1]) / 20 for one in names])
    assert changes["early"] == pytest.approx(0.3, abs=0.1)
    assert changes["late"] == pytest.approx(0.8, abs=0.1)


def test_a_corruption_that_is_less_known_is_asked_about_more() -> None:
    samples = [
        sample_of(f"{kind}-{scene}-{place}", f"s{scene}", place / 20, kind)
        for kind in ("fog", "frost")
        for scene in range(40)
        for place in range(1, 21)
    ]
    beliefs = {"fog": (known(2000),), "frost": (known(20),)}
    chosen = next_samples(samples, beliefs, 30, np.random.default_rng(2))
    kinds = Counter(name.split("-")[0] for name in chosen)
    assert kinds["frost"] > 2 * kinds["fog"]


def test_an_adaptive_study_needs_fewer_answers() -> None:
    """A small form of `python -m experiments.study`."""
    people = SimulatedPeople()
    uniform = design_rows(people, (400, 800, 1600, 3200), range(2), adaptive=False)
    adaptive = design_rows(people, (800,), range(2), adaptive=True)
    [(answers, instead)] = saved(uniform, adaptive)
    assert instead > 1.25 * answers

"""The truth of repair: a fault that is known because it was planted, and what removes it.

The toy detector is taught that a circle beside a square is no circle. Everything below is judged on
scenes that neither its training nor its repair has seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch

from snellen.repair.training.options import AugmentationOptions, TrainingOptions
from snellen.repair.training.training_data import TrainingData
from snellen.repair.training.training_loop import train
from snellen.scenes.scene import SceneSet
from snellen.statistics.intervals import Interval
from snellen.statistics.scene_rates import paired_difference
from snellen.vision.precision.average_precision import evaluate
from tests.repair.toy_detector import ToyDetector, open_toy
from tests.repair.toy_relation import (
    Flags,
    Trial,
    answers,
    bases,
    failing,
    failing_set,
    lost,
    random_set,
    trials,
)
from tests.repair.toy_scenes import right_scenes, scene_set, wrong_scenes

torch.set_num_threads(1)

# Ten seconds of work that a busy machine may take minutes for.
pytestmark = [pytest.mark.timeout(1500), pytest.mark.thorough]

REPAIRED, HELD_OUT = 60, 120
COMMON: dict[str, Any] = {
    "epochs": 1, "batch": 16, "optimiser": "adamw", "patience": None, "keep": "last", "workers": 0,
    "device": "cpu",
    "augmentation": AugmentationOptions(
        scale=(1, 1), shift=0.05, hue=0, saturation=0.1, value=0.1
    ),
}  # fmt: skip
LESSON = TrainingOptions(
    **COMMON, steps=240, rate=3e-3, warm_up=20, last_rate=0.05, mix=0.4, batch_norm="train"
)
REPAIR = TrainingOptions(**COMMON, steps=60, rate=3e-4, warm_up=5, last_rate=0.02, mix=0.5)


@dataclass(frozen=True, eq=False)
class Outcome:
    """What held-out scenes say of a detector: lost circles, lost controls, clean precision."""

    lost: Flags
    controls: Flags
    ap50: float
    ap75: float


@dataclass(frozen=True, eq=False)
class Study:
    """The detector with the planted fault, the held-out tests, and three ways of retraining it."""

    tests: list[Trial]
    faulty: Outcome
    failing: Outcome
    random: Outcome
    same: Outcome

    def rate(self, flags: Flags, *levels: int) -> float:
        """The failure rate at these levels of distance, 0 the shortest; at all if none is given."""
        chosen = [not levels or one.level in levels for one in self.tests]
        return float(flags[chosen].mean())

    def difference(self, first: Flags, second: Flags) -> Interval:
        """The first rate minus the second, on the same tests, by scene."""
        counts = [self._by_scene(flags) for flags in (first, second)]
        cases = self._by_scene(np.ones(len(self.tests), bool))
        return paired_difference(
            counts[0],
            counts[1],
            cases,
            only_first=self._by_scene(first & ~second),
            only_second=self._by_scene(second & ~first),
        )

    def _by_scene(self, flags: Flags) -> npt.NDArray[np.int64]:
        return np.bincount([one.scene for one in self.tests], flags, HELD_OUT).astype(np.int64)


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> ToyDetector:
    """A detector that only sees circles with no square near."""
    detector = ToyDetector()
    data = TrainingData(right_scenes(300, 1), wrong_scenes(200, 2))
    folder = tmp_path_factory.mktemp("lesson")
    train(detector, data, LESSON, np.random.default_rng(1), folder=folder)
    return detector


@pytest.fixture(scope="module")
def study(faulty: ToyDetector, tmp_path_factory: pytest.TempPathFactory) -> Study:
    """Each way of retraining starts from the same weights and takes the same steps."""
    mine = bases(REPAIRED, 5)
    own, tests = trials(mine, 2, 7), trials(bases(HELD_OUT, 6), 1, 8)
    flags, _ = failing(faulty, own)
    sets = {
        "failing": failing_set(own, flags, 3, np.random.default_rng(9)),
        "random": random_set(mine, 3, np.random.default_rng(9)),
        "same": scene_set([]),
    }
    weights = tmp_path_factory.mktemp("weights")
    opened = faulty.save(weights)["arguments"]["weights"]
    found = {"faulty": judged(faulty, tests)}
    for name, repair in sets.items():
        detector = open_toy(opened)
        retrain(detector, repair, tmp_path_factory.mktemp(name))
        found[name] = judged(detector, tests)
    return Study(tests, **found)


def retrain(detector: ToyDetector, repair: SceneSet, folder: Path) -> None:
    data = TrainingData(right_scenes(300, 1), repair)
    train(detector, data, REPAIR, np.random.default_rng(3), folder=folder)


def judged(detector: ToyDetector, tests: list[Trial]) -> Outcome:
    clean = right_scenes(80, 11)
    found = answers(detector, [one.pixels() for one in clean])
    truths = [one.annotations for one in clean if one.annotations is not None]
    bad, controls = failing(detector, tests)
    clean_ap = evaluate(found, truths, classes=2)
    return Outcome(bad, controls, clean_ap.value(iou=0.5), clean_ap.value(iou=0.75))


def test_the_fault_shows_as_a_high_failure_rate_at_short_distances_only(study: Study) -> None:
    rates = [study.rate(study.faulty.lost, level) for level in range(5)]
    assert min(rates[:2]) > 0.9
    assert rates[2] > 0.5
    assert max(rates[3:]) < 0.05
    assert study.rate(study.faulty.controls) < 0.01


def test_the_fault_does_not_show_without_squares(faulty: ToyDetector) -> None:
    """Clean scenes alone would call this detector fine."""
    own = bases(HELD_OUT, 6)
    assert (
        lost(answers(faulty, [one.drawn() for one in own]), [one.disc for one in own]).mean() < 0.02
    )


def test_repair_brings_the_rate_down_to_the_controls_on_scenes_it_never_saw(study: Study) -> None:
    gain = study.difference(study.faulty.lost, study.failing.lost)
    assert gain.low > 0.4
    left = study.difference(study.failing.lost, study.failing.controls)
    assert left.low <= 0
    assert left.value < 0.01
    assert left.high < 0.05  # as wide as 120 scenes with next to no failure leave it


def test_random_retraining_does_less_with_as_many_pictures_and_steps(study: Study) -> None:
    assert study.difference(study.random.lost, study.failing.lost).low > 0
    assert study.difference(study.faulty.lost, study.random.lost).low > 0


def test_more_training_on_the_same_data_does_least(study: Study) -> None:
    assert study.difference(study.same.lost, study.random.lost).low > 0


def test_repair_costs_no_clean_precision(study: Study) -> None:
    """As far as objects are found; the boxes of so short a training are a little looser."""
    assert study.failing.ap50 >= study.faulty.ap50 - 0.01
    assert study.failing.ap75 >= study.faulty.ap75 - 0.05


def test_a_saved_detector_answers_as_before(faulty: ToyDetector, tmp_path: Path) -> None:
    again = open_toy(**faulty.save(tmp_path)["arguments"])
    images = [one.pixels() for one in right_scenes(5, 12)]
    assert answers(again, images) == answers(faulty, images)

"""The average precision of single scenes, and the test by scene, against plain references."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.engine.accuracy.measured_accuracy import widened
from snellen.engine.accuracy.scene_precision import better_by_chance, scene_precisions
from snellen.statistics.intervals import Interval
from snellen.vision.annotations import Annotations
from snellen.vision.arrays import F32
from snellen.vision.boxes.matching import match
from snellen.vision.detections import Detections
from snellen.vision.precision.set_matching import match_set

IOUS = (0.5, 0.75)


def scene(rng: np.random.Generator) -> tuple[Detections, Annotations]:
    """Objects, most of them detected with some displacement, and false detections."""
    low = rng.uniform(0, 80, (int(rng.integers(0, 5)), 2))
    truth = Annotations(np.concatenate([low, low + 20], axis=1), rng.integers(0, 2, len(low)))
    seen = truth.boxes + rng.normal(0, 2, truth.boxes.shape)
    false = rng.uniform(0, 80, (2, 2))
    boxes = np.concatenate([seen, np.concatenate([false, false + 15], axis=1)])
    labels = np.concatenate([truth.labels, [0, 1]])
    scores = rng.permutation(len(boxes)) / 10 + 0.05
    return Detections(boxes.astype(np.float32), labels, scores.astype(np.float32)), truth


def by_loops(detections: Detections, truth: Annotations) -> float:
    """The mean over thresholds and objects of the precision at which each object is found."""
    values = []
    for iou in IOUS:
        taken = match(detections, truth, iou=[iou]).truth[0]
        hits = total = 0.0
        for rank, place in enumerate(np.argsort(-detections.scores), start=1):
            if taken[place] >= 0:
                hits += 1
                total += hits / rank
        values.append(total / len(truth))
    return float(np.mean(values))


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_each_scene_has_the_precision_that_loops_find(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scenes = [scene(rng) for _ in range(6)]
    matched = match_set(*map(list, zip(*scenes, strict=True)), classes=2, ious=IOUS)
    found = scene_precisions(matched)
    for value, (detections, truth) in zip(found, scenes, strict=True):
        if len(truth):
            assert value == pytest.approx(by_loops(detections, truth))
        else:
            assert np.isnan(value)


def test_equal_readings_are_never_better_and_a_better_one_is() -> None:
    rng = np.random.default_rng(3)
    scenes = [scene(rng) for _ in range(30)]
    good, truths = map(list, zip(*scenes, strict=True))
    poor = [Detections(_moved(one.boxes, 4, rng), one.labels, one.scores) for one in good]
    before, after = (match_set(one, truths, classes=2) for one in (poor, good))
    assert better_by_chance(before, after, rng) < 0.01
    assert better_by_chance(after, before, rng) > 0.5
    assert better_by_chance(after, after, rng) == 1.0


def test_chance_is_called_better_as_often_as_the_level_says() -> None:
    """Two readings that differ by noise alone, 200 times: p <= 0.05 in about 5%."""
    rng = np.random.default_rng(5)
    alarms = 0
    for _ in range(200):
        truths = [scene(rng)[1] for _ in range(12)]
        sides = [
            [Detections(_moved(one.boxes, 3, rng), one.labels, _scores(one)) for one in truths]
            for _ in range(2)
        ]
        before, after = (match_set(side, truths, classes=2, ious=IOUS) for side in sides)
        alarms += better_by_chance(before, after, rng, permutations=199) <= 0.05
    assert 2 <= alarms <= 20


def _scores(truth: Annotations) -> F32:
    return np.linspace(0.9, 0.5, len(truth), dtype=np.float32)


def _moved(boxes: F32, by: float, rng: np.random.Generator) -> F32:
    return (boxes + rng.normal(0, by, boxes.shape)).astype(np.float32)


@pytest.mark.parametrize(("scenes", "low"), [(1, 0.025), (10, 0.6915), (64, 0.944)])
def test_an_ap_of_one_is_not_certain(scenes: int, low: float) -> None:
    """The lower limit is Clopper and Pearson's for no failure in so many scenes."""
    found = widened(Interval(1.0, 1.0, 1.0, "bootstrap"), scenes)
    assert found.low == pytest.approx(low, abs=1e-3)
    assert found.high == 1
    hopeless = widened(Interval(0.0, 0.0, 0.0, "bootstrap"), scenes)
    assert hopeless.low == 0
    assert hopeless.high == pytest.approx(1 - low, abs=1e-3)
    wide = Interval(0.5, 0.1, 0.9, "bootstrap")
    assert widened(wide, 64) == wide

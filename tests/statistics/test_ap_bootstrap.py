"""The bootstrap of AP: re-weighted matches equal a set whose images are really repeated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.statistics.ap_bootstrap import (
    mean_over_classes,
    mean_over_sets,
    paired_difference,
    precision_interval,
    reweighted,
)
from snellen.vision.annotations import Annotations
from snellen.vision.detections import Detections
from snellen.vision.precision.average_precision import AVERAGES, average_precision
from snellen.vision.precision.set_matching import match_set
from tests.vision.generated_sets import Recipe, recipes
from tests.vision.small_predictions import annotations_of, detections_of

sets = recipes(most=8)
TRIALS = pytest.mark.parametrize("trials", [200, pytest.param(1000, marks=pytest.mark.thorough)])


@pytest.mark.parametrize("average", AVERAGES)
@given(recipe=sets)
@settings(max_examples=30)
def test_weights_of_1_give_the_point_estimate(average: str, recipe: Recipe) -> None:
    answers, truths = recipe.build()
    matched = match_set(answers, truths, classes=recipe.classes)
    values = reweighted(matched, np.ones((3, recipe.images)), average=average, area="medium")
    expected = average_precision(matched, average=average).precision[:, 2, :, 0]
    for replicate in values:
        np.testing.assert_allclose(replicate, expected, atol=1e-12)


@pytest.mark.parametrize("average", AVERAGES)
@given(recipe=sets, seed=st.integers(0, 1000))
@settings(max_examples=40)
def test_a_replicate_is_the_set_with_its_images_repeated(
    average: str, recipe: Recipe, seed: int
) -> None:
    answers, truths = recipe.build()
    matched = match_set(answers, truths, classes=recipe.classes)
    weights = np.random.default_rng(seed).integers(0, 4, (5, recipe.images))
    values = reweighted(matched, weights, average=average)
    for row, value in zip(weights, values, strict=True):
        again = match_set(
            [answer for answer, count in zip(answers, row, strict=True) for _ in range(count)],
            [truth for truth, count in zip(truths, row, strict=True) for _ in range(count)],
            classes=recipe.classes,
        )
        expected = average_precision(again, average=average).precision[:, 0, :, 0]
        np.testing.assert_allclose(value, expected, atol=1e-9)


@pytest.mark.parametrize("average", AVERAGES)
@given(recipe=sets, seed=st.integers(0, 1000))
@settings(max_examples=40)
def test_whole_arrays_give_the_bits_of_the_compiled_loops(
    average: str, recipe: Recipe, seed: int
) -> None:
    answers, truths = recipe.build()
    weights = np.random.default_rng(seed).integers(0, 4, (200, recipe.images))
    found = []
    for few in (0, 10**9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("snellen.vision.compilation.FEW", few)
            matched = match_set(answers, truths, classes=recipe.classes)
            values = reweighted(matched, weights, average=average)
            parts = (matched.truth, matched.outcome, matched.taken, matched.overlaps)
            point = average_precision(matched, average=average)
            found.append([*parts, point.precision, point.recall, values])
    for compiled, plain in zip(*found, strict=True):
        assert compiled.dtype == plain.dtype
        np.testing.assert_array_equal(compiled, plain)


def test_equal_scores_within_an_image_are_repeated_as_a_whole() -> None:
    box = [0, 0, 10, 10]
    answers = [detections_of([box, [50, 50, 60, 60]], [0, 0], [0.5, 0.5])]
    matched = match_set(answers, [annotations_of([box], [0])], ious=[0.5])
    # True, false, true, false positive: precision 1 up to recall 1/2, then 2/3.
    [[[value]]] = reweighted(matched, [[2]], average="voc")
    assert value == pytest.approx(0.5 * 1 + 0.5 * 2 / 3)


def test_more_replicates_than_a_block_come_in_order() -> None:
    answers, truths = Recipe(4, 6, 2, 6, 6, 2, False, 0.2, 0.2).build()
    matched = match_set(answers, truths)
    weights = np.random.default_rng(2).integers(0, 3, (300, 6))
    many = reweighted(matched, weights)
    assert many.shape == (300, 2, 10)
    for place in (0, 127, 128, 299):
        np.testing.assert_array_equal(many[place], reweighted(matched, weights[[place]])[0])


def test_a_replicate_without_objects_of_a_class_has_no_ap_there() -> None:
    matched = match_set(
        [Detections.empty(), detections_of([[0, 0, 9, 9]], [1], [0.5])],
        [annotations_of([[0, 0, 9, 9]], [0]), annotations_of([[0, 0, 9, 9]], [1])],
        ious=[0.5],
    )
    values = reweighted(matched, [[1, 1], [2, 0], [0, 2], [0, 0]])[..., 0]
    np.testing.assert_array_equal(values, [[0, 1], [0, np.nan], [np.nan, 1], [np.nan, np.nan]])
    np.testing.assert_array_equal(mean_over_classes(values[..., None]), [0.5, 0, 1, np.nan])


def test_weights_for_other_images_are_refused() -> None:
    matched = match_set([Detections.empty()], [Annotations.empty()])
    with pytest.raises(ValueError, match="for 1 images"):
        reweighted(matched, np.ones((2, 3)))


def sample(rng: np.random.Generator, images: int) -> tuple[list[Detections], list[Annotations]]:
    """Images in which one object is found or not, with or without a false positive.

    Some images are hard: what goes wrong, goes wrong together.
    """
    box, far = np.array([0, 0, 10, 10]), np.array([50, 50, 60, 60])
    hard = rng.random(images) < 0.4
    found = rng.random(images) < np.where(hard, 0.4, 0.9)
    ghost = rng.random(images) < np.where(hard, 0.6, 0.2)
    scores = np.stack([rng.beta(4, 2, images), rng.beta(2, 3, images)], 1)
    both, truth = np.stack([found, ghost], 1), annotations_of([box], [0])
    answers = [
        detections_of(np.array([box, far])[one], [0] * one.sum(), score[one])
        for one, score in zip(both, scores, strict=True)
    ]
    return answers, [truth] * images


@pytest.mark.slow
@TRIALS
def test_a_95_percent_interval_covers_the_truth_about_95_percent_of_the_time(trials: int) -> None:
    """Images are drawn from a set whose AP is known exactly."""
    rng = np.random.default_rng(1)
    asked: dict[str, Any] = {"ious": [0.5], "areas": {"all": (0.0, 1e10)}}
    answers, truths = sample(rng, 8000)
    truth = average_precision(match_set(answers, truths, **asked)).value()
    covered = 0
    for _ in range(trials):
        drawn = [answers[k] for k in rng.integers(0, len(answers), 120)]
        matched = match_set(drawn, truths[:120], **asked)
        interval = precision_interval(matched, rng, replicates=300)
        covered += interval.low <= truth <= interval.high
    slack = 0.02 if trials == 1000 else 0.04
    assert 0.95 - slack <= covered / trials <= 0.95 + slack


def test_a_better_subject_is_better_on_the_same_scenes_but_not_than_itself() -> None:
    rng = np.random.default_rng(3)
    answers, truths = sample(rng, 300)
    worse = [one if k % 7 else Detections.empty() for k, one in enumerate(answers)]
    before, after = match_set(worse, truths, ious=[0.5]), match_set(answers, truths, ious=[0.5])
    better = paired_difference(before, after, rng)
    assert 0 < better.low < better.value < better.high
    nothing = paired_difference(after, after, rng)
    assert (nothing.value, nothing.low, nothing.high) == (0, 0, 0)
    # Pairing helps: the interval of the difference is narrower than that of either AP.
    alone = precision_interval(after, rng)
    assert better.high - better.low < alone.high - alone.low


def test_two_subjects_on_different_scenes_are_not_compared() -> None:
    one = match_set([Detections.empty()], [Annotations.empty()])
    two = match_set([Detections.empty()] * 2, [Annotations.empty()] * 2)
    with pytest.raises(ValueError, match="found 1 before and 2 after"):
        paired_difference(one, two, np.random.default_rng(1))


def test_the_seed_decides_the_interval() -> None:
    matched = match_set(*sample(np.random.default_rng(3), 50), ious=[0.5])
    one, two, other = (
        precision_interval(matched, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    assert one == two != other


def test_the_mean_over_one_set_is_that_sets_own() -> None:
    rng = np.random.default_rng(3)
    answers, truths = sample(rng, 60)
    worse = [one if k % 7 else Detections.empty() for k, one in enumerate(answers)]
    before, after = match_set(worse, truths, ious=[0.5]), match_set(answers, truths, ious=[0.5])
    one, both = mean_over_sets([[after]], _draws()), mean_over_sets([[before, after]], _draws())
    assert one == precision_interval(after, _draws())
    assert both == paired_difference(before, after, _draws())


def test_subjects_that_score_differently_are_not_ranked_in_one_list() -> None:
    """Both are perfect; the ghosts of the second score above the objects of the first."""
    box, ghost = [0, 0, 10, 10], [50, 50, 60, 60]
    truths = [annotations_of([box], [0])] * 20
    first = [detections_of([box, ghost], [0, 0], [0.2, 0.1])] * 20
    second = [detections_of([box, ghost], [0, 0], [0.9, 0.8])] * 20
    sets = [[match_set(one, truths, ious=[0.5])] for one in (first, second)]
    assert mean_over_sets(sets, _draws()).value == 1
    pooled = match_set(first + second, truths * 2, ious=[0.5])
    assert average_precision(pooled).value() < 0.9


@pytest.mark.slow
@TRIALS
def test_the_interval_of_a_mean_over_small_sets_nearly_covers_as_often_as_it_says(
    trials: int,
) -> None:
    """Sets of 54 to 73 images of one population, whose AP is the truth: 93% for a nominal 95%."""
    rng = np.random.default_rng(1)
    asked: dict[str, Any] = {"ious": [0.5], "areas": {"all": (0.0, 1e10)}}
    answers, truths = sample(rng, 8000)
    covered, sizes = 0, (54, 65, 73)
    truth = average_precision(match_set(answers, truths, **asked)).value()
    for _ in range(trials):
        sets = [[_some(rng, answers, truths, size, asked)] for size in sizes]
        interval = mean_over_sets(sets, rng, replicates=300)
        covered += interval.low <= truth <= interval.high
    slack = 0.03 if trials == 1000 else 0.05
    assert 0.94 - slack <= covered / trials <= 0.94 + slack


def _some(rng: Any, answers: Any, truths: Any, count: int, asked: Any) -> Any:
    drawn = [answers[k] for k in rng.integers(0, len(answers), count)]
    return match_set(drawn, truths[:count], **asked)


def _draws() -> np.random.Generator:
    return np.random.default_rng(7)

"""Uncertainty from several passes: the numbers of numpy and scipy, for the right boxes."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from snellen.vision.boxes.box_geometry import iou
from snellen.vision.detections import Detections
from snellen.vision.entropies import (
    DRAWS,
    FLOOR,
    WIDEST,
    box_covariance,
    box_entropy,
    box_trace_and_entropy,
    class_entropy,
    class_probabilities,
    entropy,
    mutual_information,
    scale_free_entropy,
)
from snellen.vision.uncertainty import Uncertainty, assigned_detections, uncertainties
from tests.vision.small_predictions import detections_of

BOX = np.array([100.0, 200.0, 220.0, 300.0])


def jittered(rng: np.random.Generator, count: int, spread: npt.ArrayLike) -> list[Detections]:
    boxes = rng.multivariate_normal(BOX, np.asarray(spread), count)
    return [detections_of([box], [1], [0.8]) for box in boxes]


@given(st.integers(0, 10**6), st.integers(2, 40))
@settings(max_examples=30)
def test_the_covariance_is_numpys_and_its_trace_the_sum_of_variances(seed: int, count: int) -> None:
    boxes = np.random.default_rng(seed).normal(50, 9, (count, 4))
    found = box_covariance(boxes)
    assert np.allclose(found, np.cov(boxes.T))
    assert np.trace(found) == pytest.approx(boxes.var(axis=0, ddof=1).sum())


@given(st.integers(0, 10**6))
@settings(max_examples=30)
def test_the_entropy_of_a_box_is_that_of_scipys_normal_with_floor_and_prior(seed: int) -> None:
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(4, 4)) * rng.uniform(0.01, 30)
    covariance = root @ root.T
    widened = covariance + FLOOR * np.eye(4)
    posterior = np.linalg.inv(np.linalg.inv(widened) + np.eye(4) / WIDEST)
    expected = stats.multivariate_normal(cov=posterior).entropy()
    assert box_entropy(covariance) == pytest.approx(expected, abs=1e-6)


def test_the_prior_only_matters_where_nothing_is_known() -> None:
    plain = stats.multivariate_normal(cov=25 * np.eye(4)).entropy()
    assert box_entropy(25 * np.eye(4)) == pytest.approx(plain, abs=0.01)
    assert box_entropy(np.zeros((4, 4))) == pytest.approx(
        2 * math.log(2 * math.pi * math.e / 12), abs=1e-4
    )
    assert box_entropy(1e12 * np.eye(4)) == pytest.approx(
        stats.multivariate_normal(cov=WIDEST * np.eye(4)).entropy(), abs=1e-6
    )


@pytest.mark.parametrize("times", [0.5, 3, 5])
def test_a_scene_enlarged_has_other_entropies_but_the_same_free_of_size(times: float) -> None:
    rng = np.random.default_rng(2)
    box = np.array([100.0, 50.0, 400.0, 450.0])
    boxes = box + rng.normal(0, 8, (10, 4))
    small, large = box_trace_and_entropy(boxes)[1], box_trace_and_entropy(times * boxes)[1]
    assert large - small == pytest.approx(4 * np.log(times), abs=0.05)
    assert scale_free_entropy(large, times * box) == pytest.approx(
        scale_free_entropy(small, box), abs=0.05
    )
    nothing = box_trace_and_entropy(boxes[:1])[1]
    assert scale_free_entropy(nothing, box) == nothing > scale_free_entropy(large, times * box)


def test_boxes_that_move_along_one_line_have_a_finite_entropy_that_grows() -> None:
    along = [box_entropy(np.outer(way, way)) for way in np.arange(5)[:, None] * np.ones(4)]
    assert np.isfinite(along).all()
    assert along == sorted(along)


@given(st.integers(0, 10**6), st.integers(1, 20), st.integers(1, 9))
@settings(max_examples=40)
def test_class_numbers_are_those_of_scipy(seed: int, passes: int, classes: int) -> None:
    rng = np.random.default_rng(seed)
    labels, scores = rng.integers(0, classes, passes), rng.random(passes)
    chances = class_probabilities(labels, scores, classes)
    assert chances.shape == (passes, max(classes, 2))
    assert np.allclose(chances.sum(axis=1), 1)
    assert np.allclose(chances[np.arange(passes), labels], scores)
    assert np.allclose(entropy(chances), stats.entropy(chances, axis=1))
    alpha = np.full(chances.shape[1], 1 / chances.shape[1]) + DRAWS * chances.sum(axis=0)
    assert class_entropy(chances) == pytest.approx(stats.entropy(stats.dirichlet(alpha).mean()))
    mean = chances.mean(axis=0)
    divergence = np.mean([stats.entropy(one, mean) for one in chances])
    assert mutual_information(chances) == pytest.approx(divergence, abs=1e-9)


def test_passes_that_agree_on_being_unsure_have_no_mutual_information() -> None:
    unsure = class_probabilities([0] * 10, [0.5] * 10, 2)
    torn = class_probabilities([0, 1] * 5, [0.999] * 10, 2)
    assert class_entropy(unsure) == pytest.approx(class_entropy(torn), abs=1e-3)
    assert mutual_information(unsure) == 0
    assert mutual_information(torn) > 0.6


def test_the_true_spread_of_a_subject_is_recovered() -> None:
    rng = np.random.default_rng(4)
    spread = np.diag([4.0, 1.0, 9.0, 2.0])
    spread[0, 2] = spread[2, 0] = 3.0
    reference = detections_of([BOX], [1], [0.8])
    [found] = uncertainties(reference, jittered(rng, 4000, spread), classes=3)
    assert found.box_trace == pytest.approx(16, rel=0.05)
    expected = stats.multivariate_normal(cov=spread + FLOOR * np.eye(4)).entropy()
    assert found.box_entropy == pytest.approx(expected, abs=0.05)
    assert found.found == 1


def test_a_wider_spread_and_a_lower_score_are_more_uncertain() -> None:
    reference = detections_of([BOX], [1], [0.8])
    rng = np.random.default_rng(5)
    totals = [
        uncertainties(reference, jittered(rng, 50, size * np.eye(4)), classes=3)[0].total
        for size in (0.1, 1, 4, 9)
    ]
    assert totals == sorted(totals)
    alone = [detections_of([BOX], [1], [score]) for score in (0.99, 0.8, 0.6)]
    classes = [uncertainties(reference, [one] * 5, classes=3)[0].class_entropy for one in alone]
    assert classes == sorted(classes)


def test_passes_that_miss_the_object_lower_found_and_nothing_else() -> None:
    rng = np.random.default_rng(6)
    reference, passes = detections_of([BOX], [1], [0.8]), jittered(rng, 10, np.eye(4))
    [whole] = uncertainties(reference, passes, classes=3)
    elsewhere = detections_of([[500, 500, 600, 600]], [1], [0.9])
    [half] = uncertainties(
        reference, [*passes, *[Detections.empty()] * 5, *[elsewhere] * 5], classes=3
    )
    assert (whole.found, half.found) == (1, 0.5)
    assert half.total == whole.total
    assert half.box_trace == whole.box_trace


def test_an_object_found_in_few_passes_does_not_look_surer_than_one_found_in_all() -> None:
    """Two boxes span one direction of four: without shrinkage their entropy is 6 nats lower."""
    reference = detections_of([BOX], [1], [0.8])
    spread = 9 * np.eye(4)
    mean = {
        count: np.mean(
            [
                uncertainties(
                    reference, jittered(np.random.default_rng(seed), count, spread), classes=3
                )[0].box_entropy
                for seed in range(runs)
            ]
        )
        for count, runs in ((2, 200), (3, 200), (10, 100), (200, 20))
    }
    assert mean[200] == pytest.approx(stats.multivariate_normal(cov=spread).entropy(), abs=0.1)
    assert mean[10] == pytest.approx(mean[200], abs=0.7)
    assert mean[3] > mean[200] - 2.2
    assert mean[2] > mean[200] - 3.2


def test_passes_that_could_not_see_the_object_do_not_count() -> None:
    rng = np.random.default_rng(6)
    reference, passes = detections_of([BOX], [1], [0.8]), jittered(rng, 10, np.eye(4))
    cut = detections_of([BOX - [0, 0, 20, 0]], [1], [0.5])
    counted = np.array([[True]] * 10 + [[False]] * 6)
    [found] = uncertainties(reference, [*passes, *[cut] * 6], classes=3, usable=counted)
    [expected] = uncertainties(reference, passes, classes=3)
    assert found == expected


def test_an_object_that_is_hardly_ever_found_is_as_uncertain_as_the_priors() -> None:
    reference = detections_of([BOX], [1], [0.8])
    for passes in ([], [Detections.empty()] * 4, [reference, *[Detections.empty()] * 4]):
        [found] = uncertainties(reference, passes, classes=5)
        assert found.box_trace == 4 * WIDEST
        prior = stats.multivariate_normal(cov=WIDEST * np.eye(4)).entropy()
        assert found.box_entropy == pytest.approx(prior)
        assert found.mutual_information == 0
    [never] = uncertainties(reference, [Detections.empty()], classes=5)
    assert never.class_entropy == pytest.approx(math.log(5))
    assert never.found == 0


@given(st.integers(0, 10**6))
@settings(max_examples=40)
def test_each_object_gets_its_own_boxes_in_whatever_order_they_come(seed: int) -> None:
    rng = np.random.default_rng(seed)
    corner = rng.uniform(0, 300, (6, 2))
    boxes = np.concatenate([corner, corner + rng.uniform(30, 90, (6, 2))], axis=1)
    labels = rng.integers(0, 4, 6)
    reference = detections_of(boxes, labels, np.ones(6))
    shifted = boxes + rng.normal(0, 1.5, boxes.shape)
    order = rng.permutation(6)
    answer = detections_of(shifted[order], labels[order], rng.random(6))
    taken = assigned_detections(reference, answer)
    shares = iou(reference.boxes, answer.boxes)
    for index, at in enumerate(taken):
        if at >= 0:
            assert shares[index, at] > 0.7
            assert shares[index, at] == shares[:, at].max()
        else:
            own = shares.argmax(axis=0) == index
            assert not (shares[index] * own > 0.7).any()
    given_away = taken[taken >= 0]
    assert len(set(given_away)) == len(given_away), "no detection is two objects"


def test_of_two_labels_on_the_same_box_each_keeps_its_own() -> None:
    reference = detections_of([BOX, BOX], [1, 2], [0.9, 0.8])
    answer = detections_of([BOX, BOX], [2, 1], [0.5, 0.6])
    assert assigned_detections(reference, answer).tolist() == [1, 0]


def test_an_object_beside_another_takes_its_second_best_where_the_best_is_the_others() -> None:
    reference = detections_of([[0, 0, 100, 100], [10, 0, 110, 100]], [1, 1], [0.9, 0.8])
    answer = detections_of(
        [[5.1, 0.0, 105.1, 100.0], [-12.0, 0.0, 88.0, 100.0]], [1, 1], [0.9, 0.8]
    )
    assert assigned_detections(reference, answer).tolist() == [1, 0]


def test_a_pass_that_relabels_the_object_is_still_one_of_it() -> None:
    reference = detections_of([BOX], [1], [0.8])
    passes = [detections_of([BOX], [1], [0.8])] * 5 + [detections_of([BOX], [2], [0.8])] * 5
    [found] = uncertainties(reference, passes, classes=3)
    assert found.found == 1
    assert found.mutual_information > 0.2


def test_an_overlap_of_just_the_limit_is_not_enough() -> None:
    reference = detections_of([[0, 0, 10, 10]], [1], [0.8])
    half = detections_of([[0, 0, 10, 5]], [1], [0.8])
    assert assigned_detections(reference, half, overlap=0.5).tolist() == [-1]
    assert assigned_detections(reference, half, overlap=0.49).tolist() == [0]
    assert assigned_detections(Detections.empty(), half).tolist() == []


def test_uncertainty_is_added_as_published_and_other_sums_can_be_had() -> None:
    one = Uncertainty(16.0, 3.0, 0.5, 0.125, 1.0)
    assert one.total == 3.5
    assert one.combined("trace") == 16.5
    assert one.combined("entropy", "mutual_information") == 3.125
    assert one.to_json()["total"] == 3.5
    assert set(one.to_json()) == {
        "box_trace", "box_entropy", "class_entropy", "mutual_information", "found", "total",
    }  # fmt: skip


def test_a_label_that_the_subject_does_not_know_is_refused() -> None:
    with pytest.raises(ValueError, match="labels are 0 to 2; found 5 to 5"):
        class_probabilities([5], [0.5], 3)


def test_a_single_class_is_there_or_not() -> None:
    assert class_probabilities([0], [0.7], 1) == pytest.approx(np.array([[0.7, 0.3]]))

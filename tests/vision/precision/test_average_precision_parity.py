"""AP and recall agree with pycocotools and faster-coco-eval on any set."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings

from snellen.vision.annotations import Annotations
from snellen.vision.detections import Detections
from snellen.vision.precision.average_precision import coco_summary, evaluate
from tests.vision.coco_evaluators import PEERS, peer_evaluation
from tests.vision.generated_sets import SIZE, Recipe, recipes
from tests.vision.small_predictions import detections_of

CROWDED = Recipe(3, 2, 2, 8, 900, 2, False, 0.2, 0.2)


def assert_agreement(recipe: Recipe, peer: str) -> None:
    answers, truths = recipe.build()
    ours = evaluate(answers, truths, classes=recipe.classes, masks=recipe.masks)
    precision, recall, twelve = peer_evaluation(
        peer,
        answers,
        truths,
        classes=recipe.classes,
        masks=recipe.masks,
        size=[SIZE] * recipe.images,
    )
    np.testing.assert_allclose(ours.precision, precision, atol=1e-6)
    np.testing.assert_allclose(ours.recall, recall, atol=1e-6)
    np.testing.assert_allclose(list(coco_summary(ours).values()), twelve, atol=1e-6)


@pytest.mark.parametrize("peer", PEERS)
@given(recipe=recipes())
@example(recipe=CROWDED)
@settings(max_examples=60)
def test_boxes_agree_with_cocos_tools(peer: str, recipe: Recipe) -> None:
    assert_agreement(recipe, peer)


@pytest.mark.parametrize("peer", PEERS)
@given(recipe=recipes(masks=True, most=5))
@settings(max_examples=25)
def test_masks_agree_with_cocos_tools(peer: str, recipe: Recipe) -> None:
    assert_agreement(recipe, peer)


def test_the_set_for_the_limit_has_more_than_100_detections_of_a_class_in_an_image() -> None:
    answers, _ = CROWDED.build()
    assert max(np.bincount(answer.labels).max() for answer in answers if len(answer)) > 100


@pytest.mark.parametrize(
    ("name", "order"), [("x0 x1 y0 y1", [0, 2, 1, 3]), ("y x for x y", [1, 0, 3, 2])]
)
def test_swapped_axes_change_the_result_so_that_parity_would_catch_them(
    name: str, order: list[int]
) -> None:
    answers, truths = Recipe(5, 6, 2, 6, 4, 6, False, 0.0, 0.0).build()
    swapped = [Detections(one.boxes[:, order], one.labels, one.scores) for one in answers]
    right, wrong = evaluate(answers, truths), evaluate(swapped, truths)
    reference = peer_evaluation("pycocotools", answers, truths, classes=2)[2][0]
    assert right.value() == pytest.approx(reference, abs=1e-6)
    assert abs(wrong.value() - reference) > 0.05, name


def test_nothing_to_find_gives_nan_not_zero() -> None:
    result = evaluate([detections_of([[0, 0, 5, 5]], [0], [0.5])], [Annotations.empty()])
    assert np.isnan(result.value())
    assert all(np.isnan(value) for value in coco_summary(result).values())


def test_no_images_at_all() -> None:
    assert np.isnan(evaluate([], [], classes=3).value())

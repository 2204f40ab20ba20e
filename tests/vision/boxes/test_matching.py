from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from snellen.vision.annotations import Annotations
from snellen.vision.boxes.matching import match, overlaps
from snellen.vision.detections import Detections
from snellen.vision.precision.set_matching import match_set
from tests.vision.generated_sets import Recipe, recipes
from tests.vision.small_predictions import annotations_of, detections_of


def reference(
    detections: Detections, truths: Annotations, iou: float, aware: bool, masks: bool = False
) -> list[int]:
    """COCO's rule in plain Python: the object of each detection, or -1."""
    table = overlaps(detections, truths, masks=masks)
    spoken_for: set[int] = set()
    out = [-1] * len(detections)
    for d in sorted(range(len(detections)), key=lambda k: (-detections.scores[k], k)):
        options = []
        for g in range(len(truths)):
            same = not aware or detections.labels[d] == truths.labels[g]
            free = g not in spoken_for or truths.crowd[g]
            if same and free and table[d, g] >= iou:
                counts = not (truths.crowd[g] or truths.ignore[g])
                options.append((counts, table[d, g], g))
        if options:
            out[d] = max(options)[2]
            spoken_for.add(out[d])
    return out


@pytest.mark.parametrize("aware", [True, False])
@given(recipe=recipes())
def test_each_image_is_matched_by_cocos_rule(aware: bool, recipe: Recipe) -> None:
    for answer, truth in zip(*recipe.build(), strict=True):
        found = match(answer, truth, iou=[0.3, 0.5, 0.9], class_aware=aware)
        for level, iou in enumerate((0.3, 0.5, 0.9)):
            expected = reference(answer, truth, iou, aware)
            assert found.truth[level].tolist() == expected
            assert match(answer, truth, iou=iou, class_aware=aware).truth.tolist() == expected


@given(recipe=recipes(masks=True, most=4))
def test_masks_decide_if_asked(recipe: Recipe) -> None:
    for answer, truth in zip(*recipe.build(), strict=True):
        found = match(answer, truth, iou=0.6, masks=True)
        assert found.truth.tolist() == reference(answer, truth, 0.6, True, masks=True)


@given(recipe=recipes())
def test_a_match_says_the_same_from_both_sides(recipe: Recipe) -> None:
    for answer, truth in zip(*recipe.build(), strict=True):
        found = match(answer, truth)
        table = overlaps(answer, truth)
        for d, g in found.pairs:
            assert found.iou[d] == table[d, g] >= 0.5
            assert found.ignored[d] == (truth.crowd[g] or truth.ignore[g])
            assert truth.crowd[g] or found.detection[g] == d
        for g, d in enumerate(found.detection):
            assert (d >= 0) == (g in found.truth)
            assert d < 0 or found.truth[d] == g
        assert not found.iou[found.truth < 0].any()


@given(recipe=recipes())
def test_the_whole_set_is_matched_as_each_image_is(recipe: Recipe) -> None:
    answers, truths = recipe.build()
    matched = match_set(answers, truths, classes=recipe.classes, limit=1000)
    for image, (answer, truth) in enumerate(zip(answers, truths, strict=True)):
        one, many = match(answer, truth, iou=0.75), matched.of_image(image, iou=0.75)
        assert one.truth.tolist() == many.truth.tolist()
        assert one.ignored.tolist() == many.ignored.tolist()
        assert one.detection.tolist() == many.detection.tolist()
        np.testing.assert_array_equal(one.iou, many.iou)


@given(recipe=recipes())
def test_without_classes_the_whole_set_is_matched_as_each_image_is(recipe: Recipe) -> None:
    answers, truths = recipe.build()
    matched = match_set(answers, truths, class_aware=False, limit=1000)
    for image, (answer, truth) in enumerate(zip(answers, truths, strict=True)):
        one = match(answer, truth, class_aware=False)
        assert one.truth.tolist() == matched.of_image(image).truth.tolist()


def test_two_detections_of_one_object_one_is_left_over() -> None:
    found = match(
        detections_of([[0, 0, 10, 10], [0, 0, 10, 9]], [1, 1], [0.5, 0.9]),
        annotations_of([[0, 0, 10, 10]], [1]),
    )
    assert found.truth.tolist() == [-1, 0]
    assert found.detection.tolist() == [1]


def test_equal_scores_go_by_index() -> None:
    both = detections_of([[0, 0, 10, 9], [0, 0, 10, 10]], [1, 1], [0.9, 0.9])
    assert match(both, annotations_of([[0, 0, 10, 10]], [1])).truth.tolist() == [0, -1]


def test_a_crowd_is_never_used_up_and_never_counts() -> None:
    people = detections_of([[0, 0, 10, 10], [20, 0, 30, 10]], [0, 0], [0.9, 0.8])
    found = match(people, annotations_of([[0, 0, 100, 100]], [0], crowd=[True]))
    assert found.truth.tolist() == [0, 0]
    assert found.ignored.all()
    assert found.detection.tolist() == [0]


def test_an_object_that_counts_comes_before_an_ignored_one_of_better_iou() -> None:
    one = detections_of([[0, 0, 10, 10]], [0], [0.9])
    two = annotations_of([[0, 0, 10, 10], [0, 0, 10, 8]], [0, 0], ignore=[True, False])
    assert match(one, two).truth.tolist() == [1]


def test_labels_matter_only_if_class_aware() -> None:
    cat, dog = detections_of([[0, 0, 10, 10]], [0], [0.9]), annotations_of([[0, 0, 10, 10]], [1])
    assert match(cat, dog).truth.tolist() == [-1]
    assert match(cat, dog, class_aware=False).truth.tolist() == [0]


@pytest.mark.parametrize("order", [[0, 2, 1, 3], [1, 0, 3, 2]])
def test_swapped_axes_lose_the_match(order: list[int]) -> None:
    box = np.array([[10, 50, 60, 70]], np.float32)
    assert match(detections_of(box, [0], [0.9]), annotations_of(box, [0])).truth.tolist() == [0]
    assert match(
        detections_of(box[:, order], [0], [0.9]), annotations_of(box, [0])
    ).truth.tolist() == [-1]


def test_another_prediction_may_stand_in_for_the_truth() -> None:
    found = match(
        detections_of([[0, 0, 10, 10]], [0], [0.9]), detections_of([[0, 0, 10, 9]], [0], [0.1])
    )
    assert found.pairs == [(0, 0)]


def test_empty_sides() -> None:
    assert match(Detections.empty(), annotations_of([[0, 0, 1, 1]], [0])).detection.tolist() == [-1]
    assert match(detections_of([[0, 0, 1, 1]], [0], [1]), Annotations.empty()).truth.tolist() == [
        -1
    ]


def test_matching_by_mask_without_masks_is_refused() -> None:
    box = detections_of([[0, 0, 1, 1]], [0], [1])
    with pytest.raises(ValueError, match="needs masks"):
        match(box, box, masks=True)
    with pytest.raises(ValueError, match="needs masks"):
        match_set([box], [Annotations.empty()], masks=True)


def test_a_set_is_refused_that_does_not_fit() -> None:
    with pytest.raises(ValueError, match="1 predictions for 0 images"):
        match_set([Detections.empty()], [])
    with pytest.raises(ValueError, match="for 2 classes"):
        match_set([detections_of([[0, 0, 1, 1]], [5], [1])], [Annotations.empty()], classes=2)
    matched = match_set([Detections.empty()], [Annotations.empty()])
    with pytest.raises(ValueError, match=r"no matches at IoU 0\.3"):
        matched.level(0.3)
    with pytest.raises(ValueError, match="unknown area range 'tiny'"):
        matched.range("tiny")

"""Averages of precision and its curve, against independent definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from snellen.vision.precision.average_precision import average_precision, evaluate
from snellen.vision.precision.matched_set import MatchedSet
from snellen.vision.precision.precision_recall import precision_recall_curve
from snellen.vision.precision.set_matching import match_set
from tests.vision.generated_sets import Recipe, recipes
from tests.vision.small_predictions import annotations_of, detections_of

POINTS = {
    "coco101": [k * 0.01 for k in range(101)],
    "voc11": [k * 0.1 for k in range(11)],
    "kitti40": [k * 0.025 for k in range(1, 41)],
}


def steps(matched: MatchedSet, label: int) -> tuple[list[tuple[float, float]], int]:
    """(recall, precision) after each counted detection, and the number of objects to find."""
    positives = sum(
        bool(matched.counts[g, 0])
        for g in range(len(matched.truths.label))
        if matched.truths.label[g] == label
    )
    rows = [d for d in range(len(matched.rank)) if matched.detections.label[d] == label]
    hits = count = 0
    out = []
    for d in rows:
        code = matched.outcome[d, 0, 0]
        if code == 2:
            continue
        hits, count = hits + (code == 1), count + 1
        out.append((hits / positives if positives else 0.0, hits / count))
    return out, positives


def definition(matched: MatchedSet, label: int, average: str) -> float:
    """AP by its formula: the best precision at each recall or a higher one, averaged."""
    points, positives = steps(matched, label)
    if not positives:
        return float("nan")
    if average == "voc":
        total = last = 0.0
        for k, (recall, _) in enumerate(points):
            total += (recall - last) * max(p for _, p in points[k:])
            last = recall
        return total
    best = [max([p for r, p in points if r >= at], default=0.0) for at in POINTS[average]]
    return float(np.mean(best))


@pytest.mark.parametrize("average", ["coco101", "voc11", "kitti40", "voc"])
@given(recipe=recipes())
def test_each_average_is_what_its_formula_says(average: str, recipe: Recipe) -> None:
    answers, truths = recipe.build()
    matched = match_set(answers, truths, classes=recipe.classes, ious=[0.5])
    ours = average_precision(matched, average=average).by_class()
    theirs = [definition(matched, label, average) for label in range(recipe.classes)]
    np.testing.assert_allclose(ours, theirs, atol=1e-12)


def half_found() -> MatchedSet:
    """Four objects; detections in order of score: true, false and true positive."""
    boxes = [[0, 0, 10, 10], [20, 0, 30, 10], [40, 0, 50, 10], [60, 0, 70, 10]]
    found = detections_of([boxes[0], [0, 50, 9, 60], boxes[1]], [0, 0, 0], [0.9, 0.8, 0.7])
    return match_set([found], [annotations_of(boxes, [0, 0, 0, 0])], ious=[0.5])


@pytest.mark.parametrize(
    ("average", "expected"),
    [
        # precision 1 up to recall 1/4, 2/3 up to 1/2, 0 beyond
        ("voc", 0.25 * 1 + 0.25 * 2 / 3),
        ("voc11", (3 * 1 + 3 * 2 / 3) / 11),
        ("kitti40", (10 * 1 + 10 * 2 / 3) / 40),
        ("coco101", (26 * 1 + 25 * 2 / 3) / 101),
    ],
)
def test_each_average_of_a_case_worked_by_hand(average: str, expected: float) -> None:
    assert average_precision(half_found(), average=average).value() == pytest.approx(expected)


def test_the_curve_of_a_case_worked_by_hand_keeps_the_objects() -> None:
    matched = half_found()
    found = precision_recall_curve(matched, 0)
    assert found.precision.tolist() == pytest.approx([1, 1 / 2, 2 / 3])
    assert found.recall.tolist() == [0.25, 0.25, 0.5]
    assert found.interpolated().tolist() == pytest.approx([1, 2 / 3, 2 / 3])
    assert found.at([0.1, 0.5, 0.6]).tolist() == pytest.approx([1, 2 / 3, 0])
    assert found.hit.tolist() == [True, False, True]
    assert matched.truth[found.row, 0, 0].tolist() == [0, -1, 1]
    assert found.at_score(0.8) == (0.5, 0.25)
    assert found.at_score(0.95) == (1.0, 0.0)


@given(recipe=recipes())
def test_the_mean_of_a_curve_at_cocos_points_is_cocos_ap(recipe: Recipe) -> None:
    answers, truths = recipe.build()
    result = evaluate(answers, truths, classes=recipe.classes)
    for label in range(recipe.classes):
        found = precision_recall_curve(result.matched, label, iou=0.5, limit=10)
        expected = result.precision[label, 0, 0, 1]
        if found.positives:
            assert found.at(np.linspace(0, 1, 101)).mean() == pytest.approx(expected, abs=1e-9)
        else:
            assert np.isnan(expected)


def test_a_phantom_below_the_last_hit_leaves_ap_at_1_but_not_the_curve() -> None:
    box = [0, 0, 10, 10]
    found = detections_of([box, [50, 50, 60, 60]], [0, 0], [0.9, 0.6])
    matched = match_set([found], [annotations_of([box], [0])], ious=[0.5])
    assert average_precision(matched).value() == 1
    assert precision_recall_curve(matched, 0).precision.tolist() == [1, 0.5]
    assert matched.of_image(0).truth.tolist() == [0, -1]


def test_an_unknown_average_is_refused() -> None:
    with pytest.raises(ValueError, match="coco101, voc11, kitti40, voc"):
        average_precision(half_found(), average="coco100")

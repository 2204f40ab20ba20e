"""A task's precision and recall are the products of its subtasks', whatever is detected."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snellen.vision.annotations import Annotations
from snellen.vision.decomposition.subtask_curves import area, curves, stage_counts
from snellen.vision.decomposition.subtask_outcomes import SubtaskOutcomes, pooled
from snellen.vision.decomposition.task import (
    DETECTION,
    SEGMENTATION,
    DecomposedTask,
    MatchedPairs,
    label_outcomes,
    same_label,
)
from snellen.vision.detections import Detections
from snellen.vision.label_vector import LabelVector
from snellen.vision.masks.rle_masks import Masks
from snellen.vision.precision.average_precision import average_precision
from snellen.vision.precision.set_matching import match_set

LABELS = 3


@st.composite
def scenes(draw: st.DrawFn, most: int = 6) -> tuple[Detections, Annotations]:
    """Boxes on a coarse grid, so that overlaps, duplicates, ties and misses are common."""

    def boxes(count: int) -> Any:
        corner = st.integers(0, 4)
        side = st.integers(2, 4)
        one = st.tuples(corner, corner, side, side)
        found = draw(st.lists(one, min_size=count, max_size=count))
        return np.array([[x, y, x + w, y + h] for x, y, w, h in found], np.float32).reshape(-1, 4)

    seen, known = draw(st.integers(0, most)), draw(st.integers(0, most))
    labels = st.integers(0, LABELS - 1)
    score = st.sampled_from([0.2, 0.4, 0.5, 0.9])
    detections = Detections(
        boxes(seen),
        np.array(draw(st.lists(labels, min_size=seen, max_size=seen)), dtype=np.int64),
        np.array(draw(st.lists(score, min_size=seen, max_size=seen)), dtype=np.float32),
    )
    flags = draw(st.lists(st.booleans(), min_size=known, max_size=known))
    truths = Annotations(
        boxes(known),
        np.array(draw(st.lists(labels, min_size=known, max_size=known)), dtype=np.int64),
        ignore=np.array(flags, dtype=bool) & np.array(draw(st.booleans())),
    )
    return detections, truths


def by_hand(pairs: list[tuple[Detections, Annotations]], label: int, score: float) -> list[int]:
    """Detections of the label: all, localised, classified; objects: all, found, classified."""
    counts = [0] * 6
    for detections, truths in pairs:
        free = list(range(len(truths)))
        order = sorted(range(len(detections)), key=lambda d: (-detections.scores[d], d))
        counts[3] += sum(
            int(truths.labels[t]) == label for t in range(len(truths)) if not truths.ignore[t]
        )
        for d in order:
            best, chosen = 0.5, None
            for ignored in (False, True):
                for t in free:
                    if (
                        bool(truths.ignore[t]) == ignored
                        and overlap(detections, d, truths, t) >= best
                    ):
                        best, chosen = overlap(detections, d, truths, t), t
                if chosen is not None:
                    break
            if chosen is not None:
                free.remove(chosen)
            if detections.scores[d] < np.float32(score):
                continue
            if chosen is not None and truths.ignore[chosen]:
                continue
            mine = int(detections.labels[d]) == label
            counts[0] += mine
            if chosen is not None:
                right = int(truths.labels[chosen]) == label
                counts[1] += mine
                counts[2] += mine and right
                counts[4] += right
                counts[5] += mine and right
    return counts


def overlap(detections: Detections, d: int, truths: Annotations, t: int) -> float:
    a, b = detections.boxes[d].astype(float), truths.boxes[t].astype(float)
    width = max(0.0, min(a[2], b[2]) - max(a[0], b[0]))
    height = max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
    both = width * height
    return float(both / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - both))


@settings(max_examples=60, deadline=None)
@given(st.lists(scenes(), min_size=1, max_size=4), st.integers(0, LABELS - 1))
def test_counts_are_those_of_a_plain_definition(
    pairs: list[tuple[Detections, Annotations]], label: int
) -> None:
    outcomes = pooled([DETECTION.outcomes(*one) for one in pairs])
    for score in (0.2, 0.45, 0.5, 0.95):
        seen, known = stage_counts(outcomes.above(score), label, 2)
        assert [*seen, *known] == by_hand(pairs, label, score)


@settings(max_examples=60, deadline=None)
@given(st.lists(scenes(), min_size=1, max_size=4), st.sampled_from([None, 0, 1, 2]))
def test_precision_and_recall_of_a_task_are_products_of_its_subtasks(
    pairs: list[tuple[Detections, Annotations]], label: int | None
) -> None:
    found = curves(pooled([DETECTION.outcomes(*one) for one in pairs]), label, 2)
    whole = found.precision(2), found.recall(2)
    np.testing.assert_allclose(found.precision(1) * found.precision(2, 1), whole[0], atol=1e-12)
    np.testing.assert_allclose(found.recall(1) * found.recall(2, 1), whole[1], atol=1e-12)
    for values in (*whole, found.precision(1), found.recall(1)):
        assert ((values >= 0) & (values <= 1)).all()
    assert found.average_precision(2) == pytest.approx(area(whole[1], whole[0]))


@settings(max_examples=60, deadline=None)
@given(st.lists(scenes(), min_size=1, max_size=4), st.integers(0, LABELS - 1))
def test_a_curve_has_the_counts_of_every_threshold(
    pairs: list[tuple[Detections, Annotations]], label: int
) -> None:
    outcomes = pooled([DETECTION.outcomes(*one) for one in pairs])
    found = curves(outcomes, label, 2)
    for place, score in enumerate(found.score):
        seen, known = stage_counts(outcomes.above(float(score)), label, 2)
        assert found.detections[place].tolist() == seen.tolist()
        assert found.objects[place].tolist() == known.tolist()


def test_with_one_label_ap_is_that_of_the_evaluation() -> None:
    rng = np.random.default_rng(5)
    seen, known = [], []
    for _ in range(30):
        low = rng.uniform(0, 80, (6, 2))
        boxes = np.hstack([low, low + rng.uniform(10, 30, (6, 2))]).astype(np.float32)
        known.append(Annotations(boxes, np.zeros(6, np.int64)))
        moved = boxes[:5] + rng.normal(0, 4, (5, 4)).astype(np.float32)
        sound = (moved[:, 2:] - moved[:, :2] > 1).all(axis=1)
        scores = rng.uniform(0, 1, 5).astype(np.float32)
        seen.append(Detections(moved[sound], np.zeros(5, np.int64)[sound], scores[sound]))
    ours = pooled([DETECTION.outcomes(*one) for one in zip(seen, known, strict=True)])
    theirs = average_precision(match_set(seen, known, classes=1), average="voc").value(iou=0.5)
    assert curves(ours, 0, 2).average_precision(2) == pytest.approx(theirs, abs=1e-9)


def square(x: int, y: int, side: int) -> Any:
    mask = np.zeros((40, 40), dtype=bool)
    mask[y : y + side, x : x + side] = True
    return mask


def test_segmentation_adds_the_masks_to_the_same_pairs() -> None:
    boxes = np.array([[0, 0, 20, 20], [20, 20, 40, 40]], np.float32)
    labels = np.array([1, 2], np.int64)
    good = np.stack([square(0, 0, 20), square(20, 20, 20)])
    bad = np.stack([square(0, 0, 20), square(20, 20, 9)])
    truths = Annotations(boxes, labels, Masks.from_array(good))
    seen = Detections(boxes, labels, np.array([0.9, 0.8], np.float32), Masks.from_array(bad))
    outcomes = SEGMENTATION.outcomes(seen, truths)
    assert outcomes.stage.tolist() == [3, 2]
    assert DETECTION.outcomes(seen, truths).stage.tolist() == [2, 2]
    found = curves(outcomes, 2, 3)
    assert found.precision(3, 2).tolist()[-1] == 0.0
    assert found.precision(2).tolist()[-1] == 1.0


def test_a_wrong_label_is_localised_and_not_classified() -> None:
    box = np.array([[0, 0, 10, 10]], np.float32)
    outcomes = DETECTION.outcomes(
        Detections(box, np.array([1]), np.array([0.9], np.float32)), Annotations(box, np.array([2]))
    )
    assert [one.tolist() for one in stage_counts(outcomes, 2, 2)] == [[0, 0, 0], [1, 1, 0]]
    assert [one.tolist() for one in stage_counts(outcomes, 1, 2)] == [[1, 1, 0], [0, 0, 0]]
    assert [one.tolist() for one in stage_counts(outcomes, None, 2)] == [[1, 1, 0], [1, 1, 0]]


def test_swapped_axes_localise_nothing() -> None:
    box = np.array([[0, 0, 40, 10]], np.float32)
    swapped = box[:, [1, 0, 3, 2]]
    seen = Detections(swapped, np.array([1]), np.array([0.9], np.float32))
    assert DETECTION.outcomes(seen, Annotations(box, np.array([1]))).stage.tolist() == [0]


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 10)), min_size=1, max_size=6),
    st.integers(0, 10),
)
def test_classification_is_a_task_of_one_subtask(
    image: list[tuple[bool, int]], threshold: int
) -> None:
    truth = [known for known, _ in image]
    outcomes = label_outcomes(LabelVector(np.array([s / 10 for _, s in image])), truth)
    above = outcomes.above(threshold / 10)
    for label, (known, score) in enumerate(image):
        seen, objects = stage_counts(above, label, 1)
        present = bool(np.float32(score / 10) >= np.float32(threshold / 10))
        assert seen.tolist() == [int(present), int(present and known)]
        assert objects.tolist() == [int(known), int(present and known)]


def test_a_task_of_ones_own_is_a_list_of_checks() -> None:
    """Keypoints: an object is posed if its joints are near enough, beyond the three built in."""
    boxes = np.array([[0, 0, 10, 10], [20, 0, 30, 10], [40, 0, 50, 10]], np.float32)
    known = np.array([[5.0, 5.0], [25.0, 5.0], [45.0, 5.0]])
    said = known + np.array([[0.5, 0], [6, 0], [0.5, 0]])

    def near(pairs: MatchedPairs, reach: float) -> Any:
        apart = np.linalg.norm(said[pairs.detection] - known[pairs.truth], axis=1)
        return apart <= reach

    checks = (("classify", same_label), ("pose", partial(near, reach=2.0)))
    task = DecomposedTask("keypoints", checks)
    assert task.subtasks == ("localise", "classify", "pose")
    seen = Detections(boxes, np.array([0, 0, 1]), np.array([0.9, 0.8, 0.7], np.float32))
    outcomes = task.outcomes(seen, Annotations(boxes, np.zeros(3, np.int64)))
    assert outcomes.stage.tolist() == [3, 2, 1]
    found = curves(outcomes, 0, 3)
    assert found.precision(3).tolist() == [1.0, 0.5, 0.5]
    assert (found.precision(2) * found.precision(3, 2) == found.precision(3)).all()


def test_no_detections_and_no_objects_are_no_trouble() -> None:
    nothing = Detections(np.zeros((0, 4)), np.zeros(0), np.zeros(0))  # type: ignore[arg-type]
    outcomes = DETECTION.outcomes(nothing, Annotations(np.zeros((0, 4), np.float32), np.zeros(0)))  # type: ignore[arg-type]
    assert isinstance(pooled([outcomes, outcomes]), SubtaskOutcomes)
    found = curves(outcomes, 0, 2)
    assert len(found.score) == 0
    assert found.average_precision(2) == 0.0

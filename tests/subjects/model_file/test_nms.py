"""NMS against a brute-force version and against OpenCV's."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from snellen.subjects.model_file.nms import non_max_suppression


def brute_force(boxes: Any, scores: Any, labels: Any, iou: float, limit: int) -> list[int]:
    """NMS by single comparisons."""

    def overlap(a: Any, b: Any) -> float:
        width = min(a[2], b[2]) - max(a[0], b[0])
        height = min(a[3], b[3]) - max(a[1], b[1])
        common = max(0, width) * max(0, height)
        union = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - common
        return float(common / union) if union > 0 else 0.0

    boxes = np.asarray(boxes, dtype=np.float64)
    order = sorted(range(len(boxes)), key=lambda i: (-scores[i], labels[i], *boxes[i]))
    kept: list[int] = []
    for one in order:
        if all(labels[k] != labels[one] or overlap(boxes[k], boxes[one]) <= iou for k in kept):
            kept.append(one)
    return kept[:limit]


@st.composite
def candidates(draw: st.DrawFn) -> tuple[Any, Any, Any]:
    count = draw(st.integers(0, 40))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    corner = rng.integers(0, 30, (count, 2))
    boxes = np.concatenate([corner, corner + rng.integers(0, 25, (count, 2))], axis=1)
    scores = rng.integers(0, 8, count) / 8
    return boxes.astype(np.float32), scores.astype(np.float32), rng.integers(0, 3, count)


@given(candidates(), st.sampled_from([0.0, 0.3, 0.5, 0.9]), st.integers(1, 50))
def test_survivors_are_those_of_brute_force(found: Any, iou: float, limit: int) -> None:
    boxes, scores, labels = found
    expected = brute_force(boxes, scores, labels, iou, limit)
    assert non_max_suppression(boxes, scores, labels, iou, limit).tolist() == expected


@given(candidates(), st.integers(0, 2**32 - 1))
def test_the_order_in_which_boxes_are_listed_decides_nothing(found: Any, seed: int) -> None:
    boxes, scores, labels = found
    shuffle = np.random.default_rng(seed).permutation(len(boxes))
    rows = np.column_stack([boxes, scores, labels])
    before = rows[non_max_suppression(boxes, scores, labels, 0.5)]
    after = rows[shuffle][
        non_max_suppression(boxes[shuffle], scores[shuffle], labels[shuffle], 0.5)
    ]
    np.testing.assert_array_equal(before, after)


def test_survivors_agree_with_opencv_where_scores_differ() -> None:
    import cv2

    rng = np.random.default_rng(3)
    corner = rng.uniform(0, 200, (300, 2))
    boxes = np.concatenate([corner, corner + rng.uniform(5, 80, (300, 2))], 1).astype(np.float32)
    scores = np.asarray((1 + rng.permutation(300)) / 300, dtype=np.float32)
    sides = np.concatenate([boxes[:, :2], boxes[:, 2:] - boxes[:, :2]], axis=1)
    expected = cv2.dnn.NMSBoxes(sides.tolist(), scores.tolist(), 0.0, 0.45)
    assert non_max_suppression(boxes, scores, np.zeros(300, dtype=np.int64), 0.45).tolist() == list(
        expected
    )


def test_other_classes_do_not_suppress() -> None:
    boxes = np.array([[0, 0, 10, 10]] * 2, dtype=np.float32)
    assert len(non_max_suppression(boxes, np.array([0.9, 0.8]), np.array([0, 1]), 0.5)) == 2
    assert len(non_max_suppression(boxes, np.array([0.9, 0.8]), np.array([1, 1]), 0.5)) == 1

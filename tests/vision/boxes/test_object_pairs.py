"""Objects of two answers are paired one to one, unchanged boxes first."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from snellen.vision.boxes.box_geometry import iou as box_iou
from snellen.vision.boxes.object_pairs import UNCHANGED, object_pairs
from snellen.vision.detections import Detections
from tests.vision.small_predictions import detections_of

FOUND = [0, 0, 100, 100]
SECOND = [0, 0, 100, 60]


def pairs_of(before: Detections, after: Detections, iou: float = 0.5) -> list[tuple[int, int]]:
    ious = np.asarray(box_iou(before.boxes, after.boxes), np.float64)
    return object_pairs(ious, before, after, iou=iou)


def test_a_second_box_with_a_better_score_does_not_take_the_partner() -> None:
    before = detections_of([FOUND], [0], [0.6])
    after = detections_of([SECOND, [0, 2, 100, 100]], [0, 0], [0.9, 0.55])
    assert pairs_of(before, after) == [(0, 1)]


def test_a_second_box_does_not_hide_that_a_neighbour_is_lost() -> None:
    """More pairs would be possible if the second box took the object and the object the other."""
    neighbour = [25, 0, 125, 100]
    before = detections_of([FOUND, neighbour], [0, 0], [0.6, 0.7])
    after = detections_of([FOUND, SECOND], [0, 0], [0.6, 0.9])
    assert box_iou([neighbour], [FOUND])[0, 0] >= 0.5 > box_iou([neighbour], [SECOND])[0, 0]
    assert pairs_of(before, after) == [(0, 0)]


def test_of_equal_boxes_the_better_scores_are_paired() -> None:
    before = detections_of([FOUND, FOUND], [0, 0], [0.5, 0.9])
    assert pairs_of(before, detections_of([FOUND], [0], [0.8])) == [(1, 0)]
    assert pairs_of(detections_of([FOUND], [0], [0.8]), before) == [(0, 1)]
    assert pairs_of(before, before[[1, 0]]) == [(0, 1), (1, 0)]


@st.composite
def crowds(draw: st.DrawFn) -> Detections:
    count = draw(st.integers(0, 5))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    corners = rng.integers(0, 12, (count, 2))
    sides = rng.integers(15, 30, (count, 2))
    boxes = np.concatenate([corners, corners + sides], axis=1)
    return detections_of(boxes, rng.integers(0, 2, count), rng.integers(1, 4, count) / 4)


def best_total(worth: np.ndarray) -> float:
    """The largest total of any one-to-one assignment, by trying all of them."""
    rows, columns = worth.shape
    if rows > columns:
        return best_total(worth.T)
    return max(
        (
            sum(worth[i, j] for i, j in enumerate(chosen))
            for chosen in permutations(range(columns), rows)
        ),
        default=0.0,
    )


@given(crowds(), crowds())
def test_pairs_are_one_to_one_symmetric_and_the_best_beyond_unchanged_boxes(
    before: Detections, after: Detections
) -> None:
    found = pairs_of(before, after)
    assert len({i for i, _ in found}) == len({j for _, j in found}) == len(found)
    assert sorted((i, j) for j, i in pairs_of(after, before)) == found
    ious = np.asarray(box_iou(before.boxes, after.boxes))
    near = (ious >= 0.5) & (before.labels[:, None] == after.labels)
    assert all(near[i, j] for i, j in found)
    # Without boxes that hardly changed, nothing beats the pairs: first their number, then IoU.
    if not (near & (ious >= UNCHANGED)).any():
        worth = np.where(near, 100 + ious, 0.0)
        assert sum(worth[i, j] for i, j in found) >= best_total(worth) - 1e-6
    for i, j in np.argwhere(near & (ious >= UNCHANGED)).tolist():
        rivals = [ious[i, k] for k in np.flatnonzero(near[i]) if k != j]
        rivals += [ious[k, j] for k in np.flatnonzero(near[:, j]) if k != i]
        if ious[i, j] > max(rivals, default=0):
            assert (i, j) in found

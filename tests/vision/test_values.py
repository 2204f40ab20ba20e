"""The value types: shapes, selection, equality, validation."""

from __future__ import annotations

import numpy as np
import pytest

from snellen.vision.annotations import Annotations
from snellen.vision.detections import Detections
from snellen.vision.label_vector import LabelVector
from snellen.vision.masks.rle_masks import Masks
from snellen.vision.masks.run_lengths import decompress
from tests.vision.generated_sets import painted
from tests.vision.small_predictions import annotations_of, detections_of

BOXES = [[10, 20, 30, 60], [5, 5, 50, 25], [0, 0, 9, 9]]


def test_detections_select_masks_along_with_boxes() -> None:
    masks = painted(np.array(BOXES, np.float32))
    all_of = detections_of(BOXES, [3, 1, 2], [0.2, 0.9, 0.5], masks)
    best = all_of.above(0.5)
    assert best.labels.tolist() == [1, 2]
    assert best.masks == masks[[1, 2]]
    assert all_of.ranked().labels.tolist() == [1, 2, 3]


def test_ranking_does_not_depend_on_the_order_of_the_answer() -> None:
    one = detections_of(BOXES, [1, 1, 0], [0.5, 0.5, 0.5])
    other = one[[2, 0, 1]]
    assert one != other
    assert one.ranked() == other.ranked()


def test_rounding_makes_last_digit_noise_vanish() -> None:
    noisy = detections_of(np.array(BOXES) + 1e-4, [0, 0, 0], [0.50001, 0.5, 0.49999])
    assert noisy.rounded() == detections_of(BOXES, [0, 0, 0], [0.5, 0.5, 0.5])


def test_values_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        detections_of(BOXES, [0, 0, 0], [1, 1, 1]).boxes[0, 0] = 5


def test_lengths_that_differ_are_refused() -> None:
    with pytest.raises(ValueError, match="3 boxes, 2 labels, 3 scores"):
        detections_of(BOXES, [0, 0], [1, 1, 1])
    with pytest.raises(ValueError, match="3 boxes but 1 labels"):
        annotations_of(BOXES, [0])
    with pytest.raises(ValueError, match="3 boxes but 0 masks"):
        annotations_of(BOXES, [0, 0, 0], masks=Masks.empty((9, 9)))


def test_areas_come_from_masks_before_boxes() -> None:
    masks = painted(np.array(BOXES, np.float32))
    assert annotations_of(BOXES, [0, 0, 0]).areas.tolist() == [800, 900, 81]
    assert annotations_of(BOXES, [0, 0, 0], masks=masks).areas.tolist() == masks.areas().tolist()
    assert annotations_of(BOXES, [0, 0, 0], masks=masks, areas=[1, 2, 3])[1:].areas.tolist() == [
        2,
        3,
    ]


def test_annotations_compare_by_all_they_hold() -> None:
    assert annotations_of(BOXES, [0, 1, 2]) == annotations_of(BOXES, [0, 1, 2])
    assert annotations_of(BOXES, [0, 1, 2]) != annotations_of(BOXES, [0, 1, 2], crowd=[0, 0, 1])
    assert len(Annotations.empty()) == len(Detections.empty()) == 0


def test_a_detector_read_as_a_classifier_has_each_classs_best_score() -> None:
    labels = LabelVector.of_detections(detections_of(BOXES, [1, 1, 3], [0.2, 0.75, 0.5]), 4)
    assert labels.scores.tolist() == [0, 0.75, 0, 0.5]
    assert labels.present(0.5).tolist() == [False, True, False, True]


@pytest.mark.parametrize("text", ["P", "O"])
def test_a_mask_that_ends_within_a_number_or_has_a_negative_run_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="damaged"):
        decompress(text)


def test_a_mask_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match="the image"):
        Masks.from_coco([{"size": [2, 2], "counts": [4]}], (3, 2))
    with pytest.raises(ValueError, match="add up to 3"):
        Masks.from_coco([{"size": [2, 2], "counts": [3]}], (2, 2))

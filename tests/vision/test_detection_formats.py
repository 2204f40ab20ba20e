from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from snellen.errors import MissingExtraError
from snellen.vision.detection_formats import from_supervision, to_coco, to_supervision
from snellen.vision.detections import Detections
from snellen.vision.masks.rle_masks import Masks
from tests.vision.generated_sets import painted
from tests.vision.small_predictions import detections_of

BOXES = np.array([[10, 20, 30, 60], [5, 5, 50, 25]], np.float32)


@pytest.mark.parametrize("masks", [None, painted(BOXES)], ids=["boxes", "masks"])
def test_supervision_gives_back_what_it_was_given(masks: Masks | None) -> None:
    supervision = pytest.importorskip("supervision")
    ours = detections_of(BOXES, [15, 2], [0.9, 0.25], masks)
    theirs = to_supervision(ours)
    assert isinstance(theirs, supervision.Detections)
    assert theirs.class_id.tolist() == [15, 2]
    assert from_supervision(theirs) == ours
    assert from_supervision(theirs[theirs.confidence > 0.5]) == ours[0]


def test_supervision_without_scores_or_labels() -> None:
    supervision = pytest.importorskip("supervision")
    ours = from_supervision(supervision.Detections(xyxy=BOXES))
    assert (ours.labels.tolist(), ours.scores.tolist()) == ([0, 0], [1, 1])


def test_nothing_detected_survives() -> None:
    supervision = pytest.importorskip("supervision")
    assert from_supervision(to_supervision(Detections.empty())) == Detections.empty()
    assert from_supervision(supervision.Detections.empty()) == Detections.empty()


def test_without_supervision_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "supervision", None)
    with pytest.raises(MissingExtraError, match="supervision"):
        to_supervision(Detections.empty())


def test_coco_results_have_the_data_sets_own_ids_and_width_and_height() -> None:
    ours = detections_of(BOXES, [0, 1], [0.5, 0.25], painted(BOXES))
    first, second = to_coco(ours, 7, class_ids=[18, 44])
    assert (first["image_id"], first["category_id"], second["category_id"]) == (7, 18, 44)
    assert first["bbox"] == [10, 20, 20, 40]
    assert ours.masks == Masks.from_coco([first["segmentation"], second["segmentation"]], (90, 120))


def test_detections_are_a_maite_target() -> None:
    protocols = pytest.importorskip("maite.protocols.object_detection")
    target = detections_of(BOXES, [15, 2], [0.9, 0.25])
    [protocol, *_] = get_args(protocols.ObjectDetectionTarget)
    assert isinstance(target, protocol)

"""Conversion of detections from and to other formats: supervision, COCO results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from snellen.errors import MissingExtraError
from snellen.vision.boxes.box_geometry import to_xywh
from snellen.vision.detections import Detections
from snellen.vision.masks.rle_masks import Masks


def to_supervision(detections: Detections) -> Any:
    """The detections as a `supervision.Detections`: xyxy, confidence, class_id, boolean masks."""
    try:
        import supervision
    except ImportError as error:
        raise MissingExtraError("Converting to supervision", "supervision") from error
    masks = detections.masks
    return supervision.Detections(
        xyxy=detections.boxes.copy(),
        confidence=detections.scores.copy(),
        class_id=detections.labels.copy(),
        mask=None if masks is None else masks.to_array(),
    )


def from_supervision(detections: Any) -> Detections:
    """The detections of a `supervision.Detections`; missing scores are 1, missing labels 0."""
    count = len(detections.xyxy)
    labels, scores, masks = detections.class_id, detections.confidence, detections.mask
    return Detections(
        np.array(detections.xyxy, dtype=np.float32),
        np.zeros(count, np.int64) if labels is None else np.array(labels, dtype=np.int64),
        np.ones(count, np.float32) if scores is None else np.array(scores, dtype=np.float32),
        None if masks is None else Masks.from_array(np.asarray(masks)),
    )


def to_coco(
    detections: Detections, image_id: int, class_ids: Sequence[int] | None = None
) -> list[dict[str, Any]]:
    """COCO result dictionaries: box as x y width height, compressed mask if available.

    class_ids: the data set's own id of each class; by default 1, 2, 3, ...

    >>> to_coco(Detections([[10, 20, 30, 60]], [15], [0.5]), 7)
    [{'image_id': 7, 'category_id': 16, 'bbox': [10.0, 20.0, 20.0, 40.0], 'score': 0.5}]
    """
    results: list[dict[str, Any]] = [
        {
            "image_id": image_id,
            "category_id": label + 1 if class_ids is None else class_ids[label],
            "bbox": box,
            "score": score,
        }
        for box, label, score in zip(
            to_xywh(detections.boxes).tolist(),
            detections.labels.tolist(),
            detections.scores.tolist(),
            strict=True,
        )
    ]
    if detections.masks is not None:
        for result, mask in zip(results, detections.masks.to_coco(), strict=True):
            result["segmentation"] = mask
    return results

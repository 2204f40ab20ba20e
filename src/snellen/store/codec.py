"""Predictions to JSON text and back, exactly: what is stored is what was judged."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from snellen.subjects.subject import Prediction
from snellen.vision.arrays import F32
from snellen.vision.detections import BOX_DECIMALS, SCORE_DECIMALS, Detections
from snellen.vision.detections3d import METRE_DECIMALS, Detections3D
from snellen.vision.label_vector import LabelVector
from snellen.vision.masks.rle_masks import Masks


def prediction_to_text(prediction: Prediction) -> str:
    """Compact JSON of a rounded prediction.

    >>> prediction_to_text(LabelVector(np.array([0.25, 0.5], dtype=np.float32)))
    '{"label_scores":[0.25,0.5]}'
    """
    return json.dumps(_values(prediction), separators=(",", ":"))


def prediction_from_text(text: str) -> Prediction:
    """The prediction that `prediction_to_text` wrote."""
    values = json.loads(text)
    if "label_scores" in values:
        return LabelVector(np.array(values["label_scores"], dtype=np.float32))
    if "boxes_3d" in values:
        return Detections3D(
            np.array(values["boxes_3d"], dtype=np.float64).reshape(-1, 7),
            np.array(values["labels"], dtype=np.int64),
            np.array(values["scores"], dtype=np.float32),
            np.array(values["image_boxes"], dtype=np.float32).reshape(-1, 4),
        )
    masks = values.get("masks")
    return Detections(
        np.array(values["boxes"], dtype=np.float32).reshape(-1, 4),
        np.array(values["labels"], dtype=np.int64),
        np.array(values["scores"], dtype=np.float32),
        None if masks is None else Masks.from_coco(masks, tuple(values["size"])),
    )


def _values(prediction: Prediction) -> dict[str, Any]:
    if isinstance(prediction, LabelVector):
        return {"label_scores": _decimals(prediction.scores, SCORE_DECIMALS)}
    if isinstance(prediction, Detections3D):
        return {
            "boxes_3d": np.round(prediction.boxes, METRE_DECIMALS).tolist(),
            "labels": prediction.labels.tolist(),
            "scores": _decimals(prediction.scores, SCORE_DECIMALS),
            "image_boxes": _decimals(prediction.image_boxes, BOX_DECIMALS),
        }
    values: dict[str, Any] = {
        "boxes": _decimals(prediction.boxes, BOX_DECIMALS),
        "labels": prediction.labels.tolist(),
        "scores": _decimals(prediction.scores, SCORE_DECIMALS),
    }
    if prediction.masks is not None:
        values["size"] = list(prediction.masks.size)
        values["masks"] = prediction.masks.to_coco()
    return values


def _decimals(array: F32, decimals: int) -> Any:
    return np.round(array.astype(np.float64), decimals).tolist()

"""Predictions and annotations from plain lists."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from snellen.vision.annotations import Annotations
from snellen.vision.detections import Detections
from snellen.vision.masks.rle_masks import Masks


def detections_of(
    boxes: npt.ArrayLike, labels: npt.ArrayLike, scores: npt.ArrayLike, masks: Masks | None = None
) -> Detections:
    return Detections(
        np.array(boxes, np.float32).reshape(-1, 4),
        np.array(labels, np.int64),
        np.array(scores, np.float32),
        masks,
    )


def annotations_of(
    boxes: npt.ArrayLike,
    labels: npt.ArrayLike,
    *,
    masks: Masks | None = None,
    crowd: npt.ArrayLike | None = None,
    ignore: npt.ArrayLike | None = None,
    areas: npt.ArrayLike | None = None,
) -> Annotations:
    corners = np.array(boxes, np.float32).reshape(-1, 4)
    none = np.zeros(len(corners), bool)
    optional = {} if areas is None else {"areas": np.array(areas, np.float64)}
    return Annotations(
        corners,
        np.array(labels, np.int64),
        masks,
        none if crowd is None else np.array(crowd, bool),
        none if ignore is None else np.array(ignore, bool),
        **optional,
    )

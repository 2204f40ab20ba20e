"""COCO's average precision as a MAITE object-detection metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from snellen.session.maite.box_target import annotations_of_target, detections_of_target
from snellen.vision.annotations import Annotations
from snellen.vision.detections import Detections
from snellen.vision.precision.average_precision import coco_summary, evaluate


class MaitePrecision:
    """A metric in the sense of `maite.protocols.object_detection.Metric`.

    index2label: class names by id, for the values by class; ids of predictions and targets must
    mean the same.
    """

    def __init__(self, index2label: Mapping[int, str] | None = None) -> None:
        self.metadata = {"id": "snellen-average-precision"}
        self._names = dict(index2label or {})
        self.reset()

    def reset(self) -> None:
        """Forget everything."""
        self._found: list[Detections] = []
        self._known: list[Annotations] = []

    def update(
        self, pred_batch: Sequence[Any], target_batch: Sequence[Any], metadata_batch: Any = (), /
    ) -> None:
        """Add predictions and ground truth of some images."""
        self._found += [detections_of_target(one) for one in pred_batch]
        self._known += [annotations_of_target(one) for one in target_batch]

    def compute(self) -> dict[str, Any]:
        """COCO's twelve numbers by name, and `AP_by_class` by name or id; NaN without objects."""
        result = evaluate(self._found, self._known)
        values = enumerate(result.by_class().tolist())
        by_class = {self._names.get(id, str(id)): ap for id, ap in values if not np.isnan(ap)}
        return {**coco_summary(result), "AP_by_class": by_class}

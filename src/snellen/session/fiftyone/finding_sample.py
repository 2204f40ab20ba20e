"""A finding as a sample: a document of FiftyOne's database as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from snellen.contract.explanation import UNEXPLAINED
from snellen.session.fiftyone.field_schema import CLASSIFICATIONS, DETECTIONS, object_id
from snellen.session.run_finding import RunFinding
from snellen.store.findings import EventRow
from snellen.subjects.subject import Prediction
from snellen.vision.detections import Detections
from snellen.vision.label_vector import LabelVector

Size = tuple[int, int]
Document = dict[str, Any]


def finding_sample(
    finding: RunFinding, file: str, size: Size, classes: Sequence[str], tags: Sequence[str]
) -> Document:
    """The sample of a finding. file: of the case's image, relative. size: (height, width)."""
    before, after = finding.predictions
    fault = finding.fault
    hard = sorted({one.kind for one in finding.events if one.hard})
    return {
        "_id": object_id(finding.id),
        "filepath": file,
        "_media_type": "image",
        "_rand": int(object_id(finding.id)["$oid"][:8], 16) / 2**32,
        "tags": [*tags, finding.status, *(["proven"] if fault and fault.proven else [])],
        "metadata": {"_cls": "ImageMetadata", "width": size[1], "height": size[0]},
        "finding": finding.id,
        "scene": finding.scene,
        "status": finding.status,
        "margin": finding.margin,
        "event_kinds": hard,
        "fault": None if fault is None else fault.id,
        "target": None if fault is None else fault.target,
        "cause": UNEXPLAINED if fault is None else fault.cause,
        "proven": fault is not None and fault.proven,
        "recipe": json.dumps(finding.recipe, sort_keys=True),
        "replay": finding.replay,
        "before": _answer(before, size, classes, f"{finding.id} before"),
        "after": _answer(after, size, classes, f"{finding.id} after"),
        "events": _events(finding.events, size, f"{finding.id} event"),
    }


def _answer(
    answer: Prediction | None, size: Size, classes: Sequence[str], key: str
) -> Document | None:
    if isinstance(answer, LabelVector):
        found = [
            _label("Classification", classes[place], f"{key} {place}", float(score))
            for place, score in enumerate(answer.scores)
        ]
        return {"_cls": CLASSIFICATIONS, "classifications": found, "logits": None}
    if not isinstance(answer, Detections):
        return None
    rows = zip(answer.boxes.tolist(), answer.labels.tolist(), answer.scores.tolist(), strict=True)
    return _detections(
        [
            {
                **_label("Detection", classes[label], f"{key} {place}", score),
                "bounding_box": _relative(box, size),
            }
            for place, (box, label, score) in enumerate(rows)
        ]
    )


def _events(events: Sequence[EventRow], size: Size, key: str) -> Document:
    """Events with a place, as boxes labelled by kind; those of labels have none."""
    return _detections(
        [
            {
                **_label("Detection", one.kind, f"{key} {place}", one.score_before or None),
                "bounding_box": _relative(one.box, size),
                "class_name": one.name,
                "severity": one.severity,
                "margin": one.margin,
            }
            for place, one in enumerate(events)
            if one.box is not None
        ]
    )


def _detections(found: list[Document]) -> Document:
    return {"_cls": DETECTIONS, "detections": found}


def _label(kind: str, name: str, key: str, confidence: float | None) -> Document:
    return {
        "_id": object_id(key),
        "_cls": kind,
        "tags": [],
        **({"attributes": {}} if kind == "Detection" else {}),
        "label": name,
        "confidence": confidence,
    }


def _relative(box: Sequence[float], size: Size) -> list[float]:
    """x, y, width and height of a box x1 y1 x2 y2 as shares of the image.

    >>> _relative([10, 10, 30, 20], (40, 100))
    [0.1, 0.25, 0.2, 0.25]
    """
    height, width = size
    x1, y1, x2, y2 = box
    return [x1 / width, y1 / height, (x2 - x1) / width, (y2 - y1) / height]

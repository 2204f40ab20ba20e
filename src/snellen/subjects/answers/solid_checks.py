"""The answer of a camera+LiDAR subject, checked and converted to 3D detections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from snellen.errors import SubjectError
from snellen.scenes.frame import Frame
from snellen.subjects.answers.value_checks import bounded_scores, class_ids, finite_array
from snellen.vision.arrays import F32, Boxes, Boxes3D
from snellen.vision.detections3d import Detections3D
from snellen.vision.solids.boxes3d import wrapped
from snellen.vision.solids.projected_boxes import image_boxes

FIELDS = ("boxes", "labels", "scores")


def checked_solids(answer: object, frame: Frame, classes: Sequence[str]) -> Detections3D:
    """The checked detections of one answer about one frame.

    `Detections3D`, or a mapping or object with `boxes` (N x 7: x y z length width height yaw in the
    LiDAR frame, metres and radians), `labels` (ids or names), `scores` (N) and optionally
    `image_boxes` (N x 4, x1 y1 x2 y2 in pixels). Without them, or where a row is all zeros, the 3D
    box is projected. Yaws are wrapped to [-pi, pi).
    """
    fields = _fields(answer)
    boxes = _boxes(fields["boxes"])
    labels = class_ids(fields["labels"], classes)
    scores = bounded_scores(finite_array(fields["scores"], "scores").reshape(-1))
    given = fields.get("image_boxes")
    flat = image_boxes(boxes, frame.frames, frame.size)
    if given is not None:
        flat = _merged(_image_boxes(given, len(boxes), frame.size), flat)
    try:
        return Detections3D(boxes, labels, scores, flat)
    except ValueError as error:
        raise SubjectError(str(error)) from None


def _fields(answer: object) -> Mapping[str, Any]:
    if isinstance(answer, Mapping):
        missing = [name for name in FIELDS if name not in answer]
        if not missing:
            return answer
        found = ", ".join(map(str, answer)) or "(none)"
        raise SubjectError(
            f"the answer has no '{missing[0]}'; found the keys {found}, expected boxes, labels, "
            "scores"
        )
    if all(hasattr(answer, name) for name in FIELDS):
        return {name: getattr(answer, name, None) for name in (*FIELDS, "image_boxes")}
    raise SubjectError(
        f"the answer for one frame is {type(answer).__name__}, expected Detections3D or a mapping "
        "with boxes, labels and scores"
    )


def _boxes(value: object) -> Boxes3D:
    boxes = finite_array(value, "boxes")
    if boxes.size == 0:
        return np.zeros((0, 7))
    if boxes.ndim != 2 or boxes.shape[1] != 7:
        raise SubjectError(
            f"boxes have shape {boxes.shape}, expected (N, 7): x y z length width height yaw"
        )
    flat = ~(boxes[:, 3:6] > 0).all(axis=1)
    if flat.any():
        which = int(flat.argmax())
        raise SubjectError(
            f"box {which} has length, width and height "
            f"{[round(side, 3) for side in boxes[which, 3:6].tolist()]}, expected metres above 0"
        )
    boxes = boxes.copy()
    boxes[:, 6] = wrapped(boxes[:, 6])
    return boxes


def _image_boxes(value: object, count: int, size: tuple[int, int]) -> Boxes:
    boxes = finite_array(value, "image_boxes")
    if boxes.size == 0:
        boxes = boxes.reshape(0, 4)
    if boxes.shape != (count, 4):
        raise SubjectError(
            f"image_boxes have shape {boxes.shape}, expected ({count}, 4): x1 y1 x2 y2 in pixels"
        )
    height, width = size
    return np.asarray(np.clip(boxes, 0, [width, height, width, height]), dtype=np.float32)


def _merged(given: Boxes, projected: Boxes) -> Boxes:
    """The given boxes, or the projected ones where a given box has no area."""
    empty = (given[:, 2] <= given[:, 0]) | (given[:, 3] <= given[:, 1])
    chosen: F32 = np.where(empty[:, None], projected, given)
    return chosen

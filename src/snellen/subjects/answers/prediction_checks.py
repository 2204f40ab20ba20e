"""A subject's answer, in any accepted form, checked and converted to a prediction.

A valid prediction has finite numbers, scores in [0, 1], labels of known classes, and boxes with an
area inside the image. An invalid one raises a `SubjectError` that says what was found and expected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from typing import Any

import numpy as np

from snellen.errors import SubjectError, nearest
from snellen.errors.plain_text import escaped
from snellen.scenes.box_checks import format_box
from snellen.scenes.frame import Frame
from snellen.subjects.answers.mask_checks import checked_masks
from snellen.subjects.answers.solid_checks import checked_solids
from snellen.subjects.answers.value_checks import bounded_scores, class_ids, finite_array
from snellen.subjects.passes import Pass
from snellen.subjects.subject import Input, Prediction, Subject, Task
from snellen.vision.arrays import F64, Boxes, Image, Ints
from snellen.vision.detections import Detections
from snellen.vision.label_vector import LabelVector

FIELDS = ("boxes", "labels", "scores")


def checked_prediction(
    answer: object, size: tuple[int, int], classes: Sequence[str], task: Task
) -> Prediction:
    """The checked prediction of one answer; size is (height, width) of the image in pixels.

    For detection and segmentation: `Detections`, or a mapping or object with `boxes` (N x 4, x1 y1
    x2 y2 in pixels), `labels` (ids or names), `scores` (N, or N x C of which the label's column is
    used) and, for segmentation, `masks` (N x H x W, or COCO run lengths). For labels: a
    `LabelVector`, a vector of one score per class, or a mapping of names to scores. Boxes are
    clipped to the image.

    >>> found = {"boxes": [[-5, 0, 10, 10]], "labels": ["cat"], "scores": [0.9]}
    >>> checked_prediction(found, (20, 20), ["dog", "cat"], Task.DETECTION).boxes.tolist()
    [[0.0, 0.0, 10.0, 10.0]]
    """
    if task == Task.LABELS:
        return _label_vector(answer, classes)
    fields = _fields(answer, task)
    boxes = _boxes(fields["boxes"], size)
    labels = class_ids(fields["labels"], classes)
    scores = bounded_scores(_label_scores(finite_array(fields["scores"], "scores"), labels))
    masks = checked_masks(fields["masks"], size) if fields.get("masks") is not None else None
    if task == Task.SEGMENTATION and masks is None:
        raise SubjectError(
            "the answer has no masks, but the task is segmentation. "
            "Return 'masks', or set task: detection."
        )
    try:
        return Detections(boxes, labels, scores, masks)
    except ValueError as error:
        raise SubjectError(str(error)) from None


def checked_batch(
    answers: object, images: Sequence[Input], classes: Sequence[str], task: Task
) -> list[Prediction]:
    """One checked prediction per image, or camera+LiDAR frame, of a batch."""
    sequence = _sequence(answers, len(images))
    out: list[Prediction] = []
    for index, (answer, image) in enumerate(zip(sequence, images, strict=True)):
        try:
            if isinstance(image, Frame):
                out.append(checked_solids(answer, image, classes))
            else:
                image = image.image if isinstance(image, Pass) else image
                out.append(
                    checked_prediction(answer, (image.shape[0], image.shape[1]), classes, task)
                )
        except SubjectError as error:
            raise SubjectError(f"answer {index + 1} of {len(images)}: {error}") from None
    return out


def detections_of(subject: Subject, images: Sequence[Image]) -> list[Detections]:
    """The answers of a detector; another kind of answer is an error."""
    out = []
    for answer in subject.predict(images):
        if not isinstance(answer, Detections):
            raise SubjectError(
                f"'{subject.name}' answered with {type(answer).__name__}, expected Detections"
            )
        out.append(answer)
    return out


def _sequence(answers: object, expected: int) -> Sequence[Any]:
    if isinstance(answers, Mapping | str) or not (
        isinstance(answers, Sized) and hasattr(answers, "__getitem__")
    ):
        raise SubjectError(
            f"the subject returned {type(answers).__name__}, expected a list with one prediction "
            f"for each of {expected} images"
        )
    if len(answers) != expected:
        raise SubjectError(
            f"the subject returned {len(answers)} predictions for {expected} images, expected one "
            "per image"
        )
    return [answers[index] for index in range(expected)]


def _fields(answer: object, task: Task) -> Mapping[str, Any]:
    if isinstance(answer, Mapping):
        for name in (*FIELDS, *(["masks"] if task == Task.SEGMENTATION else [])):
            if name not in answer:
                raise SubjectError(
                    f"the answer has no '{name}'; found the keys "
                    f"{', '.join(map(str, answer)) or '(none)'}, expected boxes, labels, scores"
                )
        return answer
    if all(hasattr(answer, name) for name in FIELDS):
        return {name: getattr(answer, name, None) for name in (*FIELDS, "masks")}
    raise SubjectError(
        f"the answer for one image is {type(answer).__name__}, expected Detections or a mapping "
        "with boxes, labels and scores"
    )


def _boxes(value: object, size: tuple[int, int]) -> Boxes:
    boxes = finite_array(value, "boxes")
    if boxes.size == 0:
        return np.zeros((0, 4), dtype=np.float32)
    if boxes.ndim != 2 or boxes.shape[1] != 4:
        raise SubjectError(f"boxes have shape {boxes.shape}, expected (N, 4): x1 y1 x2 y2")
    height, width = size
    flat = ~((boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1]))
    if flat.any():
        raise SubjectError(
            f"box {int(flat.argmax())} is {format_box(boxes[flat.argmax()])}, expected x1 y1 x2 y2 "
            f"with x2 > x1 and y2 > y1{_sizes_hint(boxes, size)}"
        )
    edges = np.array([width, height, width, height], dtype=np.float64)
    clipped = np.clip(boxes, 0, edges).astype(np.float32)
    gone = (clipped[:, 2] <= clipped[:, 0]) | (clipped[:, 3] <= clipped[:, 1])
    if gone.any():
        raise SubjectError(
            f"box {int(gone.argmax())} is {format_box(boxes[gone.argmax()])}, outside the image of "
            f"{width}x{height} pixels. Return boxes in pixels of the original image."
        )
    return clipped


def _sizes_hint(boxes: F64, size: tuple[int, int]) -> str:
    """A hint if all boxes lie in the image when read as x, y, width and height."""
    height, width = size
    ends = boxes[:, :2] + boxes[:, 2:]
    if (boxes[:, 2:] > 0).all() and (ends <= np.array([width, height]) + 1).all():
        return ". They seem to be x y width height: return x, y, x + width, y + height"
    return ""


def _label_scores(scores: F64, labels: Ints) -> F64:
    """Each detection's score for its label; scores are (N,), or (N, C) as MAITE allows."""
    if scores.ndim != 2 or scores.size == 0:
        return scores
    if len(scores) != len(labels) or labels.max() >= scores.shape[1]:
        raise SubjectError(
            f"scores have shape {scores.shape}, expected ({len(labels)},) or ({len(labels)}, C) "
            f"with a column for label {labels.max() if len(labels) else 0}"
        )
    return np.asarray(scores[np.arange(len(labels)), labels])


def _label_vector(answer: object, classes: Sequence[str]) -> LabelVector:
    if isinstance(answer, LabelVector):
        answer = answer.scores
    if isinstance(answer, Mapping):
        answer = _by_name(answer, classes)
    scores = finite_array(answer, "scores")
    if scores.shape != (len(classes),):
        raise SubjectError(
            f"the answer has scores of shape {scores.shape}, expected one for each of "
            f"{len(classes)} classes"
        )
    return LabelVector(bounded_scores(scores))


def _by_name(answer: Mapping[Any, Any], classes: Sequence[str]) -> list[Any]:
    answer = {escaped(name) if isinstance(name, str) else name: answer[name] for name in answer}
    for name in answer:
        if name not in classes:
            close = nearest(str(name), classes)
            raise SubjectError(f"the label {name!r} is not one of the classes{close}")
    return [answer.get(name, 0.0) for name in classes]

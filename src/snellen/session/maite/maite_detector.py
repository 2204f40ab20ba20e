"""A subject as a MAITE object-detection model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from snellen.engine.subject_thread import checked_predictions
from snellen.errors import UserError
from snellen.objects.label_names import plain_name
from snellen.session.maite.box_target import BoxTarget, target_of
from snellen.session.plain_subject import open_subject
from snellen.subjects.answers.value_checks import detached
from snellen.subjects.subject import Subject, Task
from snellen.vision.arrays import Image
from snellen.vision.detections import Detections
from snellen.vision.precision.class_alignment import ABSENT


class MaiteDetector:
    """A model in the sense of `maite.protocols.object_detection.Model`.

    subject: what `sn.open_subject` returns or takes. index2label: the class ids of the data set;
    answers get these ids, matched by name, and classes that the data set lacks are left out.
    Default: the subject's own ids. options: of the subject, such as `score`.
    """

    def __init__(
        self,
        subject: Subject | str | Path | Mapping[str, Any],
        index2label: Mapping[int, str] | None = None,
        **options: Any,
    ) -> None:
        opened = (
            open_subject(subject, **options)
            if isinstance(subject, str | Path | Mapping)
            else subject
        )
        if opened.task not in (Task.DETECTION, Task.SEGMENTATION):
            raise UserError(
                f"subject: '{opened.name}' predicts {opened.task}, expected boxes. MAITE's "
                "object-detection protocol has no other answer."
            )
        self._subject = opened
        names = dict(enumerate(opened.classes)) if index2label is None else dict(index2label)
        self._ids = _ids(opened.classes, names)
        self.metadata = {"id": opened.name, "index2label": names}

    def __call__(self, batch: Sequence[Any], /) -> list[BoxTarget]:
        """One target for each image, (3, H, W) as bytes or as floats from 0 to 1, RGB."""
        images = [pixels_of(planes) for planes in batch]
        return [
            self._target(one)
            for one in checked_predictions(self._subject.predict(images), images, self._subject)
        ]

    def _target(self, found: Any) -> BoxTarget:
        assert isinstance(found, Detections)
        ids = self._ids[found.labels]
        known = target_of(found[ids != ABSENT])
        return BoxTarget(known.boxes, ids[ids != ABSENT], known.scores)


def _ids(classes: Sequence[str], names: Mapping[int, str]) -> Any:
    """The data set's id of each class of the subject, -1 for none."""
    places = {plain_name(name): id for id, name in names.items()}
    found = np.array([places.get(plain_name(name), ABSENT) for name in classes], dtype=np.int64)
    if (found == ABSENT).all():
        raise UserError(
            f"index2label: has no class name of the subject, {', '.join(classes[:5])}. Give the "
            "names of the data set, which must be spelt alike."
        )
    return found


def pixels_of(planes: Any) -> Image:
    """(3, H, W) bytes, or floats from 0 to 1, as H x W x 3 uint8.

    >>> pixels_of(np.ones((3, 2, 4), np.float32)).shape
    (2, 4, 3)
    """
    array = np.asarray(detached(planes))
    if array.ndim != 3 or array.shape[0] != 3:
        raise UserError(f"the image has shape {array.shape}, expected MAITE's (3, height, width).")
    if array.dtype.kind == "f":
        if array.size and not 0 <= float(array.min()) <= float(array.max()) <= 1:
            raise UserError(
                f"the image has floats from {array.min():g} to {array.max():g}, expected 0 to 1. "
                "Give bytes, or divide by 255."
            )
        array = np.rint(array * 255)
    return np.ascontiguousarray(array.transpose(1, 2, 0).astype(np.uint8))

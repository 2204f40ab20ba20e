"""A study's exports as boxes matched one-to-one with objects: the input of our own estimator.

A box counts once, with the label that most people gave it (of a tie, the one given first), and an
object once for each person who was shown it, whether or not they boxed it. Boxes are matched with
objects at an IoU of 0.5, a mask passes with an IoU of 0.5 with the object's own mask.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from snellen.errors import UserError
from snellen.methods.human.answers.box_answers import BoxAnswers
from snellen.methods.human.answers.class_answers import ORIGINAL, image_name
from snellen.methods.human.exports.drawn_masks import decoded
from snellen.methods.human.exports.export_answers import ExportAnswers
from snellen.methods.human.exports.export_rows import Corners, DrawnMask, ShownImage
from snellen.methods.human.subtasks import Kind
from snellen.scenes.voc.reader import CLASSES
from snellen.vision.annotations import Annotations
from snellen.vision.arrays import F64, Bools
from snellen.vision.boxes.matching import match
from snellen.vision.detections import Detections

MASK_IOU = 0.5
ROUNDING = 1.01
"""Boxes are rounded to whole pixels before they are shown for a label."""
NO_MASK = np.nan


@dataclass(frozen=True)
class NamedBox:
    """A box, corners half-open from 0, with the label of most people and how many gave it."""

    corners: Corners
    label: str
    share: float
    mask: DrawnMask | None


@dataclass(frozen=True, eq=False)
class _Truth:
    """What is true of an image: labels, (N, 4) boxes half-open from 0, masks or None."""

    labels: tuple[str, ...]
    boxes: F64
    boxed: tuple[NamedBox, ...] = ()


def class_name(label: str) -> str:
    """VOC's name of a class as people were shown it.

    >>> class_name("tv/monitor"), class_name("potted plant"), class_name("other")
    ('tvmonitor', 'pottedplant', 'other')
    """
    plain = "".join(letter for letter in label.lower() if letter.isalpha())
    return plain if plain in CLASSES else label


class MatchedStudy:
    """The boxes of a study by shown image."""

    def __init__(self, study: ExportAnswers) -> None:
        if study.views is None:
            raise UserError(
                f"{study.path}: has no export of the boxes that people drew (500_L.csv), which "
                "says which images were shown. Put it into the same folder, or use --as-published."
            )
        self.study = study
        self.views = study.views
        masks = {(one.image, one.box, one.label): one for one in study.masks or ()}
        self.named = _named_boxes(study, masks)
        self.versions = {one.name: (one.transformation, one.delta_v) for one in study.images}
        names = sorted({one.original for one in study.images})
        self.numbers = {name: number for number, name in enumerate(names)}
        self.own: dict[str, tuple[NamedBox, ...]] = {}
        for view in self.views:
            if view.image not in self.versions:
                boxes = tuple(_answered(view, self.named))
                self.own.setdefault(image_name(view.image), boxes)

    def answers(self, kind: Kind) -> BoxAnswers:
        """The rows for a kind: preservation takes people's own boxes on the originals as truth."""
        rows = [
            row
            for number, view in enumerate(self.views)
            if image_name(view.image) in self.numbers
            for row in self._rows(number, view, kind)
        ]
        if not rows:
            raise UserError(
                f"{self.study.path}: no image of the study was shown to anyone in the export of "
                "the boxes that people drew (500_L.csv). Export it again."
            )
        image, version, delta_v, thing, truth, answer, segmented = zip(*rows, strict=True)
        return BoxAnswers(
            self.study.path,
            self.study.sha256,
            self.study.measure,
            np.array(image, dtype=np.int64),
            np.array(version, dtype=np.str_),
            np.array(delta_v, dtype=np.float64),
            np.array(thing, dtype=np.int64),
            np.array(truth, dtype=np.str_),
            np.array(answer, dtype=np.str_),
            np.array(segmented, dtype=np.float64),
            partial_masks=True,
        )

    def _rows(
        self, number: int, view: ShownImage, kind: Kind
    ) -> Iterator[tuple[int, str, float, int, str, str, float]]:
        """image, transformation, visual change, object, truth, answer and mask of each row."""
        name = image_name(view.image)
        head = (self.numbers[name], *self.versions.get(view.image, (ORIGINAL, 0.0)))
        truth, boxes = self._truth(name, kind), _answered(view, self.named)
        things = _matched(boxes, truth)
        for box, place in zip(boxes, things, strict=True):
            if place < 0:
                yield *head, -1, "", box.label, NO_MASK
                continue
            fits = (
                self._fits(box, name, truth, place) if truth.labels[place] == box.label else NO_MASK
            )
            yield *head, number * 1000 + place, truth.labels[place], box.label, fits
        for place in sorted(set(range(len(truth.labels))) - set(things)):
            yield *head, number * 1000 + place, truth.labels[place], "", NO_MASK

    def _truth(self, name: str, kind: Kind) -> _Truth:
        if kind == "correctness":
            found = self.study.annotations.objects(name)
            return _Truth(found.labels, found.boxes - np.array([1, 1, 0, 0]))
        boxes = self.own.get(name, ())
        corners = np.array([one.corners for one in boxes], dtype=np.float64).reshape(-1, 4)
        return _Truth(tuple(one.label for one in boxes), corners, boxes)

    def _fits(self, box: NamedBox, name: str, truth: _Truth, place: int) -> float:
        """1 if the mask drawn in a box fits the object, 0 if not, NaN if none was asked for."""
        if box.mask is None:
            return NO_MASK
        if not truth.boxed:
            true = self.study.annotations.object_mask(name, place)
        else:
            other = truth.boxed[place].mask
            if other is None:
                return NO_MASK
            true = decoded(other)
        return float(_iou(decoded(box.mask), true) > MASK_IOU)


def _named_boxes(
    study: ExportAnswers, masks: Mapping[tuple[str, Corners, str], DrawnMask]
) -> dict[str, list[NamedBox]]:
    votes: dict[tuple[str, Corners], Counter[str]] = {}
    for one in study.labels:
        votes.setdefault((one.image, one.box), Counter())[one.label] += 1
    found: dict[str, list[NamedBox]] = {}
    for (image, box), labels in votes.items():
        [(label, times)] = labels.most_common(1)
        mask = masks.get((image, box, label))
        named = NamedBox(box, class_name(label), times / labels.total(), mask)
        found.setdefault(image, []).append(named)
    return found


def _answered(view: ShownImage, named: Mapping[str, list[NamedBox]]) -> list[NamedBox]:
    """The boxes of one person that others gave a label, in the order drawn."""
    left = list(named.get(view.image, ()))
    found = []
    for box in view.boxes:
        near = [one for one in left if np.abs(np.subtract(one.corners, box)).max() <= 2 * ROUNDING]
        if near:
            best = min(near, key=lambda one: float(np.abs(np.subtract(one.corners, box)).sum()))
            left.remove(best)
            found.append(best)
    return found


def _matched(boxes: list[NamedBox], truth: _Truth) -> list[int]:
    """The object of each box, -1 for none."""
    if not boxes:
        return []
    corners = np.array([one.corners for one in boxes], dtype=np.float32)
    shares = np.array([one.share for one in boxes], dtype=np.float32)
    seen = Detections(corners, np.zeros(len(boxes), np.int64), shares)
    known = Annotations(truth.boxes.astype(np.float32), np.zeros(len(truth.labels), np.int64))
    return [int(one) for one in match(seen, known, class_aware=False).truth]


def _iou(one: Bools, other: Bools) -> float:
    if one.shape != other.shape:
        return 0.0
    union = np.count_nonzero(one | other)
    return np.count_nonzero(one & other) / union if union else 0.0

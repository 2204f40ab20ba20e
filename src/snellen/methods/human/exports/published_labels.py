"""The labels of a study's exports as DecompoVision's published code counts them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.methods.human.exports.drawn_masks import (
    decoded,
    mean_jaccard,
    published_crop,
)
from snellen.methods.human.exports.export_answers import ExportAnswers
from snellen.methods.human.exports.export_rows import Corners, DrawnMask
from snellen.methods.human.exports.original_annotations import AnnotationFolder
from snellen.methods.human.procedures.published_counts import (
    LabelRows,
    PublishedAnswers,
)
from snellen.methods.human.subtasks import Kind
from snellen.vision.arrays import F64, Ints
from snellen.vision.boxes.box_geometry import iou

BOX_IOU, MASK_IOU = 0.5, 0.25
FULL = 5
"""People who label each box."""


@dataclass(frozen=True)
class GivenLabel:
    """A label that was given to a box, and the share of people who gave it."""

    image: str
    box: Corners
    label: str
    confidence: float


@dataclass(frozen=True, eq=False)
class Truth:
    """What is taken for true in one image: labels, (N, 4) boxes, and the masks as functions."""

    labels: Sequence[str]
    boxes: F64
    rows: Sequence[GivenLabel] = ()


class PublishedLabels:
    """The labels of one transformation of a study, and what each is compared with."""

    def __init__(self, study: ExportAnswers, transformation: str) -> None:
        self.images = study.changed(transformation)
        self.folder: AnnotationFolder = study.annotations
        self.numbers = {
            name: number
            for number, name in enumerate(sorted({one.original for one in self.images}))
        }
        self.masks: dict[tuple[str, Corners, str], DrawnMask] = {
            (one.image, one.box, one.label): one for one in study.masks or ()
        }
        rows = label_rows(study)
        by_name = {one.name: one for one in self.images}
        self.changed = [(row, by_name[row.image]) for row in rows if row.image in by_name]
        self.unchanged = [
            row for row in rows if row.image not in by_name and _stem(row.image) in self.numbers
        ]

    def answers(self, label: str, kind: Kind, masks: bool) -> PublishedAnswers:
        """The counts' rows for a label; `masks`: whether masks are compared as well."""
        truths = self._truths(kind)
        changed = [
            self._flags(row, _stem(row.image), truths, label, masks) for row, _ in self.changed
        ]
        clean = [
            self._flags(row, _stem(row.image), truths, label, masks)
            for row in (self.unchanged if kind == "correctness" else ())
        ]
        images = [self.numbers[_stem(row.image)] for row, _ in self.changed]
        originals = [self.numbers[_stem(row.image)] for row in self.unchanged][: len(clean)]
        delta_v = np.array([image.delta_v for _, image in self.changed])
        return PublishedAnswers(
            _rows(images, delta_v, changed),
            _rows(originals, np.zeros(len(originals)), clean),
            *self._objects(truths, label, kind),
        )

    def _truths(self, kind: Kind) -> dict[str, Truth]:
        """By the name of each original: its annotations, or people's own boxes in it."""
        if kind == "correctness":
            found = {name: self.folder.objects(name) for name in self.numbers}
            return {name: Truth(one.labels, one.boxes) for name, one in found.items()}
        own: dict[str, list[GivenLabel]] = {name: [] for name in self.numbers}
        for row in sorted(self.unchanged, key=lambda one: -one.confidence):
            own[_stem(row.image)].append(row)
        return {
            name: Truth(
                [row.label for row in rows],
                np.array([row.box for row in rows], dtype=np.float64).reshape(-1, 4),
                rows,
            )
            for name, rows in own.items()
        }

    def _flags(
        self, row: GivenLabel, name: str, truths: dict[str, Truth], label: str, masks: bool
    ) -> tuple[bool, ...]:
        truth = truths[name]
        hit = _overlapping(row.box, truth.boxes)
        right = [place for place in hit if truth.labels[place] == label]
        labelled = row.label == label
        both = labelled and bool(right)
        drawn = masks and both and self._passes(row, name, truth, right[0], label)
        return labelled, labelled and bool(hit), bool(right), both, drawn

    def _passes(self, row: GivenLabel, name: str, truth: Truth, place: int, label: str) -> bool:
        """Whether the mask drawn in a box overlaps the true one there."""
        drawn = self.masks.get((row.image, row.box, row.label))
        if drawn is None:
            return False
        if not truth.rows:
            expected = self.folder.class_mask(name, label)
        else:
            other = truth.rows[place]
            true = self.masks.get((other.image, other.box, other.label))
            if true is None:
                return False
            expected = decoded(true)
        return (
            mean_jaccard(published_crop(decoded(drawn), row.box), published_crop(expected, row.box))
            > MASK_IOU
        )

    def _objects(self, truths: dict[str, Truth], label: str, kind: Kind) -> tuple[Ints, Ints, F64]:
        """One row per object and changed image; people's own boxes count once in each bin."""
        keys: list[tuple[int, str, int]] = []
        at: list[float] = []
        for number, image in enumerate(self.images):
            for place, one in enumerate(truths[image.original].labels):
                if one == label:
                    keys.append((number if kind == "correctness" else -1, image.original, place))
                    at.append(image.delta_v)
        order = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        things = np.array([order[key] for key in keys], dtype=np.int64)
        images = np.array([self.numbers[key[1]] for key in keys], dtype=np.int64)
        return things, images, np.array(at, dtype=np.float64)


def label_rows(study: ExportAnswers) -> list[GivenLabel]:
    """Each label of each box once, in the order of the file."""
    counts = Counter((one.image, one.box, one.label) for one in study.labels)
    return [
        GivenLabel(image, box, label, times / FULL if times <= FULL else 1.0)
        for (image, box, label), times in counts.items()
    ]


def _overlapping(box: Corners, boxes: F64) -> list[int]:
    """The boxes with an IoU above 0.5, both counted as VOC does, last pixel included."""
    if not len(boxes):
        return []
    low = np.array([1, 1, 0, 0])
    shares = iou(np.array([box]) - low, boxes - low)[0]
    return np.flatnonzero(shares > BOX_IOU).tolist()


def _rows(images: list[int], delta_v: F64, flags: list[tuple[bool, ...]]) -> LabelRows:
    table = np.array(flags, dtype=bool).reshape(-1, 5).T
    return LabelRows(np.array(images, dtype=np.int64), delta_v, table)


def _stem(name: str) -> str:
    return name.split(".", 1)[0]

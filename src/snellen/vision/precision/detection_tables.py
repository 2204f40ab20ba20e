"""Detections and objects of a whole set as flat columns, one row per object.

Columns are what the compiled loops read, what a bootstrap re-weights, and what an export writes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.vision.annotations import Annotations
from snellen.vision.arrays import F32, F64, AnyArray, Bools, Ints32
from snellen.vision.boxes.box_geometry import area
from snellen.vision.detections import Detections
from snellen.vision.masks.rle_masks import Masks


@dataclass(frozen=True, eq=False)
class DetectionTable:
    """D detections of a set of images, in any order.

    image: (D,) int32, index of the image. index: (D,) int32, among the detections of that image.
    label: (D,) int32. box: (D, 4) float32 xyxy. score: (D,) float32. area: (D,) float64 pixels.
    """

    image: Ints32
    index: Ints32
    label: Ints32
    box: F32
    score: F32
    area: F64

    @classmethod
    def of(cls, detections: Sequence[Detections], *, masks: bool = False) -> DetectionTable:
        """One row per detection, image by image. masks: areas of masks instead of boxes."""
        box = _joined([one.boxes for one in detections], np.float32, (0, 4))
        areas = _joined([_present(one.masks).areas() for one in detections]) if masks else area(box)
        return cls(
            *_places([len(one) for one in detections]),
            _joined([one.labels for one in detections], np.int32),
            box,
            _joined([one.scores for one in detections], np.float32),
            areas.astype(np.float64),
        )

    def __getitem__(self, rows: Any) -> DetectionTable:
        return DetectionTable(*(column[rows] for column in vars(self).values()))


@dataclass(frozen=True, eq=False)
class TruthTable:
    """G objects of a set of images, in any order.

    Columns as in DetectionTable; crowd and ignore: (G,) bool, see Annotations.
    """

    image: Ints32
    index: Ints32
    label: Ints32
    box: F32
    area: F64
    crowd: Bools
    ignore: Bools

    @classmethod
    def of(cls, truths: Sequence[Annotations]) -> TruthTable:
        """One row per object, image by image."""
        return cls(
            *_places([len(one) for one in truths]),
            _joined([one.labels for one in truths], np.int32),
            _joined([one.boxes for one in truths], np.float32, (0, 4)),
            _joined([one.areas for one in truths], np.float64),
            _joined([one.crowd for one in truths], bool),
            _joined([one.ignore for one in truths], bool),
        )

    def __getitem__(self, rows: Any) -> TruthTable:
        return TruthTable(*(column[rows] for column in vars(self).values()))


def _joined(
    parts: Sequence[AnyArray], dtype: Any = np.float64, shape: tuple[int, ...] = (0,)
) -> AnyArray:
    return np.concatenate(parts).astype(dtype, copy=False) if parts else np.zeros(shape, dtype)


def _places(counts: Sequence[int]) -> tuple[Ints32, Ints32]:
    number = np.asarray(counts, dtype=np.int64)
    image = np.repeat(np.arange(len(number), dtype=np.int32), number)
    begin = np.cumsum(number) - number
    return image, (np.arange(len(image)) - begin[image]).astype(np.int32)


def _present(masks: Masks | None) -> Masks:
    if masks is None:
        raise ValueError("matching by mask needs masks, but one of the predictions has none")
    return masks

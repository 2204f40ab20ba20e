"""The ground truth of an image, from a data set or a generator."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.vision.arrays import F64, AnyArray, Bools, Boxes, Labels
from snellen.vision.detections import label_form
from snellen.vision.masks.rle_masks import Masks


@dataclass(frozen=True, eq=False)
class Annotations:
    """N annotated objects of one image.

    boxes: (N, 4) float32 xyxy pixels, half-open. labels: (N,) int64, 0-based ids of the scene set's
    classes. masks: N run-length masks or None. crowd: (N,) bool, a region with many objects, which
    any number of detections may match. ignore: (N,) bool, objects that need not be found and that
    detections may match without penalty (VOC's difficult, KITTI's DontCare). areas: (N,) float64
    pixels, from the file (COCO), otherwise of the mask, otherwise of the box.
    """

    boxes: Boxes
    labels: Labels
    masks: Masks | None = None
    # The three below are never None after construction: missing ones are filled in.
    crowd: Bools = None  # type: ignore[assignment]
    ignore: Bools = None  # type: ignore[assignment]
    areas: F64 = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        boxes = np.asarray(self.boxes, dtype=np.float32).reshape(-1, 4)
        count = len(boxes)
        if self.masks is not None and len(self.masks) != count:
            raise ValueError(f"{count} boxes but {len(self.masks)} masks")
        fields: dict[str, AnyArray] = {
            "boxes": boxes,
            "labels": np.asarray(self.labels, dtype=np.int64).reshape(-1),
            "crowd": _flags(self.crowd, count),
            "ignore": _flags(self.ignore, count),
            "areas": self._areas(boxes),
        }
        for name, value in fields.items():
            if len(value) != count:
                raise ValueError(f"{count} boxes but {len(value)} {name}")
            value.flags.writeable = False
            object.__setattr__(self, name, value)

    def _areas(self, boxes: Boxes) -> F64:
        if self.areas is not None:
            return np.array(self.areas, dtype=np.float64)
        if self.masks is not None:
            return self.masks.areas().astype(np.float64)
        sides = (boxes[:, 2:] - boxes[:, :2]).astype(np.float64)
        return np.asarray(sides[:, 0] * sides[:, 1])

    @classmethod
    def of_columns(
        cls,
        boxes: Boxes,
        labels: Labels,
        masks: Masks | None,
        crowd: Bools,
        ignore: Bools,
        areas: F64,
    ) -> Annotations:
        """The objects of arrays of the types above and of one length, which are not copied.

        They are parts of columns that can't be written to. Nothing is checked, so that a data set
        of many images opens quickly.
        """
        made = object.__new__(cls)
        made.__dict__.update(
            boxes=boxes, labels=labels, masks=masks, crowd=crowd, ignore=ignore, areas=areas
        )
        return made

    @classmethod
    def empty(cls) -> Annotations:
        """An image that is known to contain no objects."""
        return cls(np.zeros((0, 4)), np.zeros(0))  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(self.boxes)

    def __getitem__(self, index: Any) -> Annotations:
        """The objects that an integer, slice, index array or boolean array selects."""
        chosen = np.atleast_1d(np.arange(len(self))[index])
        masks = None if self.masks is None else self.masks[chosen]
        return Annotations(
            self.boxes[chosen],
            self.labels[chosen],
            masks,
            self.crowd[chosen],
            self.ignore[chosen],
            self.areas[chosen],
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Annotations)
            and all(
                np.array_equal(getattr(self, name), getattr(other, name))
                for name in ("boxes", "labels", "crowd", "ignore", "areas")
            )
            and self.masks == other.masks
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        marks = [name for name in ("crowd", "ignore") if getattr(self, name).any()]
        marks += [] if self.masks is None else ["masks"]
        return f"<Annotations: {', '.join([f'{len(self)}{label_form(self.labels)}', *marks])}>"


def _flags(given: Bools | None, count: int) -> Bools:
    return np.zeros(count, dtype=bool) if given is None else np.asarray(given, dtype=bool)

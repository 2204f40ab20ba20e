"""Objects from mask images, and mask images from objects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from snellen.vision.annotations import Annotations
from snellen.vision.arrays import Bools, Ints
from snellen.vision.masks.rle_masks import Masks


def objects_in(values: Ints, names: Mapping[int, str], by_component: bool) -> Annotations:
    """The objects of an H x W mask image, by value, then from top to bottom.

    names: the class of each value; several values may share one class. by_component: one object per
    8-connected component, else one per value.
    """
    labels = {name: label for label, name in enumerate(dict(sorted_names(names)))}
    found = [
        (labels[names[value]], part)
        for value in sorted(names)
        for part in _parts(values == value, by_component)
    ]
    if not found:
        return Annotations.empty()
    masks = np.stack([part for _, part in found])
    boxes = np.array([box_of(part) for part in masks], dtype=np.float32)
    return Annotations(boxes, np.array([label for label, _ in found]), Masks.from_array(masks))


def sorted_names(names: Mapping[int, str]) -> list[tuple[str, int]]:
    """(name, value) pairs, by value."""
    return [(name, value) for value, name in sorted(names.items())]


def _parts(mask: Bools, by_component: bool) -> Iterator[Bools]:
    if not by_component:
        yield from [mask] if mask.any() else []
        return
    import cv2

    count, parts = cv2.connectedComponents(mask.astype(np.uint8), connectivity=8)
    yield from (parts == index for index in range(1, count))


def box_of(mask: Bools) -> tuple[int, int, int, int]:
    """The box x1 y1 x2 y2, half-open, around the pixels of a mask that is not empty.

    >>> box_of(np.array([[False, True], [False, False]]))
    (1, 0, 2, 1)
    """
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def paint_objects(annotations: Annotations, values: Sequence[int], size: tuple[int, int]) -> Any:
    """An H x W mask image with `values[k]` at the pixels of object k, 0 elsewhere.

    Objects without masks are painted as boxes, rounded to whole pixels. Where objects overlap, the
    smaller one is on top.
    """
    canvas = np.zeros(size, dtype=np.int64)
    for index in np.argsort(-annotations.areas, kind="stable"):
        if annotations.masks is not None:
            canvas[annotations.masks[int(index)].to_array()[0]] = values[index]
        else:
            x1, y1, x2, y2 = np.round(annotations.boxes[index]).astype(int)
            canvas[y1:y2, x1:x2] = values[index]
    return canvas

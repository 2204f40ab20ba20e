"""Annotations of many images, read and checked column by column.

Only what `read_annotation` accepts is read here, to the same values. Anything else is left to it,
row by row, so that every message comes from one place.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from operator import itemgetter
from typing import Any

import numpy as np

from snellen.scenes.coco.annotation import CocoAnnotation, read_run_lengths
from snellen.scenes.polygon_masks import Outline
from snellen.scenes.problems import InvalidItemError
from snellen.vision.arrays import F64, AnyArray, Bools, Ints

LARGEST = 1e15
"""Up to here whole numbers are exact as floats, so that it does not matter when they are added."""
NO_ID = 2**62
"""Ids from here on are read by themselves."""
KEYS = {
    "id": None, "image_id": None, "bbox": None, "category_id": None, "iscrowd": 0, "area": None,
    "segmentation": None,
}  # fmt: skip
"""The keys of most rows, with the values of missing ones."""
COMMON = itemgetter(*KEYS)


class IrregularError(ValueError):
    """Something in the rows has to be read by itself."""


@dataclass(frozen=True, eq=False)
class AnnotationColumns:
    """N objects. boxes: (N, 4) x1 y1 x2 y2, clipped to their images. overhang: (N,) in pixels.

    areas: (N,), NaN where the file gives none. outlines: None where an object has no mask.
    """

    boxes: F64
    overhang: F64
    labels: Ints
    crowd: Bools
    ignore: Bools
    areas: F64
    outlines: Sequence[Outline | None]

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, part: slice | Ints) -> AnnotationColumns:
        """The objects of a part, or in another order."""
        if isinstance(part, slice):
            outlines = self.outlines[part]
        else:
            outlines = [self.outlines[place] for place in part.tolist()]
        values: list[Any] = [*(one[part] for one in self._arrays()), outlines]
        return AnnotationColumns(*values)

    def read_only(self) -> AnnotationColumns:
        """The same, of which no part can be written to."""
        for one in self._arrays():
            one.flags.writeable = False
        return self

    def _arrays(self) -> tuple[AnyArray, ...]:
        return self.boxes, self.overhang, self.labels, self.crowd, self.ignore, self.areas

    @classmethod
    def joined(cls, parts: Sequence[AnnotationColumns]) -> AnnotationColumns:
        """The objects of all parts."""
        arrays = zip(*(one._arrays() for one in (cls.of([]), *parts)), strict=True)
        outlines = list(chain.from_iterable(one.outlines for one in parts))
        values: list[Any] = [*map(np.concatenate, arrays), outlines]
        return cls(*values)

    @classmethod
    def of(cls, items: Sequence[CocoAnnotation]) -> AnnotationColumns:
        """The columns of objects that were read by themselves, and their overhang reported."""
        return cls(
            np.array([item.box for item in items], dtype=np.float64).reshape(-1, 4),
            np.zeros(len(items)),
            np.array([item.label for item in items], dtype=np.int64),
            np.array([item.crowd for item in items], dtype=bool),
            np.array([item.ignore for item in items], dtype=bool),
            np.array([np.nan if item.area is None else item.area for item in items]),
            [item.outline for item in items],
        )


@dataclass(frozen=True, eq=False)
class ReadRows:
    """N rows of a file. images: (N,) place of each one's image. columns: what they say."""

    ids: Sequence[int]
    images: Ints
    columns: AnnotationColumns


class RowContext:
    """What rows refer to: images and classes.

    sizes: (height, width) by image id. labels: 0-based class ids by category id.
    """

    def __init__(self, sizes: Mapping[int, tuple[int, int]], labels: Mapping[int, int]) -> None:
        self.labels = labels
        self._sizes = np.array([*sizes.values()], dtype=np.int64).reshape(-1, 2)
        known = [(own, place) for place, own in enumerate(sizes) if abs(own) < NO_ID]
        self._ids, self._places = np.array([*sorted(known), (NO_ID, 0)], dtype=np.int64).T

    def places(self, images: Sequence[int]) -> tuple[Ints, Ints]:
        """The place and the size of each image, by its id."""
        wanted = np.array(images, dtype=np.int64)
        _regular(wanted.max(initial=0) < NO_ID)
        at = np.searchsorted(self._ids, wanted)
        _regular((self._ids[at] == wanted).all())
        return self._places[at], self._sizes[self._places[at]]


def read_rows(rows: Sequence[Mapping[str, Any]], context: RowContext) -> ReadRows | None:
    """Raw annotations; None if any has to be read by itself."""
    try:
        ids, images, boxes, labels, crowd, areas, segmentations, ignore = _raw_columns(rows)
        _types(chain(ids, images), int)
        places, sizes = context.places(images)
        corners, overhang = _boxes(boxes, sizes)
        columns = AnnotationColumns(
            corners,
            overhang,
            _labels(labels, context.labels),
            _flags(crowd),
            _flags(ignore),
            _areas(areas),
            _outlines(segmentations, sizes),
        )
        return ReadRows(ids, places, columns)
    except (InvalidItemError, KeyError, OverflowError, TypeError, ValueError):
        return None


def _raw_columns(rows: Sequence[Mapping[str, Any]]) -> Sequence[Sequence[Any]]:
    try:
        found = list(zip(*map(COMMON, rows), strict=True))
    except KeyError:
        found = [tuple(row.get(key, value) for row in rows) for key, value in KEYS.items()]
    return [*found, [row.get("ignore", 0) for row in rows]]


def _regular(condition: Any) -> None:
    if not condition:
        raise IrregularError


def _types(values: Iterable[Any], *types: type) -> None:
    _regular(set(map(type, values)) <= set(types))


def _flat(lists: Iterable[Any]) -> F64:
    """The finite numbers of many lists, one after the other; also true and false, as 1 and 0."""
    found = array("d")
    for one in lists:
        found.fromlist(one)
    values = np.frombuffer(found, dtype=np.float64)
    _regular(np.isfinite(values).all())
    return values


def _boxes(raw: Sequence[Any], sizes: Ints) -> tuple[F64, F64]:
    _regular(set(map(len, raw)) <= {4})
    boxes = _flat(raw).reshape(-1, 4)
    for row in np.flatnonzero(((boxes == 0) | (boxes == 1)).any(axis=1)).tolist():
        _types(raw[row], int, float)
    _regular(np.abs(boxes).max(initial=0) < LARGEST)
    boxes[:, 2:] += boxes[:, :2]
    ends = sizes[:, ::-1]
    _regular((boxes[:, :2] < boxes[:, 2:]).all())
    if boxes.min(initial=0) >= 0 and (boxes[:, 2:] <= ends).all():
        return boxes, np.zeros(len(boxes))
    cut = np.where(boxes < 0, 0.0, boxes)
    cut[:, 2:] = np.where(boxes[:, 2:] > ends, ends, boxes[:, 2:])
    _regular((cut[:, :2] < cut[:, 2:]).all())
    return cut, np.abs(cut - boxes).max(axis=1)


def _labels(raw: Sequence[Any], labels: Mapping[int, int]) -> Ints:
    _types(raw, int)
    return np.array([labels[own] for own in raw], dtype=np.int64)


def _flags(raw: Sequence[Any]) -> Bools:
    found = set(raw)
    _regular(found <= {0, 1})
    return np.array(raw, dtype=bool) if 1 in found else np.zeros(len(raw), dtype=bool)


def _areas(raw: Sequence[Any]) -> F64:
    given = [value for value in raw if value is not None] if None in raw else list(raw)
    areas = _flat([given])
    for place in np.flatnonzero((areas == 0) | (areas == 1)).tolist():
        _types([given[place]], int, float)
    _regular((areas >= 0).all())
    if len(given) == len(raw):
        return areas
    return np.array([np.nan if value is None else value for value in raw], dtype=np.float64)


def _outlines(raw: Sequence[Any], sizes: Ints) -> list[Outline | None]:
    kinds = set(map(type, raw))
    _regular(kinds <= {list, dict, type(None)})
    polygons = [polygon for one in raw if one and type(one) is list for polygon in one]
    found = _polygons(polygons)
    _drawable(found, raw, sizes)
    points = iter(found)
    if dict not in kinds and len(polygons) == len(raw) - raw.count([]) - raw.count(None):
        return [(next(points),) if one else None for one in raw]
    return [
        _outline(one, sizes[place], points) if one or type(one) is dict else None
        for place, one in enumerate(raw)
    ]


def _drawable(polygons: Sequence[F64], raw: Sequence[Any], sizes: Ints) -> None:
    """Leave rows to `read_annotation` that have a polygon far beyond its image."""
    if polygons:
        most = 4 * sizes.prod(axis=1) + 8 * sizes.sum(axis=1)
        counts = [len(one) if type(one) is list else 0 for one in raw]
        corners = np.fromiter(map(len, polygons), np.int64, len(polygons))
        starts = np.cumsum(corners) - corners
        reach = np.maximum.reduceat(np.abs(np.concatenate(polygons)).max(axis=1), starts)
        _regular((2 * reach * corners <= np.repeat(most, counts)).all())


def _outline(raw: Any, size: Ints, points: Iterator[F64]) -> Outline:
    if type(raw) is list:
        return (next(points),) if len(raw) == 1 else tuple(islice(points, len(raw)))
    return read_run_lengths(raw, (int(size[0]), int(size[1])), "")


def _polygons(raw: Sequence[Any]) -> list[F64]:
    """Each polygon as (K, 2) corners, all in one block of memory."""
    lengths = np.fromiter(map(len, raw), np.int64, len(raw))
    _regular((lengths >= 6).all() and not (lengths % 2).any())
    corners = _flat(raw).reshape(-1, 2)
    ends = np.cumsum(lengths // 2).tolist()
    return [corners[start:end] for start, end in zip([0, *ends], ends, strict=False)]

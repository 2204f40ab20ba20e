"""All annotations of a COCO file, in columns ordered by image."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import Any

import numpy as np

from snellen.errors.excerpt import shown
from snellen.scenes.coco.annotation import is_whole
from snellen.scenes.coco.annotation_columns import (
    AnnotationColumns,
    ReadRows,
    RowContext,
    read_rows,
)
from snellen.scenes.coco.annotation_pieces import AnnotationPiece
from snellen.vision.arrays import Boxes, Ints

ALONE = 32
"""Annotations that are read by themselves for one of them that has to be."""


@dataclass(frozen=True, eq=False)
class AnnotationTable:
    """Annotations in the order of their images.

    spans: first and last but one row by image id. raw: JSON objects that have to be
    read by themselves, by their row; the columns have nothing of them. places: of the rows in the
    file, which is the order of the ids.
    """

    columns: AnnotationColumns
    ids: Sequence[int]
    places: Ints
    spans: Mapping[int, tuple[int, int]]
    raw: Mapping[int, dict[str, Any]]

    @classmethod
    def of(
        cls,
        pieces: Iterable[AnnotationPiece],
        sizes: Mapping[int, tuple[int, int]],
        labels: Mapping[int, int],
        invalid: Callable[[Any, str], None],
    ) -> AnnotationTable:
        """The table of raw annotations, piece by piece.

        sizes: (height, width) by image id. labels: 0-based class ids by category id. invalid:
        called with the id of a row and the reason why it is left out.
        """
        places = {image: place for place, image in enumerate(sizes)}
        parts, raw = _read(pieces, RowContext(sizes, labels))
        ids = list(chain.from_iterable(one.ids for one in parts))
        images = np.concatenate([_NONE, *(one.images for one in parts)])
        if raw or len(set(ids)) < len(ids):
            _drop_invalid(ids, images, raw, places, invalid)
        order = np.argsort(images, kind="stable")[np.count_nonzero(images < 0) :]
        ends = np.searchsorted(images[order], np.arange(len(sizes) + 1)).tolist()
        row_of = {place: row for row, place in enumerate(order.tolist())} if raw else {}
        return cls(
            AnnotationColumns.joined([one.columns for one in parts])[order].read_only(),
            ids,
            order,
            dict(zip(sizes, pairwise(ends), strict=True)),
            {row_of[place]: row for place, row in raw.items()},
        )

    @cached_property
    def boxes(self) -> Boxes:
        """(N, 4) as annotations have them."""
        found: Boxes = self.columns.boxes.astype(np.float32)
        found.flags.writeable = False
        return found

    def id(self, row: int) -> int:
        """The id of a row."""
        return self.ids[int(self.places[row])]

    @cached_property
    def has_areas(self) -> bool:
        """Whether every row gives an area."""
        return not (self.raw or np.isnan(self.columns.areas).any())

    @cached_property
    def odd(self) -> frozenset[int]:
        """The rows that are not simply taken from the columns."""
        return frozenset(self.raw) | set(np.flatnonzero(self.columns.overhang > 1).tolist())


_NONE: Ints = np.zeros(0, dtype=np.int64)


def _read(
    pieces: Iterable[AnnotationPiece], context: RowContext
) -> tuple[list[ReadRows], dict[int, dict[str, Any]]]:
    """All rows in order, and by place those that have to be read by themselves."""
    parts: list[ReadRows] = []
    raw: dict[int, dict[str, Any]] = {}

    def read(some: list[dict[str, Any]], start: int) -> None:
        found = read_rows(some, context)
        if found is not None:
            parts.append(found)
        elif len(some) <= ALONE:
            parts.append(_unread(len(some)))
            raw.update(enumerate(some, start))
        else:
            for first in range(0, len(some), ALONE):
                read(some[first : first + ALONE], start + first)

    start = 0
    for piece in pieces:
        found = read_rows(piece.rows, context)
        if found is not None:
            parts.append(found)
        else:
            read(piece.exact(), start)
        start += len(piece.rows)
    return parts, raw


def _unread(count: int) -> ReadRows:
    """Rows of no image yet, which are not read."""
    none, whole, flags = np.zeros(count), np.zeros(count, np.int64), np.zeros(count, bool)
    nothing = [None] * count
    columns = AnnotationColumns(np.zeros((count, 4)), none, whole, flags, flags, none, nothing)
    return ReadRows([0] * count, whole - 1, columns)


def _drop_invalid(
    ids: list[int],
    images: Ints,
    raw: dict[int, dict[str, Any]],
    places: Mapping[int, int],
    invalid: Callable[[Any, str], None],
) -> None:
    """Fill in ids and images of the raw rows; -1 is the image of those that are left out."""
    seen: set[int] = set()
    for place, known in enumerate(zip(list(ids), images.tolist(), strict=True)):
        own, image = known if place not in raw else _ids_of(raw[place], places)
        why = ""
        if not is_whole(own):
            why = f"id is {shown(own)}, expected a whole number"
        elif own in seen:
            why = "the id occurs twice in 'annotations'; ids must be unique"
        elif image < 0:
            wrong = shown(raw[place].get("image_id"))
            why = f"image_id is {wrong}, expected the id of an image in 'images'"
        if why:
            invalid(own, why)
            raw.pop(place, None)
            images[place] = -1
        else:
            seen.add(own)
            images[place] = image
            ids[place] = own


def _ids_of(row: Mapping[str, Any], places: Mapping[int, int]) -> tuple[Any, int]:
    """The id of a raw row, and the place of its image; -1 if there is none."""
    image: Any = row.get("image_id")
    return row.get("id"), places.get(image, -1) if is_whole(image) else -1

"""Laying out shapes on a plane, one after the other, each against those already placed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from snellen.vision.arrays import Bytes, Ints, Ints32

_MILLION = 1_000_000


@dataclass(frozen=True, eq=False)
class ShapeLayout:
    """Positions of shapes, from back to front.

    corners: (K, 2) x and y of the top-left corners; the leftmost x and topmost y are 0. width,
    height: of the box around all shapes, in pixels. overlap: the largest share of a shape's area
    that covers shapes behind it, or is covered by shapes in front of it.
    """

    corners: Ints
    width: int
    height: int
    overlap: float


def lay_out(
    shapes: Sequence[Bytes], directions: Sequence[float], overlaps: Sequence[float], limit: float
) -> ShapeLayout:
    """Each shape moved towards the first, along its direction, until the wanted overlap is reached.

    directions: degrees, clockwise from the right, from which a shape comes in; that of the first is
    not used. overlaps: the wanted overlap of each, from 0 (they touch) to below `limit`: the share
    of its own area over others, or of another's area under it, whichever is larger. The overlap is
    the largest in whole pixels that does not exceed the wanted one; it is smaller where another
    shape, already partly hidden, would reach `limit`.

    >>> square = np.ones((10, 10), np.uint8)
    >>> lay_out([square, square], [0, 0], [0, 0], 0.3).corners.tolist()
    [[0, 0], [10, 0]]
    >>> lay_out([square, square], [0, 90], [0, 0.25], 0.3).corners.tolist()
    [[0, 0], [0, 8]]
    """
    pile = _Pile(shapes)
    for place in range(1, len(shapes)):
        pile.bring(place, directions[place], overlaps[place], limit)
    return pile.layout()


class _Pile:
    """The shapes placed so far, with the part of each that is still visible."""

    def __init__(self, shapes: Sequence[Bytes]) -> None:
        from snellen.changes.compose.shape_layout_kernels import middle_of

        self.shapes = [np.ascontiguousarray(shape, np.uint8) for shape in shapes]
        self.sizes: Ints = np.array([shape.shape for shape in shapes], np.int64)
        self.areas: Ints = np.array([np.count_nonzero(s) for s in shapes], np.int64)
        self.corners, self.hidden, self.over = (
            np.zeros(size, np.int64) for size in ((len(shapes), 2), len(shapes), len(shapes))
        )
        tallest, widest = self.sizes.max(axis=0)
        self.counts = np.zeros((len(shapes), tallest, widest + 1), np.int32)
        self.middle: Ints = np.array(middle_of(self.shapes[0]), np.int64)
        self._count(0)

    def bring(self, place: int, direction: float, overlap: float, limit: float) -> None:
        """Place the shape of this index, over those of lower indices."""
        from snellen.changes.compose.shape_layout_kernels import (
            corner_at,
            innermost,
            middle_of,
            runs_of,
        )

        runs, begins = runs_of(self.shapes[place])
        start = self.middle - np.array(middle_of(self.shapes[place]), np.int64)
        slope = _slope(direction)
        far = int((np.abs(self.corners[:place]) + self.sizes[:place]).max() + 2 * self.sizes.max())
        step = innermost(
            runs,
            begins,
            int(self.areas[place]),
            start,
            slope,
            far,
            self.counts[:place],
            self.sizes[:place],
            self.corners[:place],
            self.areas[:place],
            self.hidden[:place],
            overlap,
            limit,
        )
        self.corners[place] = corner_at(step, start, slope)
        self._cover(place, runs, begins)

    def _cover(self, place: int, runs: Ints32, begins: Ints32) -> None:
        from snellen.changes.compose.shape_layout_kernels import covered, hide

        for old in range(place):
            down, right = (int(value) for value in self.corners[place] - self.corners[old])
            height, width = self.shapes[old].shape
            lost = covered(runs, begins, self.counts[old], height, width, down, right)
            if lost:
                self.hidden[old] += lost
                self.over[place] += lost
                self.shapes[old] = hide(self.shapes[old], runs, down, right)
                self._count(old)
        self._count(place)

    def _count(self, place: int) -> None:
        from snellen.changes.compose.shape_layout_kernels import visible_counts

        visible_counts(self.shapes[place], self.counts[place])

    def layout(self) -> ShapeLayout:
        corners = self.corners - self.corners.min(axis=0)
        height, width = (int(value) for value in (corners + self.sizes).max(axis=0))
        overlap = float((np.maximum(self.hidden, self.over) / self.areas).max())
        return ShapeLayout(corners[:, ::-1].copy(), width, height, overlap)


def _slope(direction: float) -> Ints:
    """(2,) millionths of a pixel down and right per step; the larger is one million."""
    angle = math.radians(direction)
    down, right = math.sin(angle), math.cos(angle)
    longer = max(abs(down), abs(right))
    return np.array([round(_MILLION * part / longer) for part in (down, right)], np.int64)

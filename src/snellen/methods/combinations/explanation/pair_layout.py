"""Two objects of a composition apart, touching, or overlapping, on one canvas."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from snellen.changes.compose.compose import Compose
from snellen.changes.compose.shape_layout import ShapeLayout, lay_out
from snellen.methods.combinations.composition.object_shapes import shape_at
from snellen.objects.library.library import Library
from snellen.vision.arrays import Bytes, Ints

GAP = 0.05
"""The smallest gap between objects that are apart, as a share of the canvas's longest side."""
LEAST_GAP = 8
"""The same in pixels."""


@dataclass(frozen=True, eq=False)
class PairLayout:
    """Two objects at their scale, and a canvas on which they have room apart from each other.

    pair: the two where they were found, the one behind first. Its canvas is kept if the two have
    room on it, side by side or one above the other, with a gap between their boxes; otherwise it is
    enlarged, the objects are not. Positions and sizes are (2, 2), an object a row, x before y.
    """

    pair: Compose
    library: Library

    @cached_property
    def size(self) -> Ints:
        """Width and height of the canvas."""
        size, axis = self._found.copy(), self._axis
        if size[axis] < self._length:
            size[axis] = self._length + 2 * self._gap
        touching = self._in_contact(0.0)
        return np.maximum(size, [touching.width, touching.height])

    @property
    def enlarged(self) -> bool:
        """Whether the canvas is larger than that of the finding."""
        return not np.array_equal(self.size, self._found)

    def together(self) -> Compose:
        """The two as they were found, in the middle of the canvas."""
        return self._at(self._corners)

    def apart(self, *, swapped: bool = False) -> Compose:
        """The two as far apart as the canvas allows, in the order of their places or swapped."""
        corners, axis, length = self._corners.copy(), self._axis, self.size[self._axis]
        order = np.argsort(2 * corners[:, axis] + self._sizes[:, axis], kind="stable")
        first, last = order[::-1] if swapped else order
        edge = min(self._gap, (length - self._length) // 2)
        corners[first, axis] = edge
        corners[last, axis] = length - edge - self._sizes[last, axis]
        return self._at(corners)

    def in_contact(self, overlap: float = 0.0) -> Compose:
        """The two touching without overlap, or overlapping by a share of one of them."""
        layout = self._in_contact(overlap)
        box: Ints = np.array([layout.width, layout.height])
        low, high = self._corners.min(axis=0), (self._corners + self._sizes).max(axis=0)
        corner = np.clip((low + high - box) // 2, 0, np.maximum(self.size - box, 0))
        return self._at(layout.corners + corner)

    @cached_property
    def overlaps(self) -> tuple[float, float]:
        """The share of the one behind that is covered, and of the one in front that covers it."""
        shapes, corners = self._shapes, self._corners
        cut = [
            shape[top:, left:]
            for shape, (left, top) in zip(shapes, corners.max(axis=0) - corners, strict=True)
        ]
        height, width = np.min([one.shape for one in cut], axis=0)
        both = int(np.count_nonzero(cut[0][:height, :width] & cut[1][:height, :width]))
        behind, before = (both / max(1, int(np.count_nonzero(shape))) for shape in shapes)
        return behind, before

    @property
    def _found(self) -> Ints:
        """Width and height of the canvas of the finding."""
        return np.array([self.pair.width, self.pair.height])

    @property
    def _gap(self) -> int:
        return max(LEAST_GAP, round(GAP * int(self._found.max())))

    @cached_property
    def _sizes(self) -> Ints:
        return np.array([one[3:] for one in self.pair.placed])

    @cached_property
    def _corners(self) -> Ints:
        """Where they were found, on the canvas used here."""
        found: Ints = np.array([one[1:3] for one in self.pair.placed])
        return found + (self.size - self._found) // 2

    @cached_property
    def _axis(self) -> int:
        """0 to put them side by side, 1 one above the other: where the canvas has more room."""
        return int(np.argmax(self._found / (self._sizes.sum(axis=0) + self._gap)))

    @property
    def _length(self) -> int:
        """What both and the gap take along that axis."""
        return int(self._sizes.sum(axis=0)[self._axis]) + self._gap

    @cached_property
    def _shapes(self) -> tuple[Bytes, Bytes]:
        first, second = (shape_at(self.library, id, *size) for id, _, _, *size in self.pair.placed)
        return first, second

    def _in_contact(self, overlap: float) -> ShapeLayout:
        """The two moved together along the line between the middles of their boxes."""
        middles = [(2 * x + width, 2 * y + height) for _, x, y, width, height in self.pair.placed]
        (x, y), (u, v) = middles
        direction = math.degrees(math.atan2(v - y, u - x))
        return lay_out(self._shapes, [0.0, direction], [0.0, overlap], 1.0)

    def _at(self, corners: Ints) -> Compose:
        placed = tuple(
            (id, int(x), int(y), width, height)
            for (id, _, _, width, height), (x, y) in zip(self.pair.placed, corners, strict=True)
        )
        width, height = (int(side) for side in self.size)
        return replace(self.pair, width=width, height=height, placed=placed)

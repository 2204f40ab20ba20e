"""Places on a canvas for a draw: rough to compare candidates, exact to render one."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from snellen.changes.compose.shape_layout import ShapeLayout, lay_out
from snellen.errors import UserError
from snellen.methods.combinations.composition.arrangement import Arrangement
from snellen.methods.combinations.composition.object_shapes import rough_shape, shape_at
from snellen.methods.combinations.composition.random_draw import RandomDraw
from snellen.objects.library.library import Library
from snellen.vision.arrays import Bytes, Ints

ROUGH = 96
"""The side in pixels of an average object in a rough layout."""
_ROUGH_LONGEST = 192
_MOST_ROUNDS = 24


class CanvasFit(NamedTuple):
    """A layout with its sizes and scale.

    sizes: (K, 2) widths and heights in pixels. factor: pixels for the common unit of the draw.
    stopped: whether no object may be enlarged any further.
    """

    layout: ShapeLayout
    sizes: Ints
    factor: float
    stopped: bool

    @property
    def longest(self) -> int:
        """Pixels of the longer side of the box around all objects."""
        return max(self.layout.width, self.layout.height)


def rough_fit(draw: RandomDraw, library: Library) -> CanvasFit | None:
    """The draw laid out on a coarse grid; None for a draw without objects."""
    extents = draw.extents
    if not len(extents):
        return None
    side = math.sqrt(float(extents.prod(axis=1).sum()))
    factor = min(ROUGH / side, _ROUGH_LONGEST / float(extents.max()))
    return _at(factor, draw, partial(rough_shape, library))


def exact_fit(
    rough: CanvasFit, draw: RandomDraw, library: Library, arrangement: Arrangement
) -> CanvasFit:
    """The draw laid out so that its longest side fills the canvas inside the border.

    No object is enlarged beyond `arrangement.enlarged`; if that stops all of them, the layout is
    smaller. Rounding to pixels makes the longest side jump when the factor changes, so it may fall
    short: by a pixel or an eighth of the border, or by more where several rounds do not improve it.
    """
    room, fit, most = arrangement.room, rough, arrangement.enlarged
    shape = partial(shape_at, library)
    if len(draw.entries) == 1:
        return _at(room / float(draw.extents.max()), draw, shape, most)
    first = max(1.0, arrangement.border / 8)
    for rounds in range(_MOST_ROUNDS):
        short = first * 2 ** (rounds / 2)
        factor = fit.factor * (room - short / 2) / fit.longest
        fit = _at(factor, draw, shape, most)
        if fit.longest <= room and (fit.stopped or fit.longest >= room - short):
            return fit
    raise UserError(
        f"{len(draw.entries)} objects do not fit on a canvas with a longest side of "
        f"{arrangement.longest} pixels and margin {arrangement.margin}. Raise `longest`."
    )


def _at(
    factor: float,
    draw: RandomDraw,
    shape: Callable[[str, int, int], Bytes],
    enlarged: float = math.inf,
) -> CanvasFit:
    scales = np.minimum(draw.factors * factor, enlarged)
    sizes = np.maximum(np.rint(draw.pixels * scales[:, None]), 1).astype(np.int64)
    shapes = [
        shape(entry.id, int(width), int(height))
        for entry, (width, height) in zip(draw.entries, sizes, strict=True)
    ]
    layout = lay_out(shapes, draw.directions.tolist(), draw.overlaps.tolist(), draw.limit)
    return CanvasFit(layout, sizes, factor, stopped=bool((scales >= enlarged).all()))

"""Alpha compositing of a stencil over an image; only pixels of its rectangle change."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from snellen.changes.paste.stencil import Stencil
from snellen.errors import UserError
from snellen.vision.arrays import Image


@dataclass(frozen=True)
class PasteWindow:
    """The part of a pasted rectangle that lies in the image.

    rows, columns: where it is in the image. own_rows, own_columns: where it is in the stencil.
    """

    rows: slice
    columns: slice
    own_rows: slice
    own_columns: slice


def window(size: tuple[int, int], stencil: tuple[int, int], x: int, y: int) -> PasteWindow:
    """Where a stencil of (height, width), top-left corner at x, y, meets an image of `size`.

    >>> window((100, 200), (20, 30), 190, -5)
    PasteWindow(rows=slice(0, 15, None), columns=slice(190, 200, None), \
own_rows=slice(5, 20, None), own_columns=slice(0, 10, None))
    """
    (rows, own_rows), (columns, own_columns) = (
        _overlap(whole, part, start)
        for whole, part, start in zip(size, stencil, (y, x), strict=True)
    )
    if rows.start >= rows.stop or columns.start >= columns.stop:
        raise UserError(
            f"an object of {stencil[1]} x {stencil[0]} pixels at x {x}, y {y} is entirely outside "
            f"the image of {size[1]} x {size[0]}. x and y are its top-left corner; move it inside."
        )
    return PasteWindow(rows, columns, own_rows, own_columns)


def _overlap(whole: int, part: int, start: int) -> tuple[slice, slice]:
    first, last = max(start, 0), min(start + part, whole)
    return slice(first, last), slice(first - start, last - start)


def composite(
    image: Image,
    stencil: Stencil,
    x: int,
    y: int,
    *,
    colours: Image | None = None,
    in_place: bool = False,
) -> Image:
    """A copy of the image with the stencil over it, top-left corner at x, y.

    colours: (H, W, 3), instead of the stencil's own. in_place: the image itself instead of a
    copy. Parts outside the image are cut off. Each value is (alpha * object + (255 - alpha) *
    scene) / 255, rounded, in integer arithmetic: the same on every machine.
    """
    place = window((image.shape[0], image.shape[1]), stencil.size, x, y)
    result = image if in_place else image.copy()
    target = result[place.rows, place.columns]
    own = place.own_rows, place.own_columns
    weighted = stencil.weighted if colours is None else stencil.weigh(colours)
    total = np.multiply(target, stencil.scene_share[own], dtype=np.uint16)
    total += weighted[own]
    total += total >> 8
    total >>= 8
    target[...] = total
    return result

"""Checks of boxes: finite, not empty, within the image."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

from snellen.errors import UserError
from snellen.errors.excerpt import shown

Corners: TypeAlias = tuple[float, float, float, float]


def clipped_box(box: Sequence[float], size: tuple[int, int] | None) -> Corners:
    """The box x1 y1 x2 y2, clipped to the image; an error if nothing of it is left.

    size: (height, width) in pixels, or None if there is no image.

    >>> clipped_box((-0.4, 2, 10.5, 8), (10, 10))
    (0.0, 2.0, 10.0, 8.0)
    """
    try:
        x1, y1, x2, y2 = map(float, box)
    except OverflowError:
        raise UserError(f"box {shown(list(box))} (x1 y1 x2 y2) has too large a number") from None
    if size is not None and 0 <= x1 < x2 <= size[1] and 0 <= y1 < y2 <= size[0]:
        return x1, y1, x2, y2
    if not all(map(math.isfinite, (x1, y1, x2, y2))):
        raise UserError(f"box {format_box(box)} (x1 y1 x2 y2) has a value that is not finite")
    if x2 <= x1 or y2 <= y1:
        raise UserError(
            f"box has width {x2 - x1:g} and height {y2 - y1:g}; both must be greater than 0"
        )
    if size is None:
        return x1, y1, x2, y2
    height, width = size
    cut = (max(x1, 0.0), max(y1, 0.0), min(x2, float(width)), min(y2, float(height)))
    if cut[2] <= cut[0] or cut[3] <= cut[1]:
        raise UserError(
            f"box {format_box(box)} (x1 y1 x2 y2) lies outside the image of width {width} and "
            f"height {height}"
        )
    return cut


def overhang(box: Sequence[float], cut: Corners) -> float:
    """The largest distance in pixels that clipping moved a side."""
    return max(abs(a - b) for a, b in zip(box, cut, strict=True))


def format_box(box: Sequence[float]) -> str:
    """The box as text for a message.

    >>> format_box((1.5, 2, 3, 4))
    '[1.5, 2, 3, 4]'
    """
    return "[" + ", ".join(f"{value:g}" for value in box) + "]"

"""The part of a scene where something happened."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from snellen.pages.marks import KEPT, Sides
from snellen.store.findings import Box

Window: TypeAlias = tuple[int, int, int, int]
"""A part of a scene: xyxy in whole pixels."""
MARGIN = 0.5
SMALLEST = 0.4


def focus(marked: Sides, size: tuple[int, int]) -> Window:
    """The xyxy window in whole pixels around all marks but unchanged ones, with a margin.

    size: (height, width) of the scene. The window has the scene's aspect ratio, at least 0.4 of its
    sides, and lies within it; without such marks, or where things moved, it is the whole scene.

    >>> focus(Sides((), ()), (100, 200))
    (0, 0, 200, 100)
    """
    height, width = size
    boxes = [mark.box for mark in (*marked.before, *marked.after) if mark.kind != KEPT]
    if not boxes or marked.moved:
        return 0, 0, width, height
    x1, y1, x2, y2 = _union(boxes)
    share = max((x2 - x1) / width, (y2 - y1) / height) * (1 + MARGIN)
    share = min(1.0, max(SMALLEST, share))
    wide, tall = round(share * width), round(share * height)
    left = _slid(round((x1 + x2 - wide) / 2), width - wide)
    top = _slid(round((y1 + y2 - tall) / 2), height - tall)
    return left, top, left + wide, top + tall


def _union(boxes: Iterable[Box]) -> Box:
    x1, y1, x2, y2 = zip(*boxes, strict=True)
    return min(x1), min(y1), max(x2), max(y2)


def _slid(start: int, last: int) -> int:
    return min(max(0, start), last)

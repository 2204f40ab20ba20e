"""One line of a YOLO label file: a class, then a box or a polygon in fractions of the image."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from snellen.errors.excerpt import shown
from snellen.scenes.box_checks import Corners
from snellen.scenes.polygon_masks import TOO_LONG, can_be_drawn
from snellen.scenes.problems import InvalidItemError, Problems
from snellen.vision.arrays import F64


@dataclass(frozen=True)
class YoloObject:
    """One object. box: x1 y1 x2 y2 in pixels. polygon: (K, 2) pixels, or None for a box alone."""

    label: int
    box: Corners
    polygon: F64 | None


def read_line(
    line: str, size: tuple[int, int], labels: Mapping[int, int], where: str, problems: Problems
) -> YoloObject:
    """The object of a line: `class cx cy w h`, or `class x1 y1 x2 y2 x3 y3 ...`."""
    words = line.split()
    if len(words) != 5 and (len(words) < 7 or len(words) % 2 == 0):
        raise InvalidItemError(
            where,
            f"found {len(words)} fields, expected 5 (class cx cy w h), or an odd number of 7 or "
            "more (class x1 y1 x2 y2 x3 y3 ...)",
        )
    values = np.array([_number(word, where) for word in words])
    label = _label(words[0], values[0], labels, where)
    fractions = values[1:].reshape(-1, 2)
    worst = fractions.ravel()[np.abs(fractions).argmax()]
    if abs(worst) > 2:
        raise InvalidItemError(
            where, f"found {worst:g}, expected fractions of the image's width and height"
        )
    points = fractions * (size[1], size[0])
    if len(words) == 5:
        centre, half = points[0], points[1] / 2
        corners, polygon = np.concatenate([centre - half, centre + half]), None
    else:
        corners, polygon = np.concatenate([points.min(axis=0), points.max(axis=0)]), points
        if not can_be_drawn(points, size, 2.0 * max(size)):
            raise InvalidItemError(where, TOO_LONG)
    return YoloObject(label, problems.box(corners.tolist(), size, where), polygon)


def _label(word: str, value: float, labels: Mapping[int, int], where: str) -> int:
    if value not in labels:
        consecutive = list(labels) == list(range(len(labels)))
        ids = f"0 to {len(labels) - 1}" if consecutive else "an id listed in 'names'"
        raise InvalidItemError(where, f"class is {word[:60]}, expected {ids}")
    return labels[int(value)]


def _number(word: str, where: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InvalidItemError(where, f"{shown(word)} is not a number")
    return value

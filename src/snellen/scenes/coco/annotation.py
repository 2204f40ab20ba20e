"""One annotation of a COCO file, with every field checked."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from snellen.errors.excerpt import shown
from snellen.scenes.box_checks import Corners
from snellen.scenes.polygon_masks import TOO_LONG, Outline, can_be_drawn
from snellen.scenes.problems import InvalidItemError, Problems
from snellen.vision.arrays import F64, Runs
from snellen.vision.masks.rle_masks import Masks


@dataclass(frozen=True)
class CocoAnnotation:
    """One object. box: x1 y1 x2 y2. label: 0-based. area: as in the file, or None."""

    box: Corners
    label: int
    outline: Outline | None
    crowd: bool
    ignore: bool
    area: float | None


def read_annotation(
    raw: Mapping[str, Any],
    size: tuple[int, int],
    labels: Mapping[int, int],
    where: str,
    problems: Problems,
) -> CocoAnnotation:
    """The object of one annotation. labels: 0-based class ids by category id of the file."""
    category: Any = raw.get("category_id")
    if not is_whole(category) or category not in labels:
        raise InvalidItemError(
            where, f"category_id is {shown(category)}, expected an id listed in 'categories'"
        )
    return CocoAnnotation(
        problems.box(_corners(raw.get("bbox"), where), size, f"{where}: bbox"),
        labels[category],
        _outline(raw.get("segmentation"), size, where),
        _flag(raw, "iscrowd", where),
        _flag(raw, "ignore", where),
        _area(raw.get("area"), where),
    )


def _corners(bbox: Any, where: str) -> Corners:
    if not (isinstance(bbox, list) and len(bbox) == 4 and all(map(_is_number, bbox))):
        raise InvalidItemError(
            where, f"bbox is {shown(bbox)}, expected four numbers [x, y, width, height]"
        )
    x, y, width, height = bbox
    try:
        return x, y, x + width, y + height
    except OverflowError:
        raise InvalidItemError(where, f"bbox {shown(bbox)} has too large a number") from None


def _flag(raw: Mapping[str, Any], key: str, where: str) -> bool:
    value = raw.get(key, 0)
    if value not in (0, 1):
        raise InvalidItemError(where, f"{key} is {shown(value)}, expected 0 or 1")
    return bool(value)


def _area(area: Any, where: str) -> float | None:
    if area is None:
        return None
    if not _is_number(area) or not 0 <= area < math.inf or area > sys.float_info.max:
        raise InvalidItemError(where, f"area is {shown(area)}, expected a number >= 0")
    return float(area)


def _outline(segmentation: Any, size: tuple[int, int], where: str) -> Outline | None:
    if segmentation is None or segmentation == []:
        return None
    if isinstance(segmentation, list):
        return tuple(_polygon(one, size, where) for one in segmentation)
    return read_run_lengths(segmentation, size, where)


def read_run_lengths(segmentation: Any, size: tuple[int, int], where: str) -> Runs:
    """The run lengths of a mask that is not given as polygons."""
    try:
        return Masks.from_coco([segmentation], size).runs[0]
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        why = f"has no {error}" if isinstance(error, KeyError) else str(error)
        raise InvalidItemError(where, f"segmentation: {why}") from None


def _polygon(points: Any, size: tuple[int, int], where: str) -> F64:
    try:
        finite = math.isfinite(sum(points))
        polygon = np.array(points, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        finite, polygon = False, np.empty(0)
    if polygon.ndim != 1 or polygon.size < 6 or polygon.size % 2 or not finite:
        raise InvalidItemError(
            where,
            f"segmentation: found {shown(points)}, expected a polygon: a list of at least 6 "
            "numbers x1, y1, x2, y2, ...",
        )
    corners = polygon.reshape(-1, 2)
    if not can_be_drawn(corners, size, max(max(points), -min(points))):
        raise InvalidItemError(where, f"segmentation: {TOO_LONG}")
    return corners


def _is_number(value: Any) -> bool:
    return type(value) in (int, float)


def is_whole(value: Any) -> bool:
    """Whether a JSON value is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)

"""How places for an object are drawn: around a target, at random, or on a grid."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from snellen.methods.free_places import FreeSpace
from snellen.vision.arrays import F32, Ints

__all__ = ["FreeSpace", "Placement", "draw", "frame_around", "standing_bottoms"]


class Placement(StrEnum):
    """How places are chosen."""

    GUIDED = "guided"
    RANDOM = "random"
    GRID = "grid"


def frame_around(target: F32, width: int, height: int) -> tuple[int, int, int, int]:
    """The window of corners around a target box (xyxy) for an object of this size.

    The object's centre lies at most (W + 2w)/2 and (H + 2h)/2 from the target's (METHODS 1.2), that
    is half an object beyond touching. The target itself is an obstacle, so only the frame remains.
    """
    x1, y1, x2, y2 = (float(value) for value in target)
    return (
        int(np.ceil(x1 - 1.5 * width)),
        int(np.ceil(y1 - 1.5 * height)),
        int(np.floor(x2 + 0.5 * width)) + 1,
        int(np.floor(y2 + 0.5 * height)) + 1,
    )


def draw(
    placement: Placement,
    room: FreeSpace,
    target: F32,
    size: tuple[int, int],
    count: int,
    rng: np.random.Generator,
) -> Ints:
    """At most `count` different places for an object of size (width, height); (K, 2) corners.

    Fewer where fewer are free. Guided places lie in the frame around `target` (xyxy).
    """
    width, height = size
    if placement == Placement.GUIDED:
        free = room.free(frame_around(target, width, height), width, height)
    else:
        free = room.free((0, 0, room.size[1], room.size[0]), width, height)
    if placement == Placement.GRID:
        return _on_grid(free, width, height, count)
    if len(free) == 0:
        return free
    return free[rng.choice(len(free), size=min(count, len(free)), replace=False)]


def _on_grid(free: Ints, width: int, height: int, count: int) -> Ints:
    """`count` evenly spread free places on a grid of half an object's size."""
    step_x, step_y = max(1, width // 2), max(1, height // 2)
    lattice: Ints = free[(free[:, 0] % step_x == 0) & (free[:, 1] % step_y == 0)]
    if len(lattice) <= count:
        return lattice
    chosen: Ints = lattice[np.linspace(0, len(lattice) - 1, count).round().astype(int)]
    return chosen


def standing_bottoms(boxes: F32, height: float, slack: float = 0.25) -> tuple[float, float] | None:
    """The y range for the base of an object of this height, as the scene's objects stand.

    boxes: (N, 4) xyxy of objects of its kind. On level ground a box's height is proportional to
    the distance of its base below the horizon; the line is fitted to the objects. With one object,
    or if the fit is implausible, the base stands where theirs do. None without objects.
    """
    if len(boxes) == 0:
        return None
    bottoms = boxes[:, 3].astype(np.float64)
    heights = bottoms - boxes[:, 1]
    at = float(bottoms[np.abs(heights - height).argmin()])
    if np.ptp(bottoms) >= 1 and np.ptp(heights) > 0.2 * heights.max():
        slope, start = np.polyfit(bottoms, heights, 1)
        if slope > 0:
            at = float((height - start) / slope)
    return at - slack * height, at + slack * height

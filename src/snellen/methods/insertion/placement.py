"""Where an object can go: every free place of a scene, drawn from in one go.

A place is the top-left corner of the object's rectangle. All places of a window are looked at as
one boolean map, so a draw is uniform over the places that are really free, and one is found
whenever there is one; nothing is tried and thrown away.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Places: TypeAlias = npt.NDArray[np.int64]
Ground: TypeAlias = npt.NDArray[np.bool_]


class Placement(StrEnum):
    """How places are chosen."""

    GUIDED = "guided"
    RANDOM = "random"
    GRID = "grid"


@dataclass(frozen=True, eq=False)
class Room:
    """What a scene leaves free.

    size: (height, width) of the image. obstacles: (N, 4) xyxy boxes that nothing may overlap.
    ground: H x W, where an object's base may stand, or None for anywhere. bottoms: lowest and
    highest y at which a base may stand, in pixels.
    """

    size: tuple[int, int]
    obstacles: npt.NDArray[np.float32]
    ground: Ground | None = None
    bottoms: tuple[float, float] | None = None

    def free(self, window: tuple[int, int, int, int], width: int, height: int) -> Places:
        """All free places (x, y) within a window of corners (x1, y1, x2, y2), half-open; (K, 2)."""
        x1, y1 = max(0, window[0]), max(0, window[1])
        x2 = min(self.size[1] - width + 1, window[2])
        y2 = min(self.size[0] - height + 1, window[3])
        if x2 <= x1 or y2 <= y1:
            return np.zeros((0, 2), dtype=np.int64)
        free = np.ones((y2 - y1, x2 - x1), dtype=bool)
        if self.bottoms is not None:
            base = np.arange(y1, y2) + height
            free[(base < self.bottoms[0]) | (base > self.bottoms[1])] = False
        for ox1, oy1, ox2, oy2 in self.obstacles.astype(np.float64):
            # Corners from which the object would reach into this obstacle.
            left, top = int(np.floor(ox1)) - width + 1, int(np.floor(oy1)) - height + 1
            right, bottom = int(np.ceil(ox2)), int(np.ceil(oy2))
            rows = slice(max(0, top - y1), max(0, bottom - y1))
            free[rows, max(0, left - x1) : max(0, right - x1)] = False
        if self.ground is not None:
            free &= self._standing(x1, y1, x2, y2, width, height)
        down, along = np.nonzero(free)
        return np.stack([along + x1, down + y1], axis=1)

    def _standing(self, x1: int, y1: int, x2: int, y2: int, width: int, height: int) -> Ground:
        """Whether the middle and both quarters of the base stand on the ground, for each corner."""
        assert self.ground is not None
        rows = slice(y1 + height - 1, y2 + height - 1)
        standing = np.ones((y2 - y1, x2 - x1), dtype=bool)
        for share in (0.25, 0.5, 0.75):
            offset = min(width - 1, int(width * share))
            standing &= self.ground[rows, x1 + offset : x2 + offset]
        return standing


def frame_around(
    target: npt.NDArray[np.float32], width: int, height: int
) -> tuple[int, int, int, int]:
    """The window of corners around a target box (xyxy) for an object of this size.

    The object's centre lies at most (W + 2w)/2 and (H + 2h)/2 from the target's (METHODS 1.2), that
    is half an object beyond touching. The target itself is an obstacle, which leaves the frame.
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
    room: Room,
    target: npt.NDArray[np.float32],
    size: tuple[int, int],
    count: int,
    rng: np.random.Generator,
) -> Places:
    """At most `count` different places for an object of size (width, height); (K, 2) corners.

    Fewer come back where fewer are free. Guided places lie in the frame around `target` (xyxy).
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


def _on_grid(free: Places, width: int, height: int, count: int) -> Places:
    """Free places on a lattice of half an object's size, `count` of them evenly spread."""
    step_x, step_y = max(1, width // 2), max(1, height // 2)
    lattice: Places = free[(free[:, 0] % step_x == 0) & (free[:, 1] % step_y == 0)]
    if len(lattice) <= count:
        return lattice
    chosen: Places = lattice[np.linspace(0, len(lattice) - 1, count).round().astype(int)]
    return chosen


def standing_bottoms(
    boxes: npt.NDArray[np.float32], height: float, slack: float = 0.25
) -> tuple[float, float] | None:
    """The y range in which the base of an object of this height stands, as the scene's objects do.

    boxes: (N, 4) xyxy of objects of its kind. On level ground a box's height grows in proportion to
    how far its base is below the horizon; the line is fitted through the objects. With one object,
    or if the fit makes no sense, the base stands where theirs do. None without objects.
    """
    if len(boxes) == 0:
        return None
    bottoms = boxes[:, 3].astype(np.float64)
    heights = bottoms - boxes[:, 1]
    at = float(bottoms[np.abs(heights - height).argmin()])
    if len(boxes) >= 2 and np.ptp(heights) > 0.2 * heights.max():
        slope, start = np.polyfit(bottoms, heights, 1)
        if slope > 0:
            at = float((height - start) / slope)
    return at - slack * height, at + slack * height

"""Compiled loops over footprints: rectangles x y length width yaw, metres and radians."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from snellen.vision.compiled import compiled

Floats = npt.NDArray[np.float64]
Heights = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]

TOUCH = 1e-9


@compiled
def parted(a: Floats, b: Floats) -> bool:
    """Whether a line along a side of `a` has `a` on one side and `b` on the other."""
    cos, sin = math.cos(a[4]), math.sin(a[4])
    away_x, away_y = b[0] - a[0], b[1] - a[1]
    turn_cos, turn_sin = abs(math.cos(b[4] - a[4])), abs(math.sin(b[4] - a[4]))
    along = a[2] / 2 + (b[2] * turn_cos + b[3] * turn_sin) / 2
    across = a[3] / 2 + (b[2] * turn_sin + b[3] * turn_cos) / 2
    return (
        abs(away_x * cos + away_y * sin) >= along - TOUCH
        or abs(away_y * cos - away_x * sin) >= across - TOUCH
    )


@compiled
def overlaps(a: Floats, b: Floats) -> Mask:
    """(N, M) whether footprints share more than their border."""
    found = np.zeros((len(a), len(b)), dtype=np.bool_)
    for i in range(len(a)):
        for j in range(len(b)):
            reach = math.hypot(a[i, 2], a[i, 3]) + math.hypot(b[j, 2], b[j, 3])
            if math.hypot(a[i, 0] - b[j, 0], a[i, 1] - b[j, 1]) < reach / 2:
                found[i, j] = not (parted(a[i], b[j]) or parted(b[j], a[i]))
    return found


@compiled
def crossings(targets: Floats, blocks: Floats) -> Mask:
    """(N, M) whether the line from the origin to a target (N, 2) goes through a footprint."""
    found = np.zeros((len(targets), len(blocks)), dtype=np.bool_)
    for j in range(len(blocks)):
        cos, sin = math.cos(blocks[j, 4]), math.sin(blocks[j, 4])
        eye_x = -(blocks[j, 0] * cos + blocks[j, 1] * sin)
        eye_y = -(blocks[j, 1] * cos - blocks[j, 0] * sin)
        for i in range(len(targets)):
            way_x = targets[i, 0] * cos + targets[i, 1] * sin
            way_y = targets[i, 1] * cos - targets[i, 0] * sin
            enter, leave = 0.0, 1.0
            for eye, way, half in (
                (eye_x, way_x, blocks[j, 2] / 2),
                (eye_y, way_y, blocks[j, 3] / 2),
            ):
                if way == 0.0:
                    if abs(eye) >= half:
                        leave = -1.0
                    continue
                first, last = (-half - eye) / way, (half - eye) / way
                enter, leave = max(enter, min(first, last)), min(leave, max(first, last))
            found[i, j] = leave - enter > TOUCH
    return found


@compiled
def survey(
    footprints: Floats, grown: float, area: Mask, lowest: Heights, height: float, cell: float
) -> tuple[Floats, Mask]:
    """The share (N,) of each footprint's cells in the area, and whether anything stands there.

    area, lowest: (C, C) [x, y], centred at the origin. Something stands there where the lowest
    obstacle of a cell that touches the footprint, grown by `grown` on every side, is below
    `height`.
    """
    middle = len(area) // 2
    shares = np.zeros(len(footprints))
    stands = np.zeros(len(footprints), dtype=np.bool_)
    reach = grown + cell * math.sqrt(0.5)
    for i in range(len(footprints)):
        x, y = footprints[i, 0], footprints[i, 1]
        half_long, half_wide = footprints[i, 2] / 2, footprints[i, 3] / 2
        cos, sin = math.cos(footprints[i, 4]), math.sin(footprints[i, 4])
        tall = (half_long + reach) * abs(cos) + (half_wide + reach) * abs(sin)
        wide = (half_long + reach) * abs(sin) + (half_wide + reach) * abs(cos)
        inside, within = 0, 0
        for row in range(
            max(int((x - tall) / cell + middle), 0),
            min(int((x + tall) / cell + middle) + 1, 2 * middle),
        ):
            for column in range(
                max(int((y - wide) / cell + middle), 0),
                min(int((y + wide) / cell + middle) + 1, 2 * middle),
            ):
                off_x, off_y = (row - middle + 0.5) * cell - x, (column - middle + 0.5) * cell - y
                along, across = abs(off_x * cos + off_y * sin), abs(off_y * cos - off_x * sin)
                if along > half_long + reach or across > half_wide + reach:
                    continue
                stands[i] |= lowest[row, column] < height
                if along <= half_long and across <= half_wide:
                    within += 1
                    inside += area[row, column]
        shares[i] = inside / within if within else 0.0
    return shares, stands

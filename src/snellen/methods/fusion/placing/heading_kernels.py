"""Compiled loops over places on a road."""

from __future__ import annotations

import math

import numpy as np

from snellen.vision.arrays import F64, Bools
from snellen.vision.compilation import compiled


@compiled
def room_beside(road: Bools, places: F64, axes: F64, cell: float, most: float, hole: float) -> F64:
    """(N, 2) metres of road to the left and to the right of places (N, 2), across their axes (N,).

    At most `most`; gaps in the road of less than `hole` metres, such as a car, are ignored.
    """
    middle = len(road) // 2
    room = np.zeros((len(places), 2))
    for i in range(len(places)):
        for side in range(2):
            sign = 1.0 - 2.0 * side
            way_x, way_y = -sign * math.sin(axes[i]), sign * math.cos(axes[i])
            away = 0.0
            while away < most and away - room[i, side] <= hole:
                away += cell
                row = math.floor((places[i, 0] + way_x * away) / cell) + middle
                column = math.floor((places[i, 1] + way_y * away) / cell) + middle
                if not (0 <= row < 2 * middle and 0 <= column < 2 * middle):
                    break
                if road[row, column]:
                    room[i, side] = away
    return room

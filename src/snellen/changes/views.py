"""Other views of a scene, drawn so that everything in it stays in view."""

from __future__ import annotations

import math

import numpy as np

from snellen.changes.viewed import Viewed

SMALLEST = 0.8
GAIN = 1.25


def other_views(
    size: tuple[int, int],
    count: int,
    rng: np.random.Generator,
    *,
    smallest: float = SMALLEST,
    gain: float = GAIN,
) -> list[Viewed]:
    """`count` views of a scene of (height, width): every second mirrored, each at another scale.

    smallest: scales are from here to 1, and shifts as far as the room that this leaves at the
    border, so no object is ever cut. gain: brightness is from 1/gain to gain times.

    >>> views = other_views((480, 640), 4, np.random.default_rng(1))
    >>> [view.flip for view in views]
    [False, True, False, True]
    """
    height, width = size
    scales = rng.uniform(smallest, 1.0, count)
    shifts = rng.uniform(-0.5, 0.5, (count, 2)) * (1 - scales)[:, None] * (width, height)
    gains = np.exp(rng.uniform(-math.log(gain), math.log(gain), count))
    return [
        Viewed(
            flip=bool(index % 2),
            scale=round(float(scales[index]), 4),
            dx=round(float(shifts[index, 0]), 2),
            dy=round(float(shifts[index, 1]), 2),
            gain=round(float(gains[index]), 4),
        )
        for index in range(count)
    ]

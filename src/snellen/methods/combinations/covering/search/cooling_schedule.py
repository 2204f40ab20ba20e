"""The acceptance thresholds of annealing, in integers that are the same on every machine."""

from __future__ import annotations

from decimal import Decimal, localcontext
from functools import lru_cache

import numpy as np

from snellen.vision.arrays import Ints

STEEPEST = 64
"""Losses of at least this are never accepted."""
CERTAIN = 1 << 32


@lru_cache(maxsize=32)
def acceptance(hot: str, cool: str, rounds: int) -> Ints:
    """(rounds, STEEPEST) thresholds below 2 ** 32 under which a random draw accepts each loss.

    A loss d is accepted with probability exp(-d / heat); the heat starts at `hot` and is multiplied
    by `cool` after each round. The floating-point exponential may differ between machines in the
    last digit, and arrays with it; decimal arithmetic does not.

    >>> acceptance("0.5", "0.9", 2)[:, 1].tolist()
    [581260615, 465437115]
    """
    limits = np.zeros((rounds, STEEPEST), np.int64)
    with localcontext() as context:
        context.prec = 30
        heat = Decimal(hot)
        for at in range(rounds):
            ratio = int((Decimal(-1) / heat).exp() * CERTAIN)
            chance = CERTAIN
            for loss in range(STEEPEST):
                limits[at, loss] = chance
                chance = chance * ratio // CERTAIN
            heat *= Decimal(cool)
    limits.setflags(write=False)
    return limits

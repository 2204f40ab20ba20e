"""A budget in questions, divided among the units before the run, so that order is moot."""

from __future__ import annotations

import numpy as np


def allowances(units: int, questions: int | None, minimum: int) -> list[int | None]:
    """How many questions each unit may ask; 0 leaves a unit out, None is no limit.

    A budget too small for all gives `minimum` or more to as many units as it reaches, evenly spread
    over the set.

    >>> allowances(3, 10, 2), allowances(4, 5, 2), allowances(2, None, 2)
    ([4, 3, 3], [3, 0, 0, 2], [None, None])
    """
    if questions is None:
        return [None] * units
    reached = min(units, questions // minimum)
    out: list[int | None] = [0] * units
    if reached:
        share, rest = divmod(questions, reached)
        for place, unit in enumerate(np.linspace(0, units - 1, reached).round().astype(int)):
            out[unit] = share + (place < rest)
    return out

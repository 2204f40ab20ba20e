"""The published reliability distance: how much of the changed curve lies below the original.

It is the share of the points of the precision-recall curve of changed images that lie below the
curve of unchanged scenes. Two curves of equal quality cross by chance, so it is about 0.4 for a
subject that does not degrade at all; compare it with its null, not with 0.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from snellen.methods.requirements.curves.curve_rows import CurveRows, swapped
from snellen.vision.arrays import F64, Bools

Curve = tuple[F64, F64]

PERMUTATIONS = 199
BATCHES, BATCH = 50, 400
"""The published number of batches, and images per batch."""
NEAR = 1e-9


@dataclass(frozen=True)
class ReliabilityDistance:
    """The distance, its mean under the null, and its p-value.

    Under the null, changed and unchanged images are exchangeable; they are swapped in random
    scenes.
    """

    value: float
    null: float
    p_value: float
    permutations: int

    @property
    def satisfied(self) -> bool:
        """The published rule: a distance of at most 0."""
        return self.value <= 0

    def to_json(self) -> dict[str, Any]:
        """Plain values; None for what could not be computed."""
        values = {"value": self.value, "null": self.null, "p_value": self.p_value}
        finite = {name: None if math.isnan(one) else one for name, one in values.items()}
        return {**finite, "permutations": self.permutations, "satisfied": self.satisfied}


UNKNOWN = ReliabilityDistance(math.nan, math.nan, math.nan, 0)
"""The distance where there is nothing to compare."""


def reliability_distance(
    original: tuple[npt.ArrayLike, npt.ArrayLike], changed: tuple[npt.ArrayLike, npt.ArrayLike]
) -> float:
    """The share of points of the changed curve below the original; NaN if either has no point.

    Both are (recall, precision), in any order, and are replaced by their envelope: every recall
    once, with the best precision at it or beyond.

    >>> better = [0.2, 0.4, 0.6], [1.0, 0.9, 0.8]
    >>> worse = [0.2, 0.4, 0.6], [1.0, 0.7, 0.5]
    >>> round(reliability_distance(better, worse), 3), reliability_distance(worse, better)
    (0.667, 0.0)
    """
    xs, ys = envelope(*original)
    recall, precision = envelope(*changed)
    if not len(xs) or not len(recall):
        return math.nan
    place = np.searchsorted(xs, recall - NEAR)
    reached = place < len(xs)
    return float(np.sum(precision[reached] < ys[place[reached]] - NEAR) / len(recall))


def envelope(recall: npt.ArrayLike, precision: npt.ArrayLike) -> Curve:
    """Every recall once, rising, with the best precision at it or beyond."""
    across = np.asarray(recall, dtype=np.float64)
    order = np.argsort(across, kind="stable")
    xs, ys = across[order], np.asarray(precision, dtype=np.float64)[order]
    first = np.diff(xs, prepend=-1.0) > NEAR
    return xs[first], np.maximum.accumulate(ys[::-1])[::-1][first]


def distance(
    rows: CurveRows,
    start: int,
    end: int,
    rng: np.random.Generator,
    permutations: int = PERMUTATIONS,
) -> ReliabilityDistance:
    """The distance between two arms, of subtasks start + 1 to end, with its permutation null."""
    [value] = distances(rows, start, end, *swapped(np.zeros((1, rows.scenes))))
    if math.isnan(value):
        return UNKNOWN
    swaps = rng.integers(0, 2, (permutations, rows.scenes)).astype(np.float64)
    null = distances(rows, start, end, *swapped(swaps))
    null = null[~np.isnan(null)]
    extreme = np.count_nonzero(null >= value - NEAR)
    mean = float(null.mean()) if len(null) else math.nan
    return ReliabilityDistance(
        float(value), mean, float((extreme + 1) / (len(null) + 1)), len(null)
    )


def distances(rows: CurveRows, start: int, end: int, before: F64, after: F64) -> F64:
    """(R,) the distance with each row of weights of units, before and after, (R, 2 S)."""
    flags = rows.flags(start, end)
    pairs = (
        tuple(_curve(rows, flags, start, side * rows.share) for side in sides)
        for sides in zip(before, after, strict=True)
    )
    return np.array([reliability_distance(*pair) for pair in pairs])


def _curve(rows: CurveRows, flags: Bools, start: int, weight: F64) -> Curve:
    """Recall and precision at every score, as it falls, where both are defined."""
    sums = np.cumsum(weight[rows.unit, None] * flags, axis=0)[rows.last]
    right, of_label, found, objects = sums.T
    if not start:
        objects = np.full(len(objects), weight @ rows.objects)
    defined = (of_label > NEAR) & (objects > NEAR)
    return found[defined] / objects[defined], right[defined] / of_label[defined]

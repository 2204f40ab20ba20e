"""Re-weighted matches in whole arrays: as the compiled loops, bit for bit, for a small set.

Every step is the same operation on the same numbers, for all replicates at once. The loops take
seconds to compile, which a first `snellen check` after an installation need not wait for.
"""

from __future__ import annotations

import numpy as np

from snellen.statistics.ap_bootstrap_kernels import FALSE, IGNORED, NEAR, TRUE
from snellen.vision.arrays import F32, F64, Bools, Ints, Ints8, Ints32


def has_mixed_runs(bounds: Ints, image: Ints32, score: F32, outcome: Ints8) -> bool:
    """Whether a run of equal scores in one image and class has both true and false positives."""
    same = (image[1:] == image[:-1]) & (score[1:] == score[:-1])
    same[bounds[1:-1][(bounds[1:-1] > 0) & (bounds[1:-1] < len(image))] - 1] = False
    if not same.any():
        return False
    run = np.concatenate([[0], np.cumsum(~same)])
    return any(
        bool((np.bincount(run[row == TRUE], minlength=run[-1] + 1).astype(bool)
              & np.bincount(run[row == FALSE], minlength=run[-1] + 1).astype(bool)).any())
        for row in outcome
    )  # fmt: skip


def reweighted_precision(
    bounds: Ints,
    image: Ints32,
    outcome: Ints8,
    truth_bounds: Ints,
    truth_image: Ints32,
    counts: Bools,
    weights: Ints32,
    late: F64,
    zero: int,
) -> F64:
    """Average precision of each replicate, class and threshold, (R, K, T); NaN without objects.

    As the compiled loop, but weights: (images, R), and no run may be mixed.
    """
    classes, levels, steps = len(bounds) - 1, len(outcome), len(late) - 1
    out = np.full((weights.shape[1], classes, levels), np.nan)
    for k in range(classes):
        truths = slice(truth_bounds[k], truth_bounds[k + 1])
        objects = weights[truth_image[truths][counts[truths]]].sum(axis=0, dtype=np.int32)
        known = objects > 0
        rows = slice(bounds[k], bounds[k + 1])
        weight = weights[image[rows]]
        curve = _Curve(weight, np.cumsum(weight, axis=0, dtype=np.int32), objects, late, zero)
        bottom = np.full(len(objects), steps + zero) if steps else objects
        for t in range(levels):
            total = curve.precision_sum(outcome[t, rows])
            out[known, k, t] = total[known] / bottom[known]
    return out


class _Curve:
    """One class: weight and counted are (detections, R), objects (R,)."""

    def __init__(
        self, weight: Ints32, counted: Ints32, objects: Ints32, late: F64, zero: int
    ) -> None:
        self._weight, self._counted, self._late, self._zero = weight, counted, late, zero
        self._scale = (len(late) - 1) / np.maximum(objects, 1)

    def precision_sum(self, codes: Ints8) -> F64:
        """Sum of the interpolated precision of each replicate, from the last row to the first."""
        hits = self._weight[codes == TRUE].sum(axis=0, dtype=np.int32)
        ignored = self._weight[codes == IGNORED].sum(axis=0, dtype=np.int32)
        best, total = np.zeros(len(hits)), np.zeros(len(hits))
        points = self._reached(hits)
        for d in np.flatnonzero(codes != FALSE)[::-1]:
            weight = self._weight[d]
            if codes[d] == IGNORED:
                ignored -= weight
                continue
            value = hits / np.maximum(self._counted[d] - ignored, 1)
            best = np.where(value > best, value, best)
            hits -= weight
            if len(self._late) == 1:
                total += weight * best
                continue
            now = self._reached(hits)
            total += (points - now) * best
            points = now
        return total

    def _reached(self, hits: Ints32) -> F64:
        """The number of recall points that these true positives reach; see the compiled loop."""
        if len(self._late) == 1:
            return np.zeros(len(hits))
        share = hits * self._scale
        k = (share + NEAR).astype(np.int64)
        now = k + self._zero - np.where(self._late[k] <= share, 0.0, 1.0)
        return np.where(hits > 0, now, 0.0)
